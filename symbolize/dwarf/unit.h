// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/dwarf/abbrev.h"
#include "symbolize/dwarf/form.h"
#include "symbolize/dwarf/line_program.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace hprof::symbolize {

class DwarfFile;
struct UnitScan;

/// A stretch of code: [low, high).
struct AddressRange {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  [[nodiscard]] bool contains(std::uint64_t address) const {
    return address >= low && address < high;
  }
};

/// Where a unit lies in .debug_info and how it is written.
struct UnitHeader {
  UnitEncoding encoding;
  std::uint64_t offset = 0;  ///< of the header
  std::uint64_t end = 0;     ///< behind the last entry
  std::uint64_t first_die = 0;
  std::uint64_t abbrev_offset = 0;
  std::uint64_t dwo_id = 0;
  std::uint8_t type = 0;  ///< DW_UT_*
};

/// Reads the header at the reader's position and moves to the next unit. nullopt: broken, the
/// reader has failed; units of an unknown version are stepped over with version 0.
std::optional<UnitHeader> read_unit_header(ByteReader& reader, std::endian order);

/// What the attributes of one entry say that a symbolizer wants to know.
struct DieFacts {
  FormValue name;
  FormValue linkage_name;
  FormValue origin;  ///< DW_AT_abstract_origin, or else DW_AT_specification
  FormValue low;
  FormValue high;
  FormValue ranges;
  std::optional<std::uint64_t> decl_file;
  std::uint32_t decl_line = 0;
  std::uint64_t call_file = 0;
  std::uint32_t call_line = 0;
  std::uint32_t call_column = 0;
};

/// One entry read: its shape, and where its attributes and the next entry start.
struct Die {
  const Abbrev* abbrev = nullptr;  ///< nullptr: the end of a list of children
  std::uint64_t offset = 0;
  std::uint64_t attributes = 0;
};

/// A unit with what is needed to read its entries. Immutable once opened, but for tables read on
/// demand under locks: safe for several threads.
class Unit {
 public:
  /// `skeleton`: the unit in the main file that this one of a .dwo or .dwp belongs to, or null.
  /// `abbrevs`: only the root's, where no other entry will be read; null: all of them.
  Unit(const DwarfFile& file, const UnitHeader& header, const Unit* skeleton,
       std::shared_ptr<const AbbrevTable> abbrevs = nullptr);

  Unit(const Unit&) = delete;
  Unit& operator=(const Unit&) = delete;
  ~Unit();

  [[nodiscard]] const UnitHeader& header() const { return header_; }
  [[nodiscard]] const DwarfFile& file() const { return file_; }
  [[nodiscard]] const AbbrevTable& abbrevs() const { return *abbrevs_; }
  [[nodiscard]] const DieFacts& root() const { return root_; }

  /// A reader of .debug_info that cannot leave this unit.
  [[nodiscard]] ByteReader reader(std::uint64_t offset) const;
  /// Reads the shape of the entry at the reader's position.
  [[nodiscard]] Die read_die(ByteReader& reader) const;
  /// Reads the attributes behind a shape; the reader is left behind them.
  [[nodiscard]] DieFacts read_facts(ByteReader& reader, const Abbrev& abbrev) const;
  /// Skips the attributes. Returns the offset of the next sibling if the entry tells it, else 0.
  std::uint64_t skip_attributes(ByteReader& reader, const Abbrev& abbrev) const;

  [[nodiscard]] std::string_view text(const FormValue& value) const;
  [[nodiscard]] std::optional<std::uint64_t> address(const FormValue& value) const;
  /// Appends the ranges of an entry, without those of dropped code.
  void ranges(const DieFacts& facts, std::vector<AddressRange>& out) const;

  /// The functions and scopes of the unit, found by one walk when first asked for.
  [[nodiscard]] const UnitScan& scan() const;

  /// The line table; its file table also numbers decl_file and call_file.
  [[nodiscard]] const LineHeader& lines() const;
  /// The path of file `number` of the unit.
  [[nodiscard]] std::string file_path(std::uint64_t number) const;
  [[nodiscard]] std::string_view comp_dir() const { return comp_dir_; }
  [[nodiscard]] std::string_view dwo_name() const { return dwo_name_; }
  [[nodiscard]] std::uint64_t dwo_id() const { return dwo_id_; }

 private:
  void read_root();
  void list_by_index(std::uint64_t index, std::vector<AddressRange>& out) const;
  void read_old_ranges(std::uint64_t offset, std::vector<AddressRange>& out) const;
  void read_rnglist(Bytes section, std::uint64_t offset, std::vector<AddressRange>& out) const;
  [[nodiscard]] std::optional<std::uint64_t> indexed_address(std::uint64_t index) const;
  [[nodiscard]] std::string_view indexed_text(std::uint64_t index) const;

  const DwarfFile& file_;
  UnitHeader header_;
  const Unit* skeleton_;
  std::shared_ptr<const AbbrevTable> abbrevs_;
  DieFacts root_;
  std::string_view comp_dir_;
  std::string_view dwo_name_;
  std::uint64_t dwo_id_ = 0;
  std::uint64_t base_address_ = 0;
  std::uint64_t addr_base_ = 0;
  std::uint64_t str_offsets_base_ = 0;
  std::uint64_t rnglists_base_ = 0;
  std::uint64_t ranges_base_ = 0;  // GNU split DWARF 4: of the skeleton, for the .dwo
  std::optional<std::uint64_t> stmt_list_;
  mutable std::once_flag lines_once_;
  mutable LineHeader lines_;
  mutable std::once_flag scan_once_;
  mutable std::unique_ptr<const UnitScan> scan_;
};

}  // namespace hprof::symbolize
