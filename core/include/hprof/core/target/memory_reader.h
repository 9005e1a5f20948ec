// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace hprof {

/// Memory of a live process. Reads never stop it.
class MemoryReader {
 public:
  virtual ~MemoryReader() = default;
  /// Copies what can be read from `address` on, without a hole; returns the count of bytes.
  virtual std::size_t read(std::uint64_t address, std::span<std::byte> out) = 0;
};

}  // namespace hprof
