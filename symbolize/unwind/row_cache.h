// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/unwind/module_tables.h"
#include "symbolize/unwind/unwind_row.h"

#include <hprof/core/target/address_space.h>

#include <array>
#include <cstdint>
#include <vector>

namespace hprof::symbolize {

/// What is to be done at one address of code.
struct alignas(64) CachedStep {
  enum class By : std::uint8_t { row, guest, frame_pointer, signal_return, root };

  const Module* module = nullptr;
  std::uint64_t key = 0;
  ModuleTables* tables = nullptr;
  std::uint64_t vaddr = 0;
  By by = By::frame_pointer;
  std::uint8_t guest = 0;
  UnwindRow row;
};
static_assert(kHasLinkRegister || sizeof(CachedStep) == 64, "one cache line for each address");

/// Steps by (module, address), direct mapped: a newer one takes the place of an older one.
class RowCache {
 public:
  RowCache() : entries_(kEntries) {}

  /// The place where (module, key) is or is to be put; the caller compares.
  CachedStep& slot(const Module* module, std::uint64_t key) {
    const std::uint64_t mixed =
        (key ^ (reinterpret_cast<std::uintptr_t>(module) >> 4)) * 0x9e3779b97f4a7c15ULL;
    return entries_[mixed >> (64 - kBits)];
  }
  void clear() { entries_.assign(kEntries, CachedStep{}); }

 private:
  static constexpr unsigned kBits = 15;
  static constexpr std::size_t kEntries = std::size_t{1} << kBits;
  std::vector<CachedStep> entries_;
};

/// Finds the range of an address; tries first where a nearby address was found last.
class RangeFinder {
 public:
  const MappedRange* find(const AddressSpace& space, std::uint64_t address) {
    const auto ranges = space.ranges();
    // Mostly the same as a moment ago: asked for the check of a step and for the step after it.
    if (last_ < ranges.size() && ranges[last_].start <= address && address < ranges[last_].end) {
      return &ranges[last_];
    }
    const std::uint64_t mixed =
        ((address >> 16) ^ (reinterpret_cast<std::uintptr_t>(&space) >> 5)) * 0x9e3779b97f4a7c15ULL;
    std::uint32_t& hint = hints_[mixed >> (64 - kBits)];
    if (hint < ranges.size() && address >= ranges[hint].start && address < ranges[hint].end) {
      last_ = hint;
      return &ranges[hint];
    }
    const MappedRange* found = space.find(address);
    if (found != nullptr) hint = last_ = static_cast<std::uint32_t>(found - ranges.data());
    return found;
  }

 private:
  static constexpr unsigned kBits = 9;
  std::uint32_t last_ = 0;
  std::array<std::uint32_t, std::size_t{1} << kBits> hints_{};
};

}  // namespace hprof::symbolize
