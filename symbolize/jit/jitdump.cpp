// SPDX-License-Identifier: Apache-2.0
#include "symbolize/jit/jitdump.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

namespace hprof::symbolize {
namespace {

constexpr std::uint32_t kMagic = 0x4a695444;  // "JiTD" in the writer's byte order
constexpr std::uint32_t kCodeLoad = 0;
constexpr std::uint32_t kCodeMove = 1;
constexpr std::uint32_t kDebugInfo = 2;
constexpr std::uint32_t kCodeClose = 3;
// V8 adds the size of the ELF header that `perf inject` would put in front of the code.
constexpr std::uint64_t kElfHeaderShift = 0x40;

struct LineEntry {
  std::uint64_t address = 0;
  std::uint32_t line = 0;
  std::string_view file;
};

struct Code {
  std::uint64_t loaded_at = 0;
  std::uint64_t size = 0;
  std::string_view name;
  std::vector<LineEntry> lines;
};

class JitdumpReader {
 public:
  JitdumpReader(Bytes dump, std::span<const std::uint64_t> addresses)
      : dump_(dump), addresses_(addresses), owners_(addresses.size()) {}

  // magic u32, version u32, total_size u32, machine u32, pad u32, pid u32, timestamp u64, flags u64
  void read() {
    if (dump_.size() < 8) return;
    const auto order =
        load<std::uint32_t>(dump_, 0) == kMagic ? std::endian::little : std::endian::big;
    ByteReader reader{dump_, order};
    if (reader.u32() != kMagic) return;
    reader.skip(4);
    reader.seek(reader.u32());
    order_ = order;
    while (reader.ok() && read_record(reader)) {
    }
  }

  void give(std::span<Frames> out) const {
    for (std::size_t i = 0; i < addresses_.size(); ++i) {
      if (owners_[i].code == kNone) continue;
      const Code& code = codes_[owners_[i].code];
      out[i] = {frame(code, addresses_[i] - owners_[i].start + code.loaded_at)};
    }
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};
  struct Owner {
    std::size_t code = kNone;
    std::uint64_t start = 0;
  };

  // id u32, total_size u32 (this header included), timestamp u64
  bool read_record(ByteReader& reader) {
    const std::uint32_t id = reader.u32();
    const std::uint32_t size = reader.u32();
    reader.skip(8);
    if (!reader.ok() || size < 16) return false;
    ByteReader body{reader.take(size - 16), order_};
    if (!reader.ok()) return false;  // still being written
    if (id == kCodeLoad) read_load(body);
    if (id == kCodeMove) read_move(body);
    if (id == kDebugInfo) read_lines(body);
    return id != kCodeClose;
  }

  // pid u32, tid u32, vma u64, address u64, size u64, index u64, name, NUL, code
  void read_load(ByteReader& body) {
    body.skip(16);
    Code code;
    code.loaded_at = body.u64();
    code.size = body.u64();
    const std::uint64_t index = body.u64();
    code.name = body.c_string();
    if (!body.ok() || code.name.empty()) return;
    if (const auto lines = pending_lines_.find(code.loaded_at); lines != pending_lines_.end()) {
      code.lines = std::move(lines->second);
      pending_lines_.erase(lines);
      settle_lines(code);
    }
    by_index_[index] = codes_.size();
    codes_.push_back(std::move(code));
    own(codes_.size() - 1, codes_.back().loaded_at);
  }

  // pid u32, tid u32, vma u64, old address u64, new address u64, size u64, index u64
  void read_move(ByteReader& body) {
    body.skip(24);
    const std::uint64_t to = body.u64();
    body.skip(8);
    const auto code = by_index_.find(body.u64());
    if (body.ok() && code != by_index_.end()) own(code->second, to);
  }

  // address u64, count u64, {address u64, line u32, discriminator u32, file, NUL}*; comes before
  // its load. The file "\xff" is that of the entry before.
  void read_lines(ByteReader& body) {
    const std::uint64_t of = body.u64();
    const std::uint64_t count = body.u64();
    std::vector<LineEntry> lines;
    std::string_view file;
    for (std::uint64_t i = 0; i < count && body.ok(); ++i) {
      LineEntry entry;
      entry.address = body.u64();
      entry.line = body.u32();
      body.skip(4);
      const std::string_view name = body.c_string();
      if (name != "\xff") file = name;
      entry.file = file;
      if (body.ok()) lines.push_back(entry);
    }
    pending_lines_[of] = std::move(lines);
  }

  static void settle_lines(Code& code) {
    std::ranges::stable_sort(code.lines, {}, &LineEntry::address);
    const bool shifted = !code.lines.empty() &&
                         code.lines.front().address - code.loaded_at >= kElfHeaderShift &&
                         code.lines.back().address - code.loaded_at >= code.size;
    for (LineEntry& entry : code.lines) entry.address -= shifted ? kElfHeaderShift : 0;
  }

  void own(std::size_t code, std::uint64_t start) {
    auto at = std::ranges::lower_bound(addresses_, start);
    for (; at != addresses_.end() && *at - start < codes_[code].size; ++at) {
      owners_[static_cast<std::size_t>(at - addresses_.begin())] = {code, start};
    }
  }

  static Frame frame(const Code& code, std::uint64_t address) {
    Frame out;
    out.system_name = code.name;
    out.name = code.name;
    const auto after = std::ranges::upper_bound(code.lines, address, {}, &LineEntry::address);
    if (after != code.lines.begin()) {
      out.file = std::prev(after)->file;
      out.line = std::prev(after)->line;
    } else if (!code.lines.empty()) {
      out.file = code.lines.front().file;
    }
    return out;
  }

  Bytes dump_;
  std::endian order_ = std::endian::little;
  std::span<const std::uint64_t> addresses_;
  std::vector<Owner> owners_;
  std::vector<Code> codes_;
  std::map<std::uint64_t, std::size_t> by_index_;
  std::map<std::uint64_t, std::vector<LineEntry>> pending_lines_;
};

}  // namespace

void name_by_jitdump(Bytes dump, std::span<const std::uint64_t> addresses, std::span<Frames> out) {
  JitdumpReader reader{dump, addresses};
  reader.read();
  reader.give(out);
}

}  // namespace hprof::symbolize
