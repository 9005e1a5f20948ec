// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/intern_table.h>
#include <hprof/core/capture/sample_store.h>
#include <hprof/core/profile/string_table.h>

#include <optional>
#include <unordered_map>
#include <vector>

namespace hprof {

/// The distinct places, stacks and threads of a store, each with an id. Id 0 of stacks is empty.
/// Where `may_grow` is false, only what is known already is found.
class StackTable {
 public:
  struct MappingEntry {
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint64_t file_offset = 0;
    ModulePtr module;
  };
  struct Place {
    std::uint32_t mapping = 0;  ///< index + 1; 0: none
    StringId name = 0;          ///< of a frame that stands for itself
    std::uint64_t address = 0;
    bool operator==(const Place&) const = default;
  };
  struct Node {
    std::uint32_t parent = 0;
    std::uint32_t place = 0;
    bool operator==(const Node&) const = default;
  };
  struct Who {
    int pid = 0;
    int tid = 0;
    StringId process = 0;
    StringId thread = 0;
    std::vector<std::pair<StringId, StringId>> labels;
    bool operator==(const Who&) const = default;
  };

  std::optional<std::uint32_t> find_stack(const StackSample& sample, bool may_grow);
  std::optional<std::uint32_t> find_who(const StackSample& sample, bool may_grow);

  [[nodiscard]] const MappingEntry& mapping(std::uint32_t id) const { return mappings_[id - 1]; }
  [[nodiscard]] const Place& place(std::uint32_t id) const { return places_[id]; }
  [[nodiscard]] const Node& node(std::uint32_t id) const { return nodes_[id]; }
  [[nodiscard]] const Who& who(std::uint32_t id) const { return whos_[id]; }
  [[nodiscard]] std::string_view string(StringId id) const { return strings_[id]; }
  [[nodiscard]] std::size_t memory_bytes() const;

  /// Copies a stack or thread of another table into this one.
  std::uint32_t adopt_stack(const StackTable& from, std::uint32_t id);
  std::uint32_t adopt_who(const StackTable& from, std::uint32_t id);

 private:
  std::optional<std::uint32_t> find_place(const SampleFrame& frame, bool may_grow);
  std::optional<std::uint32_t> find_place(const Place& place, bool may_grow);
  std::optional<std::uint32_t> find_node(const Node& node, bool may_grow);
  std::optional<std::uint32_t> find_who(const Who& who, bool may_grow);
  std::uint32_t mapping_of(const MappedRange& range);

  StringTable strings_;
  std::vector<MappingEntry> mappings_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> mapping_index_;
  std::vector<Place> places_{1};
  std::vector<Node> nodes_{1};
  std::vector<Who> whos_;
  InternTable place_index_;
  InternTable node_index_;
  InternTable who_index_;
};

}  // namespace hprof
