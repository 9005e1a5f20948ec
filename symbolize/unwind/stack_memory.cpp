// SPDX-License-Identifier: Apache-2.0
#include "symbolize/unwind/stack_memory.h"

#include <algorithm>

namespace hprof::symbolize {

void StackMemory::reset(const StackCopy& stack, MemoryReader* live) {
  copy_ = stack.bytes;
  base_ = stack.address;
  live_ = live;
  live_used_ = false;
  next_block_ = 0;
  reads_ = 0;
  for (Block& block : blocks_) block.size = 0;
}

// One read of four pages costs what one of eight bytes does, and deep stacks are walked upwards.
const StackMemory::Block* StackMemory::block(std::uint64_t address) {
  for (const Block& block : blocks_) {
    if (address >= block.address && address - block.address < block.size) return &block;
  }
  if (live_ == nullptr || reads_ >= kMaxReads) return nullptr;
  ++reads_;
  Block& fresh = blocks_[next_block_++ % kBlocks];
  fresh.address = address / kPage * kPage;
  fresh.bytes.resize(kBlock);
  fresh.size = std::min<std::size_t>(live_->read(fresh.address, fresh.bytes), kBlock);
  return address - fresh.address < fresh.size ? &fresh : nullptr;
}

std::size_t StackMemory::read_bytes(std::uint64_t address, std::span<std::byte> out) {
  std::size_t done = 0;
  while (done < out.size()) {
    const std::uint64_t at = address + done;
    Bytes source;
    if (at - base_ < copy_.size()) {
      source = copy_.subspan(static_cast<std::size_t>(at - base_));
    } else if (const Block* found = block(at)) {
      live_used_ = true;
      source = Bytes{found->bytes}
                   .first(found->size)
                   .subspan(static_cast<std::size_t>(at - found->address));
    } else {
      break;
    }
    const std::size_t count = std::min(source.size(), out.size() - done);
    memcpy(out.data() + done, source.data(), count);
    done += count;
  }
  return done;
}

bool StackMemory::read_live(std::uint64_t address, std::uint64_t& value) {
  // Also the word that lies half in the copy.
  return read_sized(address, sizeof(value), value);
}

bool StackMemory::read_sized(std::uint64_t address, std::size_t size, std::uint64_t& value) {
  value = 0;
  if (address > ~std::uint64_t{0} - sizeof(value)) return false;
  const std::size_t wanted = std::min(size, sizeof(value));
  const auto out = std::as_writable_bytes(std::span{&value, 1}).first(wanted);
  return read_bytes(address, out) == wanted;
}

}  // namespace hprof::symbolize
