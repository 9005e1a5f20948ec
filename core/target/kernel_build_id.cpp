// SPDX-License-Identifier: Apache-2.0
#include "kernel_build_id.h"

#include <hprof/core/target/proc_fs.h>

#include <fmt/format.h>

#include <elf.h>

namespace hprof {
namespace {

constexpr std::size_t kMaxNotes = std::size_t{1} << 20;
constexpr std::uint64_t align4(std::uint64_t size) { return (size + 3) & ~std::uint64_t{3}; }

}  // namespace

// namesz u32 | descsz u32 | type u32 | name, padded to 4 | desc, padded to 4
std::string build_id_of_notes(Bytes notes) {
  ByteReader in{notes, std::endian::native};
  while (in.ok() && in.remaining() >= 12) {
    const std::uint32_t name_size = in.u32();
    const std::uint32_t size = in.u32();
    const std::uint32_t type = in.u32();
    const std::string_view name = as_text(in.take(align4(name_size)));
    const Bytes content = in.take(size);
    in.skip(std::min<std::uint64_t>(align4(size) - size, in.remaining()));
    if (!in.ok() || type != NT_GNU_BUILD_ID || !name.starts_with("GNU")) continue;
    std::string hex;
    for (const std::byte b : content) hex += fmt::format("{:02x}", to_underlying(b));
    return hex;
  }
  return {};
}

std::string kernel_build_id(const std::string& path) {
  const Result<std::string> notes = read_text_file(path, kMaxNotes);
  return notes ? build_id_of_notes(as_bytes(*notes)) : std::string{};
}

}  // namespace hprof
