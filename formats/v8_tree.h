// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "id_map.h"
#include "json_document.h"

#include <vector>

namespace hprof::formats {

/// The call tree of V8's CPU and heap profiles as stacks of a profile. Nodes have ids of their own.
class V8Tree {
 public:
  V8Tree(Profile& profile, std::string_view format) : p_(profile), format_(format) {}

  /// "nodes": a flat list whose nodes name their children, or their parent.
  Result<void> add_flat(const std::vector<JsonElement>& nodes);
  /// "head": nodes nested in "children".
  Result<void> add_nested(JsonElement head);

  struct Node {
    JsonElement json;
    std::uint64_t id = 0;
    StackId stack = 0;
  };
  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
  /// Errors: malformed_input for an id that no node has.
  Result<StackId> stack_of(std::uint64_t id) const;

 private:
  void add(JsonElement json, std::uint64_t id, StackId parent, bool is_root);

  Profile& p_;
  std::string_view format_;
  std::vector<Node> nodes_;
  std::unordered_map<std::uint64_t, std::uint32_t> rows_;
};

}  // namespace hprof::formats
