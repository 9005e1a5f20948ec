// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/services/dump_engine.h>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <time.h>

namespace hprof {
namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') out += '\\';
    if (byte < 0x20) {
      out += fmt::format("\\u{:04x}", byte);
    } else {
      out += c;
    }
  }
  return out += '"';
}

/// RFC 3339 in UTC, or null.
std::string moment(std::optional<std::int64_t> wall_ns) {
  if (!wall_ns) return "null";
  const time_t seconds = *wall_ns / 1'000'000'000;
  tm parts = {};
  if (gmtime_r(&seconds, &parts) == nullptr) return "null";
  return fmt::format("\"{:%Y-%m-%dT%H:%M:%SZ}\"", parts);
}

std::string lane_json(const LaneStatus& lane) {
  return fmt::format(
      R"({{"pid": {}, "name": {}, "kind": {}, "files": {}, "joined": {}, "waiting": {}, )"
      R"("window_start": {}, "next_cut": {}, "last_file": {}, "last_error": {}}})",
      lane.pid, quoted(lane.target), quoted(lane.kind), lane.files, lane.joined, lane.waiting,
      moment(lane.window_start_ns), moment(lane.next_cut_ns), quoted(lane.last_file),
      quoted(lane.last_error));
}

}  // namespace

std::string dump_status_json(const DumpStatus& status, std::int64_t wall_ns) {
  std::string lanes;
  for (const LaneStatus& lane : status.lanes) {
    lanes += lanes.empty() ? "\n    " : ",\n    ";
    lanes += lane_json(lane);
  }
  return fmt::format(
      "{{\n  \"version\": 1,\n  \"written\": {},\n  \"folder\": {},\n  \"files_written\": {},\n"
      "  \"files_removed\": {},\n  \"last_error\": {},\n  \"lanes\": [{}]\n}}\n",
      moment(wall_ns), quoted(status.folder), status.files_written, status.files_removed,
      quoted(status.last_error), lanes);
}

}  // namespace hprof
