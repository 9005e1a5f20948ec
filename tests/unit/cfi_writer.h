// SPDX-License-Identifier: Apache-2.0
// Writes .eh_frame entries byte by byte, for tests.
#pragma once

#include "symbolize/unwind/cfi_program.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

namespace hprof::testing {

using ByteList = std::vector<std::uint8_t>;

class CfiWriter {
 public:
  static constexpr std::uint64_t kVaddr = 0x1000;

  void u8(unsigned value) { bytes.push_back(static_cast<std::byte>(value)); }
  void u32(std::uint32_t value) {
    for (int i = 0; i < 4; ++i) u8(value >> (8 * i) & 0xff);
  }
  void u64(std::uint64_t value) {
    u32(static_cast<std::uint32_t>(value));
    u32(static_cast<std::uint32_t>(value >> 32));
  }
  void list(const ByteList& values) {
    for (const std::uint8_t value : values) u8(value);
  }

  /// A CIE (code 1, data -8, return column 16) with `augmentation` and its data.
  std::uint32_t cie(std::string_view augmentation, const ByteList& data, const ByteList& program) {
    const auto at = static_cast<std::uint32_t>(bytes.size());
    begin();
    u32(0);
    u8(1);
    for (const char c : augmentation) u8(static_cast<unsigned char>(c));
    u8(0);
    list({1, 0x78, 16});
    if (augmentation.starts_with('z')) u8(static_cast<unsigned>(data.size()));
    list(data);
    list(program);
    end();
    return at;
  }
  /// An FDE with absolute addresses.
  std::uint32_t fde(std::uint32_t cie_at, std::uint64_t start, std::uint64_t size, bool augmented,
                    const ByteList& program) {
    const auto at = static_cast<std::uint32_t>(bytes.size());
    begin();
    u32(static_cast<std::uint32_t>(bytes.size()) - cie_at);
    u64(start);
    u64(size);
    if (augmented) u8(0);
    list(program);
    end();
    return at;
  }
  void begin() {
    open_ = bytes.size();
    u32(0);
  }
  void end() {
    const auto length = static_cast<std::uint32_t>(bytes.size() - open_ - 4);
    memcpy(bytes.data() + open_, &length, 4);
  }
  [[nodiscard]] symbolize::CfiSection section() const { return {.bytes = bytes, .vaddr = kVaddr}; }

  std::vector<std::byte> bytes;

 private:
  std::size_t open_ = 0;
};

/// The rows of one FDE at [0x5000, 0x5100) with `program`, behind a usual CIE (CFA rsp+8, ra c-8).
struct Compiled {
  CfiWriter writer;
  std::vector<symbolize::CfiRow> rows;
  std::uint64_t end = 0;

  explicit Compiled(const ByteList& program) {
    const std::uint32_t cie_at = writer.cie("zR", {0x00}, {0x0c, 7, 8, 0x90, 1});
    const std::uint32_t fde_at = writer.fde(cie_at, 0x5000, 0x100, true, program);
    const auto section = writer.section();
    const auto cie = symbolize::read_cie(section, cie_at);
    const auto entry = symbolize::read_cfi_entry(section, fde_at);
    if (!cie || !entry) return;
    const auto fde = symbolize::read_fde(section, *entry, *cie);
    if (!fde) return;
    end = symbolize::CfiProgram{section, *cie, *fde}.run(
        [this](const symbolize::CfiRow& row) { rows.push_back(row); });
  }
};

}  // namespace hprof::testing
