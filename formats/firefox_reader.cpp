// SPDX-License-Identifier: Apache-2.0
#include "firefox_thread.h"
#include "json_document.h"
#include "json_readers.h"

#include <fmt/format.h>

namespace hprof::formats {
namespace {

class Reader {
 public:
  explicit Reader(JsonElement root) : root_(root) {
    p_.add_sample_type("samples", "count");
    p_.add_sample_type("wall", "nanoseconds");
  }

  Result<Profile> run() {
    std::vector<JsonElement> processes = {root_};
    bool any = false;
    // Gecko nests the profiles of other processes in "processes", a few levels at most.
    for (std::size_t i = 0; i < processes.size(); ++i) {
      const JsonElement process = processes[i];
      for (const JsonElement inner : json_array(process, "processes")) processes.push_back(inner);
      HPROF_TRY(one_process(process, any));
    }
    if (!any) return Error{ErrorKind::malformed_input, "firefox: no threads", {}};
    const JsonElement meta = json_member(root_, "meta");
    p_.header.time_nanos = round_number(json_number(meta, "startTime") * 1e6);
    p_.header.period = round_number(json_number(meta, "interval") * 1e6);
    p_.header.period_type = {p_.intern("wall"), p_.intern("nanoseconds")};
    return std::move(p_);
  }

 private:
  Result<void> one_process(JsonElement process, bool& any) {
    const JsonElement meta = json_member(process, "meta");
    const double interval_ms = json_number(meta, "interval", 1);
    for (const JsonElement thread : json_array(process, "threads")) {
      // Very old versions hold each thread as JSON in a string; those are not read.
      if (!thread.is_object()) continue;
      any = true;
      const JsonElement shared = json_has(process, "shared") ? json_member(process, "shared") : thread;
      // Tables of rows carry a schema; the web page's have a list for each column.
      const bool has_rows = json_has(json_member(thread, "samples"), "schema");
      HPROF_TRY(has_rows ? add_gecko_thread(p_, thread, interval_ms)
                         : add_processed_thread(p_, thread, shared, interval_ms));
    }
    return {};
  }

  JsonElement root_;
  Profile p_;
};

}  // namespace

Sniff sniff_firefox(const SniffInput& input) {
  const std::string_view head = as_text(input.head);
  if (!head_is_json(head)) return Sniff::no;
  if (head_has_key(head, "preprocessedProfileVersion")) return Sniff::magic;
  const bool meta = head_has_key(head, "meta") && head_has_key(head, "interval");
  const bool libs = head_has_key(head, "libs") &&
                    (head_has_key(head, "breakpadId") || head_has_key(head, "threads"));
  return meta || libs ? (head_has_key(head, "traceEvents") ? Sniff::no : Sniff::likely) : Sniff::no;
}

Result<Profile> read_firefox(ByteSource& source, const ReadOptions& options) {
  HPROF_ASSIGN(const JsonDocument document, JsonDocument::read(source, options, "firefox"));
  JsonElement root = document.root();
  if (!json_has(root, "threads") && json_has(root, "profile")) root = json_member(root, "profile");
  return Reader{root}.run();
}

}  // namespace hprof::formats
