// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/capture/unwinder.h>

#include <string.h>

#include <array>
#include <cstdint>
#include <vector>

namespace hprof::symbolize {

/// The memory of a thread during one unwind: its stack copy, and behind that the live process,
/// read in blocks of pages that are kept until the unwind ends.
/// Lifetime: borrows the copy and the reader.
class StackMemory {
 public:
  /// Forgets what was read and looks at another stack. `live` may be null.
  void reset(const StackCopy& stack, MemoryReader* live);

  /// Reads a word. False if neither the copy nor the process has it.
  bool read(std::uint64_t address, std::uint64_t& value) {
    const std::uint64_t offset = address - base_;
    if (offset < copy_.size() && copy_.size() - offset >= sizeof(value)) {
      memcpy(&value, copy_.data() + offset, sizeof(value));
      return true;
    }
    return read_live(address, value);
  }
  /// Reads `size` (1, 2, 4, 8) bytes, zero-extended.
  bool read_sized(std::uint64_t address, std::size_t size, std::uint64_t& value);
  /// Reads code or other bytes of the process; what was got, at most out.size().
  std::size_t read_bytes(std::uint64_t address, std::span<std::byte> out);

  /// Whether a word came from the live process since the last call of forget_live_use().
  [[nodiscard]] bool live_used() const { return live_used_; }
  void forget_live_use() { live_used_ = false; }
  [[nodiscard]] bool has_live() const { return live_ != nullptr; }

 private:
  static constexpr std::uint64_t kPage = 4096;
  static constexpr std::uint64_t kBlock = 4 * kPage;
  static constexpr std::size_t kBlocks = 4;
  /// A hostile stack may jump about; it may not make us read the process for long.
  static constexpr std::size_t kMaxReads = 4096;

  struct Block {
    std::uint64_t address = 0;
    std::size_t size = 0;
    std::vector<std::byte> bytes;
  };

  bool read_live(std::uint64_t address, std::uint64_t& value);
  const Block* block(std::uint64_t address);

  Bytes copy_;
  std::uint64_t base_ = 0;
  MemoryReader* live_ = nullptr;
  bool live_used_ = false;
  std::size_t next_block_ = 0;
  std::size_t reads_ = 0;
  std::array<Block, kBlocks> blocks_;
};

}  // namespace hprof::symbolize
