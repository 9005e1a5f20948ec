// SPDX-License-Identifier: Apache-2.0
#include "call_graph.h"
#include "losses.h"
#include "table_writers.h"
#include "text_output.h"

#include <algorithm>

namespace hprof::formats {
namespace {

void put_field(TextOutput& out, std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return out.put(text);
  out.put('"');
  for (const char c : text) {
    if (c == '"') out.put('"');
    out.put(c);
  }
  out.put('"');
}

bool has_value(const std::vector<CallGraph>& graphs, NameId id) {
  return std::ranges::any_of(graphs, [&](const CallGraph& graph) {
    return graph.nodes()[id].flat != 0 || graph.nodes()[id].cum != 0;
  });
}

}  // namespace

Result<void> write_csv(const Profile& profile, ByteSink& sink, const WriteOptions& options) {
  const FrameNames names{profile, options.short_names};
  std::vector<CallGraph> graphs;
  TextOutput out{sink};
  out.put("function,module,file");
  for (std::size_t type = 0; type < profile.sample_types().size(); ++type) {
    graphs.push_back(CallGraph::build(profile, names, type));
    out.put(',');
    put_field(out, type_text(profile, type) + " flat");
    out.put(',');
    put_field(out, type_text(profile, type) + " cum");
  }
  out.put("\r\n");
  for (NameId id = 0; id < names.size(); ++id) {
    if (!has_value(graphs, id)) continue;
    put_field(out, names.name(id));
    out.put(',');
    put_field(out, module_of(profile, names, id));
    out.put(',');
    put_field(out, profile.string(profile.function(names.sample_function(id)).filename));
    for (const CallGraph& graph : graphs) {
      out.format(",{},{}", graph.nodes()[id].flat, graph.nodes()[id].cum);
    }
    out.put("\r\n");
  }
  return out.finish();
}

}  // namespace hprof::formats
