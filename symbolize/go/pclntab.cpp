// SPDX-License-Identifier: Apache-2.0
#include "symbolize/go/pclntab.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hprof::symbolize {
namespace {

constexpr std::size_t kMaxPairs = 1U << 20;
constexpr std::size_t kMaxName = 1U << 16;

struct Magic {
  std::uint32_t value;
  PclntabLayout layout;
};
constexpr std::array kMagics{
    Magic{0xfffffffb, PclntabLayout::go1_2}, Magic{0xfffffffa, PclntabLayout::go1_16},
    Magic{0xfffffff0, PclntabLayout::go1_18}, Magic{0xfffffff1, PclntabLayout::go1_20}};

const Magic* magic_of(Bytes table) {
  const auto value = load<std::uint32_t>(table, 0);
  const auto* found = std::ranges::find(kMagics, value, &Magic::value);
  return found == kMagics.end() ? nullptr : found;
}

Bytes from(Bytes bytes, std::uint64_t offset) {
  return offset <= bytes.size() ? bytes.subspan(static_cast<std::size_t>(offset)) : Bytes{};
}

std::string_view string_at(Bytes bytes, std::uint64_t offset) {
  // A name is searched for its end only so far: a damaged table has none for megabytes.
  Bytes tail = from(bytes, offset);
  ByteReader reader{tail.first(std::min(tail.size(), kMaxName))};
  return reader.c_string();
}

Error malformed(std::string_view why) {
  return Error{ErrorKind::malformed_input, fmt::format("pclntab: {}", why), {}};
}

}  // namespace

bool Pclntab::looks_like(Bytes table) {
  if (table.size() < 64 || magic_of(table) == nullptr) return false;
  const auto quantum = load<std::uint8_t>(table, 6);
  return load<std::uint16_t>(table, 4) == 0 && (quantum == 1 || quantum == 2 || quantum == 4) &&
         load<std::uint8_t>(table, 7) == 8;
}

// header := magic u32, 0 u16, quantum u8, pointer size u8, then words:
//   1.2:   nfunc, functab
//   1.16:  nfunc nfiles funcnametab cutab filetab pctab functab
//   1.18:  nfunc nfiles textStart funcnametab cutab filetab pctab functab
// functab := (pc, record) * nfunc, end pc        u64 up to 1.17, u32 from 1.18
Result<void> Pclntab::read_header(Bytes table, std::uint64_t text_start) {
  layout_ = magic_of(table)->layout;
  quantum_ = load<std::uint8_t>(table, 6);
  const auto word = [&](std::size_t index) { return load<std::uint64_t>(table, 8 + index * 8); };
  const std::uint64_t count = word(0);
  if (layout_ == PclntabLayout::go1_2) {
    names_ = values_ = files_ = table;
    functions_ = from(table, 16);
  } else {
    const std::size_t first = layout_ == PclntabLayout::go1_16 ? 2 : 3;
    names_ = from(table, word(first));
    units_ = from(table, word(first + 1));
    files_ = from(table, word(first + 2));
    values_ = from(table, word(first + 3));
    functions_ = from(table, word(first + 4));
    misaligned_ = word(first + 4) % 8;
    // Up to 1.17 pcs are absolute. From 1.26 on the header's word is always 0.
    if (first == 3) text_start_ = text_start != 0 ? text_start : word(2);
  }
  const std::size_t width = layout_ <= PclntabLayout::go1_16 ? 8 : 4;
  if (count == 0 || count > functions_.size() / (2 * width)) {
    return malformed(fmt::format("claims {} functions in {} bytes", count, functions_.size()));
  }
  function_count_ = static_cast<std::uint32_t>(count);
  return {};
}

// A real table is in order everywhere; a look at some entries tells it from a chance match.
Result<void> Pclntab::check_order() const {
  const std::uint32_t step = std::max(1U, function_count_ / 64);
  std::uint64_t last = 0;
  for (std::uint64_t i = 0; i <= function_count_; i += step) {
    const std::uint64_t pc = entry(static_cast<std::uint32_t>(i)).pc;
    if (i != 0 && pc <= last) return malformed(fmt::format("function {} is out of order", i));
    last = pc;
  }
  return {};
}

Result<Pclntab> Pclntab::parse(Bytes table, std::uint64_t text_start) {
  if (!looks_like(table)) return malformed("no known magic");
  Pclntab out;
  HPROF_TRY(out.read_header(table, text_start));
  HPROF_TRY(out.check_order());
  return out;
}

Pclntab::Entry Pclntab::entry(std::uint32_t index) const {
  const std::size_t at = std::size_t{index} * 2;
  if (layout_ <= PclntabLayout::go1_16) {
    std::uint64_t record = load<std::uint64_t>(functions_, (at + 1) * 8);
    // Up to 1.15 a record's offset counts from the header, 16 bytes before functab.
    if (layout_ == PclntabLayout::go1_2) record = record < 16 ? ~std::uint64_t{0} : record - 16;
    return {load<std::uint64_t>(functions_, at * 8), record};
  }
  return {text_start_ + load<std::uint32_t>(functions_, at * 4),
          load<std::uint32_t>(functions_, (at + 1) * 4)};
}

std::uint64_t Pclntab::text_end() const {
  return entry(function_count_).pc;
}

