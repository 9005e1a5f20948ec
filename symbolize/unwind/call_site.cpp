// SPDX-License-Identifier: Apache-2.0
#include "symbolize/unwind/call_site.h"

#include "symbolize/unwind/signal_return.h"

#include <algorithm>
#include <array>

namespace hprof::symbolize {
namespace {

constexpr std::size_t kLongestCall = 8;

#if defined(__aarch64__)
CallSite decode(Bytes before, std::uint64_t return_address) {
  if (before.size() < 4) return {CallSite::Kind::unreadable, 0};
  const auto word = load<std::uint32_t>(before, before.size() - 4);
  if ((word & 0xfc000000) == 0x94000000) {  // bl
    const auto offset = static_cast<std::int64_t>(static_cast<std::int32_t>(word << 6) >> 4);
    return {CallSite::Kind::direct, return_address - 4 + static_cast<std::uint64_t>(offset)};
  }
  const bool blr = (word & 0xfffffc1f) == 0xd63f0000;
  const bool authenticated = (word & 0xfefff800) == 0xd63f0800;  // blraa, blrab, blraaz, blrabz
  return {blr || authenticated ? CallSite::Kind::call : CallSite::Kind::no_call, 0};
}
#else
// Length of `ff /2` with this ModRM (and SIB) byte. Source: Intel SDM, tables 2-2 and 2-3.
std::size_t indirect_length(std::uint8_t modrm, std::uint8_t sib) {
  const unsigned mod = modrm >> 6;
  const unsigned rm = modrm & 7;
  if (mod == 3) return 2;
  const std::size_t with_sib = rm == 4 ? 3 : 2;
  if (mod == 1) return with_sib + 1;
  if (mod == 2) return with_sib + 4;
  if (rm == 5) return 6;
  return rm == 4 && (sib & 7) == 5 ? 7 : with_sib;
}

// Prefixes stand before the opcode and change nothing about where the call ends.
CallSite decode(Bytes before, std::uint64_t return_address) {
  const std::size_t size = before.size();
  const auto byte = [&](std::size_t back) { return load<std::uint8_t>(before, size - back); };
  if (size >= 5 && byte(5) == 0xe8) {
    const auto offset = std::int64_t{load<std::int32_t>(before, size - 4)};
    return {CallSite::Kind::direct, return_address + static_cast<std::uint64_t>(offset)};
  }
  for (std::size_t length = 2; length <= 7 && length <= size; ++length) {
    if (byte(length) != 0xff || (byte(length - 1) & 0x38) != 0x10) continue;
    const std::uint8_t sib = length >= 3 ? byte(length - 2) : std::uint8_t{0};
    if (indirect_length(byte(length - 1), sib) == length) return {CallSite::Kind::call, 0};
  }
  return {size >= 7 ? CallSite::Kind::no_call : CallSite::Kind::unreadable, 0};
}
#endif

}  // namespace

CallSite decode_call(Bytes before, std::uint64_t return_address) {
  return decode(before, return_address);
}

std::size_t read_code(const AddressSpace& space, StackMemory& memory, std::uint64_t address,
                      std::span<std::byte> out) {
  const MappedRange* range = space.find(address);
  if (range == nullptr) return 0;
  const Bytes file = range->module == nullptr ? Bytes{} : range->module->bytes();
  const std::uint64_t offset = address - range->start + range->file_offset;
  if (offset < file.size()) {
    const std::uint64_t here = std::min(file.size() - offset, range->end - address);
    const std::size_t count = std::min<std::uint64_t>(out.size(), here);
    memcpy(out.data(), file.data() + offset, count);
    return count;
  }
  const bool used = memory.live_used();
  const std::size_t got = memory.read_bytes(address, out);
  if (!used) memory.forget_live_use();  // code does not change as a stack does
  return got;
}

CallSite call_before(const AddressSpace& space, StackMemory& memory, std::uint64_t return_address) {
  std::array<std::byte, kLongestCall> code{};
  const MappedRange* range = space.find(return_address - 1);
  if (range == nullptr) return {CallSite::Kind::no_call, 0};
  const std::uint64_t count = std::min<std::uint64_t>(kLongestCall, return_address - range->start);
  const auto out = std::span{code}.first(static_cast<std::size_t>(count));
  if (read_code(space, memory, return_address - count, out) != count) return {};
  return decode_call(out, return_address);
}

bool returns_from_signal(const AddressSpace& space, StackMemory& memory, std::uint64_t address) {
  std::array<std::byte, 9> code{};
  const std::size_t count = read_code(space, memory, address, code);
  return is_signal_return(Bytes{code}.first(count), 0);
}

}  // namespace hprof::symbolize
