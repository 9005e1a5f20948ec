// SPDX-License-Identifier: Apache-2.0
#include "symbolize/dwarf/line_program.h"

#include <dwarf.h>

namespace hprof::symbolize {
namespace {

constexpr std::size_t kMaxFiles = 1 << 20;

std::string_view text_of(const FormValue& value, const StringSections& strings) {
  const auto at = [&](Bytes section) {
    if (value.value >= section.size()) return std::string_view{};
    return ByteReader{section.subspan(value.value)}.c_string();
  };
  switch (value.kind) {
    case FormClass::text:
      return value.text;
    case FormClass::str_offset:
      return at(strings.str);
    case FormClass::line_str_offset:
      return at(strings.line_str);
    case FormClass::alt_str_offset:
      return at(strings.alt_str);
    default:
      return {};
  }
}

// DWARF 2-4: directories: strings up to an empty one; files: {name, directory uleb, time uleb,
// size uleb} up to an empty name. Directory 0 is the compilation directory.
void read_old_tables(ByteReader& r, LineHeader& out) {
  out.directories.emplace_back();
  for (std::string_view d = r.c_string(); !d.empty(); d = r.c_string())
    out.directories.push_back(d);
  out.files.emplace_back();
  for (std::string_view f = r.c_string(); !f.empty(); f = r.c_string()) {
    out.files.push_back({f, r.uleb()});
    r.uleb();
    r.uleb();
  }
}

// DWARF 5: format count u8, {content uleb, form uleb}*, count uleb, entries of these forms
template <typename Add>
void read_entries(ByteReader& r, const UnitEncoding& encoding, const StringSections& strings,
                  Add&& add) {
  std::vector<std::pair<std::uint64_t, AttributeSpec>> format(r.u8());
  for (auto& [content, spec] : format) {
    content = r.uleb();
    spec.form = static_cast<std::uint16_t>(r.uleb());
  }
  const std::uint64_t count = r.uleb();
  for (std::uint64_t i = 0; i < count && i < kMaxFiles && r.ok() && !format.empty(); ++i) {
    LineHeader::File file;
    const std::size_t before = r.position();
    for (const auto& [content, spec] : format) {
      const FormValue value = read_form(r, spec, encoding, 0);
      if (content == DW_LNCT_path) file.name = text_of(value, strings);
      if (content == DW_LNCT_directory_index) file.directory = value.value;
    }
    if (!r.ok() || r.position() == before) return;
    add(file);
  }
}

}  // namespace

// unit_length, version u16, [address_size u8, segment_size u8 from 5 on], header_length,
// minimum_instruction_length u8, [maximum_operations u8 from 4 on], default_is_stmt u8, line_base
// i8, line_range u8, opcode_base u8, opcode lengths, directories, files, program
LineHeader LineHeader::parse(Bytes section, std::uint64_t offset, const UnitEncoding& unit,
                             const StringSections& strings) {
  LineHeader out;
  ByteReader start{section, unit.order};
  start.seek(offset);
  UnitEncoding e = unit;
  std::uint64_t length = start.u32();
  e.offset_size = 4;
  if (length == 0xffffffff) {
    length = start.u64();
    e.offset_size = 8;
  }
  if (!start.ok()) return out;
  length = std::min<std::uint64_t>(length, start.remaining());
  ByteReader r{start.take(length), unit.order};
  e.version = r.u16();
  if (e.version >= 5) {
    e.address_size = r.u8();
    r.skip(1);
  }
  const std::uint64_t header_length = read_sized(r, e.offset_size);
  if (!r.ok() || e.version < 2 || e.version > 5 || header_length > r.remaining()) return out;
  const std::size_t program_at = r.position() + static_cast<std::size_t>(header_length);
  out.encoding = e;
  out.min_instruction = r.u8();
  if (e.version >= 4) r.skip(1);
  r.skip(1);
  out.line_base = static_cast<std::int8_t>(r.u8());
  out.line_range = r.u8();
  out.opcode_base = r.u8();
  for (unsigned i = 1; i < out.opcode_base; ++i) out.opcode_lengths.push_back(r.u8());
  if (e.version >= 5) {
    read_entries(r, e, strings, [&](const File& f) { out.directories.push_back(f.name); });
    read_entries(r, e, strings, [&](const File& f) { out.files.push_back(f); });
  } else {
    read_old_tables(r, out);
  }
  ByteReader tail{section.subspan(start.position() - length, length), unit.order};
  tail.seek(program_at);
  out.program = tail.take(tail.remaining());
  return out;
}

std::string LineHeader::file_path(std::uint64_t file, std::string_view comp_dir) const {
  if (file >= files.size() || files[file].name.empty()) return {};
  std::string path(files[file].name);
  const auto prepend = [&path](std::string_view directory) {
    if (path.starts_with('/') || directory.empty()) return;
    path = directory.ends_with('/') ? std::string(directory) + path
                                    : std::string(directory) + "/" + path;
  };
  const std::uint64_t directory = files[file].directory;
  if (directory < directories.size()) prepend(directories[directory]);
  prepend(comp_dir);
  return path;
}

}  // namespace hprof::symbolize
