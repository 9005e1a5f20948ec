// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/target/module.h>

#include <cstdint>
#include <span>
#include <vector>

namespace hprof {

/// One executable range of a process.
struct MappedRange {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::uint64_t file_offset = 0;
  ModulePtr module;
};

/// The executable ranges of one process, sorted and without overlap; follows mmap and munmap.
class AddressSpace {
 public:
  /// The range that holds `address`, or nullptr. Lifetime: until the next map() or unmap().
  [[nodiscard]] const MappedRange* find(std::uint64_t address) const;
  /// Adds a range; what it covers of older ones is cut off, as mmap(MAP_FIXED) does.
  void map(MappedRange range);
  void unmap(std::uint64_t start, std::uint64_t end);
  void clear() { ranges_.clear(); ++generation_; }
  [[nodiscard]] std::span<const MappedRange> ranges() const { return ranges_; }
  /// Changes whenever the ranges do, so that caches keyed by address can tell.
  [[nodiscard]] std::uint64_t generation() const { return generation_; }

 private:
  std::vector<MappedRange> ranges_;
  std::uint64_t generation_ = 1;
};

}  // namespace hprof
