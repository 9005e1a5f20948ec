// SPDX-License-Identifier: Apache-2.0
#include "callgrind_graph.h"

#include "json_document.h"

#include <algorithm>
#include <array>

namespace hprof::formats {

std::uint32_t CallgrindGraph::function(const FunctionKey& key) {
  const auto [found, fresh] = index_.emplace(key, static_cast<std::uint32_t>(nodes_.size()));
  if (fresh) nodes_.push_back({key, {}, {}});
  return found->second;
}

void CallgrindGraph::add(std::vector<std::int64_t>& sum, const std::vector<std::int64_t>& costs) {
  if (sum.size() < costs.size()) sum.resize(costs.size(), 0);
  for (std::size_t i = 0; i < costs.size(); ++i) {
    sum[i] = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum[i]) +
                                       static_cast<std::uint64_t>(costs[i]));
  }
}

void CallgrindGraph::add_self(std::uint32_t function, const std::vector<std::int64_t>& costs) {
  add(nodes_[function].self, costs);
}

void CallgrindGraph::add_call(std::uint32_t caller, std::uint32_t callee,
                              const std::vector<std::int64_t>& costs) {
  add(nodes_[caller].calls[callee], costs);
}

// Walks from the roots down; what flows into a node is shared out among itself and its callees in
// proportion to its own total.
class CallgrindGraph::Expansion {
 public:
  Expansion(const CallgrindGraph& graph, Profile& profile, std::size_t event)
      : g_(graph), p_(profile), event_(event) {
    totals_.resize(g_.nodes_.size(), 0);
    inflow_.resize(g_.nodes_.size(), 0);
    for (std::size_t i = 0; i < g_.nodes_.size(); ++i) {
      totals_[i] += at(g_.nodes_[i].self);
      for (const auto& [callee, costs] : g_.nodes_[i].calls) {
        if (callee == i) continue;  // a call of itself adds nothing new
        totals_[i] += at(costs);
        inflow_[callee] += at(costs);
      }
      sum_ += at(g_.nodes_[i].self);
    }
  }

  void run() {
    on_path_.assign(g_.nodes_.size(), false);
    for (std::uint32_t i = 0; i < g_.nodes_.size(); ++i) {
      // What no caller accounts for begins here.
      const double own = totals_[i] - inflow_[i];
      if (own > 0) visit(i, own);
    }
  }

 private:
  struct Step {
    std::uint32_t node = 0;
    double weight = 0;
    StackId parent = 0;
    bool leaves = false;
  };
  static constexpr std::size_t kMaxNodes = std::size_t{1} << 20;
  static constexpr std::size_t kMaxDepth = 1024;

  [[nodiscard]] double at(const std::vector<std::int64_t>& costs) const {
    return event_ < costs.size() ? static_cast<double>(costs[event_]) : 0;
  }

  LocationId location(std::uint32_t node) {
    const FunctionKey& key = g_.nodes_[node].key;
    MappingId mapping = 0;
    if (!key.object.empty()) mapping = p_.intern_mapping({.filename = p_.intern(key.object)});
    const StringId name = p_.intern(key.name.empty() ? "[unknown]" : key.name);
    const FunctionId function = p_.intern_function(
        {.name = name, .system_name = name, .filename = p_.intern(key.file)});
    const std::array<Line, 1> lines = {Line{.function = function}};
    return p_.intern_location(mapping, 0, lines);
  }

  void add(StackId stack, double weight) {
    std::vector<std::int64_t> values(g_.events.size(), 0);
    values[event_] = round_number(weight);
    if (values[event_] != 0) p_.accumulate(stack, 0, values);
  }

  void visit(std::uint32_t root, double weight) {
    std::vector<Step> steps = {{root, weight, 0, false}};
    std::size_t depth = 0;
    while (!steps.empty()) {
      const Step step = steps.back();
      steps.pop_back();
      if (step.leaves) {
        on_path_[step.node] = false;
        --depth;
        continue;
      }
      const StackId stack = p_.intern_stack(step.parent, location(step.node));
      const Node& node = g_.nodes_[step.node];
      const double total = totals_[step.node];
      const double share = total > 0 ? step.weight / total : 0;
      // A share too small to matter is not followed any more: it stays with the caller.
      const bool ends = ++visited_ > kMaxNodes || depth >= kMaxDepth || step.weight < sum_ * 1e-6;
      double kept = ends ? step.weight : at(node.self) * share;
      if (!ends) {
        on_path_[step.node] = true;
        ++depth;
        steps.push_back({step.node, 0, 0, true});
        for (const auto& [callee, costs] : node.calls) {
          const double flow = at(costs) * share;
          if (callee == step.node || flow <= 0) continue;
          if (on_path_[callee]) {
            kept += flow;
          } else {
            steps.push_back({callee, flow, stack, false});
          }
        }
      }
      add(stack, kept);
    }
  }

  const CallgrindGraph& g_;
  Profile& p_;
  std::size_t event_;
  std::vector<double> totals_;
  std::vector<double> inflow_;
  std::vector<bool> on_path_;
  double sum_ = 0;
  std::size_t visited_ = 0;
};

Profile CallgrindGraph::to_profile() const {
  Profile p;
  for (const std::string& event : events) p.add_sample_type(event, "count");
  for (std::size_t i = 0; i < events.size(); ++i) Expansion{*this, p, i}.run();
  return p;
}

}  // namespace hprof::formats
