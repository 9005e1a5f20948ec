// SPDX-License-Identifier: Apache-2.0
// perf.data files against the build-id lists and record dumps of quipper, and against their twins.
#include "corpus_judges.h"
#include "corpus_support.h"
#include "formats/perf_data.h"

#include <fmt/format.h>

#include <set>
#include <sstream>

namespace hprof::test {
namespace {

namespace fs = std::filesystem;

struct Reading {
  Profile profile;
  formats::PerfDataFacts facts;
};

Result<Reading> read(const fs::path& path, bool recover) {
  const std::string bytes = read_file(path);
  MemorySource source{as_bytes(bytes), 10007};
  Reading reading;
  HPROF_ASSIGN(reading.profile, formats::read_perf_data(source, {.recover = recover}, &reading.facts));
  return reading;
}

std::size_t count_of(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++count;
  return count;
}

// "BUILDID NAME" lines.
std::string compare_build_ids(const fs::path& expected, const formats::PerfDataFacts& facts) {
  std::istringstream lines{read_file(expected)};
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line);) {
    ++count;
    const std::string id = line.substr(0, line.find(' '));
    if (line.find_first_not_of(' ') > 20) continue;  // a file listed without a build id
    const std::string name = line.substr(line.find(' ') + 1);
    const auto found = facts.features.build_ids.find(name);
    // quipper pads to 20 bytes with zeros.
    if (found == facts.features.build_ids.end()) return "no build id for " + name;
    if (!id.starts_with(found->second) && !found->second.starts_with(id)) {
      return fmt::format("build id of {} is {}, not {}", name, found->second, id);
    }
  }
  return count == 0 ? "empty build-id list" : "";
}

}  // namespace

Verdict judge_perf_data(const fs::path& root, const std::string& name) {
  const fs::path path = root / name;
  const std::string file = path.filename().string();
  const std::string stem = file.ends_with(".gz") ? file.substr(0, file.size() - 3) : file;
  auto reading = read(path, false);
  if (stem.find("corrupted") != std::string::npos) {
    if (reading) return {Outcome::failed, "a corrupted file was read"};
    if (reading.error().kind != ErrorKind::malformed_input) return {Outcome::failed, reading.error().message};
    const auto recovered = read(path, true);
    if (!recovered) return {Outcome::failed, "with --recover: " + recovered.error().message};
    const bool counted = recovered->facts.bad_records > 0;
    return {counted ? Outcome::passed : Outcome::failed, "the loss was not counted"};
  }
  if (!reading) return {Outcome::failed, reading.error().message};
  if (reading->facts.bad_records != 0) {
    return {Outcome::failed, fmt::format("{} records could not be read", reading->facts.bad_records)};
  }
  const fs::path ids = path.parent_path() / (stem + ".buildids");
  if (fs::exists(ids)) {
    const std::string wrong = compare_build_ids(ids, reading->facts);
    if (!wrong.empty()) return {Outcome::failed, wrong};
  }
  const fs::path dump = path.parent_path() / (stem + ".expected.pb_text.gz");
  if (fs::exists(dump)) {
    const std::size_t samples = count_of(read_file(dump), "\n  sample_event {");
    if (samples != reading->facts.samples) {
      return {Outcome::failed, fmt::format("{} samples, not {}", reading->facts.samples, samples)};
    }
  }
  if (stem == "sleep.compressed.data") {
    const auto plain = read(path.parent_path() / "sleep.data", false);
    if (!plain || plain->facts.samples == 0) return {Outcome::failed, "the plain twin has no samples"};
  }
  if (reading->facts.samples == 0 && reading->profile.sample_count() != 0) return {Outcome::failed, "rows without samples"};
  return {};
}

}  // namespace hprof::test
