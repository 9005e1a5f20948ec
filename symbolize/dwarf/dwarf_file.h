// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/dwarf/unit.h"
#include "symbolize/elf/decompress.h"

#include <map>
#include <tuple>

namespace hprof::symbolize {

/// The DWARF sections of one file. In a .dwo they have the suffix ".dwo".
struct DwarfSections {
  SectionData info, abbrev, line, str, line_str, ranges, rnglists, addr, str_offsets;
};

/// Where the parts of a unit lie in a package file (.dwp): offsets of its contributions.
struct DwpContribution {
  std::uint64_t abbrev = 0;
  std::uint64_t str_offsets = 0;
  std::uint64_t rnglists = 0;
  std::uint64_t line = 0;
};

/// The debug info of one file: its units, opened on demand. Lifetime: borrows the image's bytes.
/// Safe for several threads.
class DwarfFile {
 public:
  enum class Flavour { plain, dwo };
  /// Reads the sections (inflating them) and lists the units. nullptr if there is no debug info.
  static std::unique_ptr<DwarfFile> open(const ElfImage& image, Flavour flavour = Flavour::plain);

  [[nodiscard]] const DwarfSections& sections() const { return sections_; }
  [[nodiscard]] std::endian order() const { return order_; }
  [[nodiscard]] bool is_dwo() const { return is_dwo_; }
  [[nodiscard]] std::span<const UnitHeader> headers() const { return headers_; }
  [[nodiscard]] StringSections strings() const;

  /// The file that .gnu_debugaltlink (dwz) leads to, or nullptr. Set once, before any lookup.
  [[nodiscard]] const DwarfFile* alt() const { return alt_; }
  void set_alt(const DwarfFile* alt) { alt_ = alt; }

  /// The opened unit with this number.
  [[nodiscard]] const Unit& unit(std::uint32_t number) const;
  /// The unit that holds the entry at this offset of .debug_info, or nullptr.
  [[nodiscard]] const Unit* unit_at(std::uint64_t offset) const;
  [[nodiscard]] std::shared_ptr<const AbbrevTable> abbrevs(std::uint64_t offset,
                                                           const UnitEncoding& encoding) const;
  /// Where the unit with that header keeps its parts: all zero outside package files.
  [[nodiscard]] DwpContribution contribution(const UnitHeader& header) const;

  /// Opens the unit with that id as the other half of `skeleton`, which must outlive it. For .dwo
  /// and .dwp. nullptr if it is not here.
  [[nodiscard]] std::unique_ptr<Unit> open_split(std::uint64_t dwo_id, const Unit& skeleton) const;

 private:
  DwarfFile() = default;
  void list_units();
  void read_package_index(Bytes index);

  DwarfSections sections_;
  std::endian order_ = std::endian::little;
  bool is_dwo_ = false;
  const DwarfFile* alt_ = nullptr;
  std::vector<UnitHeader> headers_;
  std::map<std::uint64_t, DwpContribution> package_;  // by the offset of the unit in .debug_info
  mutable std::mutex mutex_;
  mutable std::map<std::uint32_t, std::unique_ptr<Unit>> units_;
  mutable std::map<std::tuple<std::uint64_t, int, int, int>, std::shared_ptr<const AbbrevTable>>
      abbrevs_;
};

}  // namespace hprof::symbolize
