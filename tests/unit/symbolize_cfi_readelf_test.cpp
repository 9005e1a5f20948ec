// SPDX-License-Identifier: Apache-2.0
// Compiled rows of whole libraries against what readelf prints for them.
#include "symbolize/unwind/cfi_tables.h"

#include <hprof/core/base/mapped_file.h>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

using namespace hprof;             // NOLINT(google-build-using-namespace)
using namespace hprof::symbolize;  // NOLINT(google-build-using-namespace)

namespace {

constexpr std::array<std::string_view, 17> kNames{"rax", "rdx", "rcx", "rbx", "rsi", "rdi",
                                                  "rbp", "rsp", "r8",  "r9",  "r10", "r11",
                                                  "r12", "r13", "r14", "r15", "ra"};

std::size_t number_of(std::string_view name) {
  return static_cast<std::size_t>(std::ranges::find(kNames, name) - kNames.begin());
}

std::string rule_text(const RegisterRule& rule) {
  switch (rule.kind) {
    case RegisterRule::Kind::offset:
      return fmt::format("c{:+}", rule.value);
    case RegisterRule::Kind::val_offset:
      return fmt::format("v{:+}", rule.value);
    case RegisterRule::Kind::expression:
      return "exp";
    case RegisterRule::Kind::val_expression:
      return "vexp";
    case RegisterRule::Kind::reg:
      return std::string{kNames.at(static_cast<std::size_t>(rule.value))};
    case RegisterRule::Kind::same:
    case RegisterRule::Kind::undefined:
      break;
  }
  return "u";
}

/// The cell of `column` ("CFA", "rbx", "ra") of a row, as readelf writes it.
std::string cell(const UnwindRow& row, const CfiTables& tables, const std::string& column) {
  const bool cfa = column == "CFA";
  if (row.kind == UnwindRow::Kind::detailed) {
    const DetailedRow& detail = tables.detailed(row);
    if (cfa) {
      return detail.cfa.by_expression
                 ? "exp"
                 : fmt::format("{}{:+}", kNames.at(detail.cfa.reg), detail.cfa.offset);
    }
    for (const auto& [reg, rule] : detail.rules) {
      if (kNames.at(reg) == column) return rule_text(rule);
    }
    return "u";
  }
  if (row.kind == UnwindRow::Kind::root) return column == "ra" ? "u" : "any";
  if (row.kind == UnwindRow::Kind::none) return "none";
  if (cfa) return fmt::format("{}{:+}", kNames.at(row.cfa_register), row.cfa_offset);
  const int index = saved_index(number_of(column));
  if (index < 0 || (row.saved_mask >> index & 1) == 0) return "u";
  return fmt::format("c{:+}", row.saved.at(static_cast<std::size_t>(index)) * 8);
}

std::vector<std::string> words(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> out;
  for (std::string one; in >> one;) out.push_back(one);
  return out;
}

struct Verdict {
  std::size_t rows = 0;
  std::size_t differ = 0;
  std::string first;
};

Verdict compare_rows(FILE* tool, CfiTables& tables) {
  Verdict out;
  std::vector<std::string> columns;
  std::array<char, 8192> buffer{};
  bool in_fde = false;
  while (::fgets(buffer.data(), static_cast<int>(buffer.size()), tool) != nullptr) {
    const std::string line = buffer.data();
    if (line.find(" FDE ") != std::string::npos) in_fde = true;
    if (line.find(" CIE ") != std::string::npos) in_fde = false;
    const auto cells = words(line);
    if (cells.size() >= 2 && cells[0] == "LOC") {
      columns = cells;
      continue;
    }
    if (!in_fde || cells.size() != columns.size() || cells[0].size() != 16) continue;
    std::uint64_t pc = 0;
    if (std::from_chars(cells[0].data(), cells[0].data() + 16, pc, 16).ec != std::errc{}) continue;
    const UnwindRow row = tables.find(pc);
    ++out.rows;
    for (std::size_t i = 1; i < cells.size(); ++i) {
      if (columns[i] != "CFA" && number_of(columns[i]) >= kNames.size()) continue;
      const std::string own = cell(row, tables, columns[i]);
      if (own == cells[i] || own == "any") continue;
      if (out.differ++ == 0)
        out.first = fmt::format("{}: {} not {} in {}", columns[i], own, cells[i], line);
    }
  }
  return out;
}

void compare_library(const char* path) {
  if (::access(path, R_OK) != 0 || ::access("/usr/bin/readelf", X_OK) != 0) {
    MESSAGE("skipped: no readelf or no " << std::string{path});
    return;
  }
  auto file = MappedFile::open(path);
  REQUIRE(file.has_value());
  auto image = ElfImage::parse(file->bytes());
  REQUIRE(image.has_value());
  CfiTables tables{*image};
  FILE* tool =
      ::popen(fmt::format("readelf --debug-dump=frames-interp {} 2>/dev/null", path).c_str(), "r");
  REQUIRE(tool != nullptr);
  const Verdict verdict = compare_rows(tool, tables);
  ::pclose(tool);
  CAPTURE(std::string{path});
  CAPTURE(verdict.first);
  CHECK(verdict.rows > 40);
  CHECK(verdict.differ == 0);
}

}  // namespace

TEST_CASE("every row of the C and C++ libraries is the one that readelf prints") {
  compare_library("/lib/x86_64-linux-gnu/libc.so.6");
  compare_library("/lib/x86_64-linux-gnu/libm.so.6");
  compare_library("/lib64/ld-linux-x86-64.so.2");
  compare_library("/usr/lib/x86_64-linux-gnu/libstdc++.so.6");
  compare_library("/usr/lib/x86_64-linux-gnu/libcrypto.so.3");
}

TEST_CASE("every row of .debug_frame is the one that readelf prints") {
  compare_library(HPROF_SUPPORT_DIR "/unwind_debug_frame");
  compare_library(HPROF_SUPPORT_DIR "/unwind_musl_static");
}
