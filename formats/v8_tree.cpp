// SPDX-License-Identifier: Apache-2.0
#include "v8_tree.h"

#include "named_location.h"

#include <fmt/format.h>

#include <utility>

namespace hprof::formats {
namespace {

constexpr std::uint64_t kNoId = ~std::uint64_t{0};

// Newer files have a callFrame with 0-based lines, older ones the fields in the node, 1-based.
NamedFrame frame_of(JsonElement node) {
  const JsonElement call = json_member(node, "callFrame");
  const bool is_new = !is_null(call);
  const JsonElement from = is_new ? call : node;
  const double base = is_new ? 1 : 0;
  NamedFrame frame;
  frame.name = json_text(from, "functionName");
  if (frame.name.empty()) frame.name = "(anonymous)";
  frame.file = json_text(from, "url");
  const double line = json_number(from, "lineNumber", -base);
  const double column = json_number(from, "columnNumber", -base);
  frame.line = line < 0 ? 0 : round_number(line + base);
  frame.column = column < 0 ? 0 : round_number(column + base);
  frame.start_line = frame.line;
  return frame;
}

}  // namespace

void V8Tree::add(JsonElement json, std::uint64_t id, StackId parent, bool is_root) {
  const NamedFrame frame = frame_of(json);
  // The root stands for the whole and is no frame.
  const bool hidden = is_root && frame.name == "(root)";
  const StackId stack = hidden ? 0 : p_.intern_stack(parent, named_location(p_, frame));
  rows_.emplace(id, static_cast<std::uint32_t>(nodes_.size()));
  nodes_.push_back({json, id, stack});
}

Result<void> V8Tree::add_flat(const std::vector<JsonElement>& nodes) {
  std::unordered_map<std::uint64_t, JsonElement> by_id;
  std::unordered_map<std::uint64_t, std::uint64_t> parents;
  std::vector<std::uint64_t> order;
  for (const JsonElement node : nodes) {
    const std::uint64_t id = as_index(json_member(node, "id"), kNoId);
    if (!by_id.emplace(id, node).second) {
      return Error{ErrorKind::malformed_input, fmt::format("{}: two nodes {}", format_, id), {}};
    }
    order.push_back(id);
    const std::uint64_t parent = as_index(json_member(node, "parent"), kNoId);
    if (parent != kNoId) parents.emplace(id, parent);
    for (const JsonElement child : json_array(node, "children")) {
      parents.emplace(as_index(child, kNoId), id);
    }
  }
  // A chunk may have been lost with the parent in it: its children then begin a tree of their own.
  std::erase_if(parents, [&](const auto& link) { return !by_id.contains(link.second); });
  // Parents first, whatever the order in the file; a cycle never gets a parent.
  std::vector<std::uint64_t> path;
  for (std::uint64_t id : order) {
    path.clear();
    while (!rows_.contains(id)) {
      if (path.size() > order.size() || !by_id.contains(id)) {
        return Error{ErrorKind::malformed_input,
                     fmt::format("{}: node {} has no way to a root", format_, id), {}};
      }
      path.push_back(id);
      const auto parent = parents.find(id);
      if (parent == parents.end()) break;
      id = parent->second;
    }
    for (std::size_t i = path.size(); i > 0; --i) {
      const auto parent = parents.find(path[i - 1]);
      const bool is_root = parent == parents.end();
      const StackId above = is_root ? 0 : nodes_[rows_.at(parent->second)].stack;
      add(by_id.at(path[i - 1]), path[i - 1], above, is_root);
    }
  }
  return {};
}

Result<void> V8Tree::add_nested(JsonElement head) {
  std::vector<std::pair<JsonElement, StackId>> open = {{head, 0}};
  bool is_root = true;
  while (!open.empty()) {
    const auto [node, parent] = open.back();
    open.pop_back();
    const std::uint64_t id = as_index(json_member(node, "id"), nodes_.size() + (kNoId >> 1));
    add(node, id, parent, is_root);
    is_root = false;
    const StackId stack = nodes_.back().stack;
    for (const JsonElement child : json_array(node, "children")) open.emplace_back(child, stack);
  }
  return {};
}

Result<StackId> V8Tree::stack_of(std::uint64_t id) const {
  const auto row = rows_.find(id);
  if (row != rows_.end()) return nodes_[row->second].stack;
  return Error{ErrorKind::malformed_input, fmt::format("{}: a sample names the unknown node {}",
                                                       format_, static_cast<std::int64_t>(id)),
               {}};
}

}  // namespace hprof::formats
