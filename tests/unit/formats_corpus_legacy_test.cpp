// SPDX-License-Identifier: Apache-2.0
// Profiles against the dumps that Go's profile.String() makes of them.
#include "corpus_judges.h"
#include "corpus_support.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

namespace hprof::test {
namespace {

/// A profile as lines, one a sample: values, frames, labels; sorted.
struct Dump {
  std::vector<std::string> samples;
  std::vector<std::string> mappings;
  std::string types;
  std::string period_type;
  std::int64_t period = 0;
  bool has_names = false;
};

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// "M=1 name file:line:col s=0", "M=1 ", ""
std::string frame_of(std::string_view text, bool& has_names) {
  text = trim(text);
  if (text.starts_with("M=")) text = trim(text.substr(std::min(text.find(' '), text.size())));
  if (text.empty()) return {};
  has_names = true;
  text = trim(text.substr(0, text.rfind(" s=")));
  const std::size_t blank = text.rfind(' ');
  std::string_view where = text.substr(blank + 1);
  where = where.substr(0, where.rfind(':'));  // the column
  return fmt::format("{} {}", trim(text.substr(0, blank)), where);
}

Dump parse_dump(const std::string& text) {
  struct Row {
    std::string values;
    std::vector<std::string> ids;
    std::vector<std::string> labels;
  };
  Dump dump;
  std::vector<Row> rows;
  std::map<std::string, std::string> locations;
  std::map<std::string, std::string> files;
  std::istringstream lines{text};
  std::string section;
  std::vector<std::pair<std::string, std::string>> location_lines;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("PeriodType: ")) dump.period_type = line.substr(12);
    if (line.starts_with("Period: ")) dump.period = std::stoll(line.substr(8));
    if (line == "Samples:" || line == "Locations" || line == "Mappings") {
      section = line;
      if (section == "Samples:" && std::getline(lines, dump.types)) dump.types = trim(dump.types);
      continue;
    }
    const std::size_t colon = line.find(": ");
    if (section == "Samples:") {
      if (line.starts_with("                ")) {
        rows.back().labels.emplace_back(trim(line));
        continue;
      }
      Row row;
      std::istringstream values{line.substr(0, line.find(':'))};
      for (std::string v; values >> v;) row.values += v + " ";
      std::istringstream ids{line.substr(line.find(':') + 1)};
      for (std::string id; ids >> id;) row.ids.push_back(id);
      rows.push_back(std::move(row));
    } else if (section == "Locations" && colon != std::string::npos && line.find(": 0x") == colon) {
      location_lines.emplace_back(trim(line.substr(0, colon)), line.substr(colon + 2));
    } else if (section == "Locations" && !location_lines.empty()) {
      location_lines.back().second += "\n" + line;  // a frame this one was inlined into
    } else if (section == "Mappings" && colon != std::string::npos) {
      dump.mappings.emplace_back(trim(line.substr(colon + 2)));
    }
  }
  for (const auto& [id, rest] : location_lines) {
    std::istringstream parts{rest};
    std::string first;
    std::getline(parts, first);
    const std::size_t blank = std::min(first.find(' '), first.size());
    std::string shown = first.substr(0, blank) + "{" + frame_of(std::string_view{first}.substr(blank), dump.has_names);
    for (std::string more; std::getline(parts, more);) shown += "<-" + frame_of(more, dump.has_names);
    locations[id] = shown + "}";
  }
  for (Row& row : rows) {
    std::ranges::sort(row.labels);
    std::string sample = row.values + "|";
    for (const std::string& id : row.ids) sample += " " + locations[id];
    for (const std::string& label : row.labels) sample += " " + label;
    dump.samples.push_back(std::move(sample));
  }
  std::ranges::sort(dump.samples);
  return dump;
}

