// SPDX-License-Identifier: Apache-2.0
#include "symbolize/kernel/kallsyms.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

namespace hprof::symbolize {
namespace {

struct Row {
  std::uint64_t address = 0;
  char type = 0;
  std::string_view name;
  std::string_view module;
};

std::optional<Row> parse_row(std::string_view line) {
  Row row;
  const auto [end, error] =
      std::from_chars(line.data(), line.data() + line.size(), row.address, 16);
  const auto used = static_cast<std::size_t>(end - line.data());
  if (error != std::errc{} || line.size() < used + 4 || line[used] != ' ') return std::nullopt;
  row.type = line[used + 1];
  row.name = line.substr(used + 3);
  const std::size_t tab = row.name.find('\t');
  if (tab != std::string_view::npos) {
    row.module = row.name.substr(tab + 1);
    row.name = row.name.substr(0, tab);
  }
  if (row.address == 0 || row.name.empty()) return std::nullopt;
  return row;
}

// perf's rule for the last function before a gap: to the end of the page after next.
constexpr std::uint64_t kPage = 4096;

std::uint64_t end_of(const Row& row, const Row* next) {
  const std::uint64_t rounded = (row.address + 2 * kPage - 1) / kPage * kPage;
  if (next == nullptr) return rounded;
  return next->module == row.module ? next->address : std::min(next->address, rounded);
}

bool is_code(char type) {
  return type == 't' || type == 'T' || type == 'w' || type == 'W';
}

}  // namespace

Kallsyms Kallsyms::parse(std::string text) {
  Kallsyms out;
  out.text_ = std::move(text);
  std::vector<Row> rows;
  std::string_view rest = out.text_;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (const auto row = parse_row(line); row) rows.push_back(*row);
  }
  std::ranges::stable_sort(rows, {}, &Row::address);
  for (std::size_t i = 0; i < rows.size();) {
    // Of aliases the first code symbol, as the kernel's own lookup has it.
    std::size_t next = i;
    const Row* chosen = nullptr;
    for (; next < rows.size() && rows[next].address == rows[i].address; ++next) {
      if (chosen == nullptr && is_code(rows[next].type)) chosen = &rows[next];
    }
    if (chosen != nullptr) {
      const Row* after = next < rows.size() ? &rows[next] : nullptr;
      out.by_address_.add(chosen->address, end_of(*chosen, after),
                          static_cast<std::uint32_t>(out.names_.size()));
      out.names_.push_back(chosen->name);
    }
    i = next;
  }
  out.by_address_.settle();
  return out;
}

std::string_view Kallsyms::find(std::uint64_t address) const {
  const std::uint32_t found = by_address_.find(address);
  return found == IntervalMap::kNone ? std::string_view{} : names_[found];
}

}  // namespace hprof::symbolize
