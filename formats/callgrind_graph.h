// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/profile/profile.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace hprof::formats {

/// A call graph with costs, as callgrind knows it.
class CallgrindGraph {
 public:
  struct FunctionKey {
    std::string name;
    std::string file;
    std::string object;
    auto operator<=>(const FunctionKey&) const = default;
  };

  std::vector<std::string> events;

  std::uint32_t function(const FunctionKey& key);
  void add_self(std::uint32_t function, const std::vector<std::int64_t>& costs);
  void add_call(std::uint32_t caller, std::uint32_t callee, const std::vector<std::int64_t>& costs);

  /// Stacks with own costs, one column for each event.
  [[nodiscard]] Profile to_profile() const;

 private:
  struct Node {
    FunctionKey key;
    std::vector<std::int64_t> self;
    std::map<std::uint32_t, std::vector<std::int64_t>> calls;
  };
  class Expansion;

  static void add(std::vector<std::int64_t>& sum, const std::vector<std::int64_t>& costs);

  std::map<FunctionKey, std::uint32_t> index_;
  std::vector<Node> nodes_;
};

}  // namespace hprof::formats
