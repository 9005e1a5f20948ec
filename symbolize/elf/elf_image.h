// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/bytes.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hprof::symbolize {

struct ElfSection {
  std::string_view name;
  std::uint32_t type = 0;
  std::uint64_t flags = 0;
  std::uint64_t address = 0;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint32_t link = 0;
  std::uint32_t info = 0;
  std::uint64_t entry_size = 0;
};

struct ElfSegment {
  std::uint32_t type = 0;
  std::uint32_t flags = 0;
  std::uint64_t offset = 0;
  std::uint64_t address = 0;
  std::uint64_t file_size = 0;
  std::uint64_t memory_size = 0;
};

/// The headers of an ELF file, checked against its bytes. Lifetime: borrows the bytes.
/// Nothing in them is believed: ranges beyond the file yield empty bytes. Source: gABI, elf(5).
class ElfImage {
 public:
  /// Errors: malformed_input if it is no ELF file at all; broken section headers only hide
  /// sections.
  static Result<ElfImage> parse(Bytes bytes);

  [[nodiscard]] Bytes bytes() const { return bytes_; }
  [[nodiscard]] bool is_64() const { return is_64_; }
  [[nodiscard]] std::endian order() const { return order_; }
  [[nodiscard]] std::uint16_t machine() const { return machine_; }
  [[nodiscard]] std::uint16_t type() const { return type_; }
  [[nodiscard]] std::uint64_t entry() const { return entry_; }
  [[nodiscard]] std::span<const ElfSection> sections() const { return sections_; }
  [[nodiscard]] std::span<const ElfSegment> segments() const { return segments_; }

  /// The first section of that name, or nullptr.
  [[nodiscard]] const ElfSection* find_section(std::string_view name) const;
  /// The bytes of a section as they stand in the file; empty for SHT_NOBITS.
  [[nodiscard]] Bytes section_bytes(const ElfSection& section) const;
  /// The bytes of the section of that name, empty if there is none.
  [[nodiscard]] Bytes section_bytes(std::string_view name) const;

  /// The virtual address that a file offset is loaded at (PT_LOAD; executable ones first).
  [[nodiscard]] std::optional<std::uint64_t> address_of_offset(std::uint64_t offset) const;
  /// The file offset behind a virtual address.
  [[nodiscard]] std::optional<std::uint64_t> offset_of_address(std::uint64_t address) const;
  /// Bytes of the file from a virtual address to the end of its segment.
  [[nodiscard]] Bytes bytes_at_address(std::uint64_t address) const;

  /// The descriptor of the first note with this owner and type, in segments or sections.
  [[nodiscard]] Bytes note(std::string_view owner, std::uint32_t note_type) const;
  /// NT_GNU_BUILD_ID in lower-case hex, or empty.
  [[nodiscard]] std::string build_id() const;

  [[nodiscard]] ByteReader reader(Bytes bytes) const { return ByteReader{bytes, order_}; }

 private:
  ElfImage() = default;
  struct Header;
  void read_sections(const Header& header);
  void read_segments(const Header& header);
  [[nodiscard]] Bytes slice(std::uint64_t offset, std::uint64_t size) const;

  Bytes bytes_;
  bool is_64_ = true;
  std::endian order_ = std::endian::little;
  std::uint16_t machine_ = 0;
  std::uint16_t type_ = 0;
  std::uint64_t entry_ = 0;
  std::vector<ElfSection> sections_;
  std::vector<ElfSegment> segments_;
};

/// Lower-case hex of `bytes`.
std::string to_hex(Bytes bytes);

}  // namespace hprof::symbolize
