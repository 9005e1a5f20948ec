// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/target/memory_reader.h>

namespace hprof {

/// Reads a live process by process_vm_readv(2), which never stops it.
class ProcessMemory final : public MemoryReader {
 public:
  explicit ProcessMemory(int pid) : pid_(pid) {}
  std::size_t read(std::uint64_t address, std::span<std::byte> out) override;

 private:
  int pid_;
};

}  // namespace hprof