Dump dump_of(const Profile& p, bool names) {
  Dump dump;
  for (const ValueType& type : p.sample_types()) {
    dump.types += fmt::format("{}{}/{}", dump.types.empty() ? "" : " ", p.string(type.type), p.string(type.unit));
  }
  dump.period = p.header.period;
  dump.period_type = fmt::format("{} {}", p.string(p.header.period_type.type), p.string(p.header.period_type.unit));
  std::vector<LocationId> stack;
  for (std::uint32_t row = 0; row < p.sample_count(); ++row) {
    std::string sample;
    for (std::size_t t = 0; t < p.sample_types().size(); ++t) sample += fmt::format("{} ", p.value(t, row));
    sample += "|";
    p.stack_leaf_first(p.sample_stack(row), stack);
    for (const LocationId id : stack) {
      sample += fmt::format(" {:#x}{{", p.location(id).address);
      const auto lines = p.lines(id);
      for (std::size_t i = 0; names && i < lines.size(); ++i) {
        const Function& f = p.function(lines[i].function);
        sample += fmt::format("{}{} {}:{}", i == 0 ? "" : "<-", p.string(f.name), p.string(f.filename), lines[i].line);
      }
      sample += "}";
    }
    std::vector<std::string> labels;
    for (const Label& l : p.labels(p.sample_labels(row))) {
      labels.push_back(l.is_number ? fmt::format("{}:[{}]", p.string(l.key), l.number)
                                   : fmt::format("{}:[{}]", p.string(l.key), p.string(l.text)));
    }
    std::ranges::sort(labels);
    for (const std::string& label : labels) sample += " " + label;
    dump.samples.push_back(std::move(sample));
  }
  std::ranges::sort(dump.samples);
  for (MappingId id = 1; id <= p.mapping_count(); ++id) {
    const Mapping& m = p.mapping(id);
    dump.mappings.push_back(std::string{trim(fmt::format("{:#x}/{:#x}/{:#x} {} {}", m.start, m.limit, m.file_offset,
                                                         p.string(m.filename), p.string(m.build_id)))});
  }
  return dump;
}

}  // namespace

std::string compare_with_dump(const Profile& profile, const std::string& text) {
  Dump expected = parse_dump(text);
  const Dump found = dump_of(profile, expected.has_names);
  if (expected.types.find("[dflt]") != std::string::npos) {
    expected.types.erase(expected.types.find("[dflt]"), 6);
  }
  if (expected.types != found.types) return fmt::format("types {}, not {}", found.types, expected.types);
  if (expected.period != found.period) return fmt::format("period {}, not {}", found.period, expected.period);
  if (!expected.period_type.empty() && trim(expected.period_type) != trim(found.period_type)) {
    return fmt::format("period type {}, not {}", found.period_type, expected.period_type);
  }
  if (expected.samples.size() != found.samples.size()) {
    return fmt::format("{} samples, not {}", found.samples.size(), expected.samples.size());
  }
  for (std::size_t i = 0; i < found.samples.size(); ++i) {
    if (found.samples[i] == expected.samples[i]) continue;
    return fmt::format("sample\n      {}\n  not {}", found.samples[i].substr(0, 400), expected.samples[i].substr(0, 400));
  }
  // Where nothing is mapped the dump has one mapping for everything; here there is none.
  std::erase(expected.mappings, "0x0/0xffffffffffffffff/0x0");
  if (expected.mappings != found.mappings) {
    return fmt::format("mappings: {} and {}, first {} and {}", found.mappings.size(), expected.mappings.size(),
                       found.mappings.empty() ? "-" : found.mappings[0],
                       expected.mappings.empty() ? "-" : expected.mappings[0]);
  }
  return {};
}

Verdict judge_with_dump(const std::filesystem::path& input, const std::filesystem::path& dump) {
  auto profile = read_any(input);
  if (input.filename() == "jemalloc.heap") {
    // The dump's maker forgets the last stack before the memory map.
    std::string text = read_file(input);
    const std::size_t map = text.find("\nMAPPED_LIBRARIES");
    const std::size_t last = text.rfind("\n@", map);
    text.erase(last + 1, map - last);
    MemorySource source{as_bytes(text)};
    profile = formats::read_profile(source, "", nullptr, {});
  }
  if (!profile) return {Outcome::failed, profile.error().message};
  const std::string wrong = compare_with_dump(*profile, read_file(dump));
  return {wrong.empty() ? Outcome::passed : Outcome::failed, wrong};
}

}  // namespace hprof::test
