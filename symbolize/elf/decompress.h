// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/elf/elf_image.h"

#include <vector>

namespace hprof::symbolize {

/// What one compressed stretch may grow to; more is refused as malformed_input.
inline constexpr std::uint64_t kMaxInflatedBytes = std::uint64_t{8} << 30;

/// Inflates a zlib stream of exactly `size` bytes. Errors: malformed_input.
Result<std::vector<std::byte>> inflate_zlib(Bytes in, std::uint64_t size);
/// Inflates zstd frames of exactly `size` bytes in all. Errors: malformed_input.
Result<std::vector<std::byte>> inflate_zstd(Bytes in, std::uint64_t size);
/// Inflates an .xz file of any size up to `limit`. Errors: malformed_input.
Result<std::vector<std::byte>> inflate_xz(Bytes in, std::uint64_t limit);

/// The content of a section: a view of the file, or an inflated copy.
class SectionData {
 public:
  SectionData() = default;
  explicit SectionData(Bytes view) : view_(view) {}
  explicit SectionData(std::vector<std::byte> owned) : owned_(std::move(owned)), view_(owned_) {}
  SectionData(SectionData&& other) noexcept = default;
  SectionData& operator=(SectionData&& other) noexcept = default;
  SectionData(const SectionData&) = delete;
  SectionData& operator=(const SectionData&) = delete;
  ~SectionData() = default;

  [[nodiscard]] Bytes bytes() const { return view_; }

 private:
  std::vector<std::byte> owned_;  // moves keep its heap block, so view_ stays right
  Bytes view_;
};

/// The content of section `name` (".debug_info"), inflated where SHF_COMPRESSED says so or where
/// only its old form ".zdebug_info" is there; empty if absent. Errors: malformed_input.
Result<SectionData> read_section(const ElfImage& image, std::string_view name);

}  // namespace hprof::symbolize