std::optional<GoFunction> Pclntab::find(std::uint64_t pc) const {
  std::uint32_t low = 0;
  std::uint32_t high = function_count_;
  if (pc < entry(0).pc || pc >= text_end()) return std::nullopt;
  while (high - low > 1) {
    const std::uint32_t middle = low + (high - low) / 2;
    (entry(middle).pc <= pc ? low : high) = middle;
  }
  return function(low);
}

// _func := entry (u64 up to 1.17, else u32), nameoff, args, deferreturn, pcsp, pcfile, pcln,
//   npcdata, [cuOffset 1.16+], [startLine 1.20+], funcID u8, flag u8, pad u8, nfuncdata u8
//   (up to 1.15: funcID, 2 pad, nfuncdata)
std::optional<GoFunction> Pclntab::function(std::uint32_t index) const {
  if (index >= function_count_) return std::nullopt;
  const Entry at = entry(index);
  if (at.record >= functions_.size()) return std::nullopt;
  ByteReader reader{functions_};
  reader.seek(at.record);
  GoFunction out;
  out.entry = at.pc;
  out.end = entry(index + 1).pc;
  out.record = at.record;
  reader.skip(layout_ <= PclntabLayout::go1_16 ? 8 : 4);
  out.name = reader.read<std::int32_t>();
  reader.skip(8);
  out.pcsp = reader.u32();
  out.pcfile = reader.u32();
  out.pcln = reader.u32();
  out.npcdata = reader.u32();
  if (layout_ != PclntabLayout::go1_2) out.cu_offset = reader.u32();
  if (layout_ == PclntabLayout::go1_20) out.start_line = reader.read<std::int32_t>();
  out.func_id = reader.u8();
  out.flags = reader.u8();
  reader.skip(1);
  out.nfuncdata = reader.u8();
  if (!reader.ok() || out.end <= out.entry) return std::nullopt;
  return out;
}

std::string_view Pclntab::name(std::int32_t name_offset) const {
  if (name_offset < 0) return {};
  return string_at(names_, static_cast<std::uint64_t>(name_offset));
}

// pcvalue := (zig-zag value delta, pc delta / quantum)*, 0; the value starts at -1
std::optional<PcValue> Pclntab::pc_value(const GoFunction& function, std::uint32_t offset,
                                         std::uint64_t pc) const {
  if (offset == 0 || offset >= values_.size()) return std::nullopt;
  ByteReader reader{from(values_, offset)};
  std::uint64_t at = function.entry;
  std::uint32_t value = ~std::uint32_t{0};
  for (std::size_t i = 0; i < kMaxPairs; ++i) {
    const auto delta = static_cast<std::uint32_t>(reader.uleb());
    if (delta == 0 && i != 0) return std::nullopt;
    value += (delta >> 1) ^ (~(delta & 1) + 1);
    at += reader.uleb() * quantum_;
    if (!reader.ok()) return std::nullopt;
    if (pc < at) return PcValue{static_cast<std::int32_t>(value), at};
  }
  return std::nullopt;
}

std::uint64_t Pclntab::after_record(const GoFunction& function) const {
  switch (layout_) {
    case PclntabLayout::go1_2:
      return function.record + 40;
    case PclntabLayout::go1_16:
      return function.record + 44;
    case PclntabLayout::go1_18:
      return function.record + 40;
    case PclntabLayout::go1_20:
      return function.record + 44;
  }
  return function.record;
}

std::uint32_t Pclntab::pcdata(const GoFunction& function, std::uint32_t index) const {
  if (index >= function.npcdata) return 0;
  return load<std::uint32_t>(
      functions_, static_cast<std::size_t>(after_record(function) + std::uint64_t{index} * 4));
}

std::optional<std::uint64_t> Pclntab::funcdata(const GoFunction& function,
                                               std::uint32_t index) const {
  if (index >= function.nfuncdata) return std::nullopt;
  std::uint64_t at = after_record(function) + std::uint64_t{function.npcdata} * 4;
  if (layout_ >= PclntabLayout::go1_18) {
    const auto value = load<std::uint32_t>(functions_, static_cast<std::size_t>(at + index * 4));
    if (value == ~std::uint32_t{0}) return std::nullopt;
    return value;
  }
  // Pointers are aligned in memory, as the start of the whole table is.
  at = (at + misaligned_ + 7) / 8 * 8 - misaligned_;
  const auto value = load<std::uint64_t>(functions_, static_cast<std::size_t>(at + index * 8));
  if (value == 0) return std::nullopt;
  return value;
}

std::string_view Pclntab::file(const GoFunction& function, std::int32_t file_number) const {
  if (file_number < 0) return {};
  if (layout_ == PclntabLayout::go1_2) {
    // The file table follows functab: an offset for each number, from the table's start.
    const std::uint64_t tail = std::uint64_t{function_count_} * 16 + 8;
    const auto table = load<std::uint32_t>(functions_, static_cast<std::size_t>(tail));
    const auto offset = load<std::uint32_t>(
        files_, static_cast<std::size_t>(table + static_cast<std::uint64_t>(file_number) * 4));
    return offset == 0 ? std::string_view{} : string_at(files_, offset);
  }
  const std::uint64_t index =
      std::uint64_t{function.cu_offset} + static_cast<std::uint64_t>(file_number);
  if (index >= units_.size() / 4) return {};
  const auto offset = load<std::uint32_t>(units_, static_cast<std::size_t>(index * 4));
  return offset == ~std::uint32_t{0} ? std::string_view{} : string_at(files_, offset);
}

}  // namespace hprof::symbolize
