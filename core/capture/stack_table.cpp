// SPDX-License-Identifier: Apache-2.0
#include "stack_table.h"

namespace hprof {
namespace {

std::uint64_t hash_of(const StackTable::Place& place) {
  return combine_hash(combine_hash(place.mapping, place.name), place.address);
}

std::uint64_t hash_of(const StackTable::Node& node) {
  return combine_hash(node.parent + 1, node.place);
}

std::uint64_t hash_of(const StackTable::Who& who) {
  std::uint64_t hash = combine_hash(static_cast<std::uint32_t>(who.pid),
                                    static_cast<std::uint32_t>(who.tid));
  hash = combine_hash(combine_hash(hash, who.process), who.thread);
  for (const auto& [key, text] : who.labels) hash = combine_hash(combine_hash(hash, key), text);
  return hash;
}

/// The id of `item` in `table`, added if it is new and `may_grow`.
template <typename T>
std::optional<std::uint32_t> intern(std::vector<T>& table, InternTable& index, const T& item,
                                    bool may_grow) {
  const std::uint64_t hash = hash_of(item);
  const std::uint32_t found =
      index.find(hash, [&](std::uint32_t id) { return table[id] == item; });
  if (found != InternTable::kNotFound) return found;
  if (!may_grow) return std::nullopt;
  const auto id = static_cast<std::uint32_t>(table.size());
  table.push_back(item);
  index.insert(hash, id, [&](std::uint32_t other) { return hash_of(table[other]); });
  return id;
}

}  // namespace

std::optional<std::uint32_t> StackTable::find_place(const Place& place, bool may_grow) {
  return intern(places_, place_index_, place, may_grow);
}

std::optional<std::uint32_t> StackTable::find_node(const Node& node, bool may_grow) {
  return intern(nodes_, node_index_, node, may_grow);
}

std::optional<std::uint32_t> StackTable::find_who(const Who& who, bool may_grow) {
  return intern(whos_, who_index_, who, may_grow);
}

std::uint32_t StackTable::mapping_of(const MappedRange& range) {
  const std::uint64_t hash = combine_hash(
      combine_hash(reinterpret_cast<std::uintptr_t>(range.module.get()), range.start), range.end);
  const auto [first, last] = mapping_index_.equal_range(hash);
  for (auto at = first; at != last; ++at) {
    const MappingEntry& m = mappings_[at->second - 1];
    if (m.module == range.module && m.start == range.start && m.end == range.end &&
        m.file_offset == range.file_offset) {
      return at->second;
    }
  }
  mappings_.push_back({range.start, range.end, range.file_offset, range.module});
  const auto id = static_cast<std::uint32_t>(mappings_.size());
  mapping_index_.emplace(hash, id);
  return id;
}

std::optional<std::uint32_t> StackTable::find_place(const SampleFrame& frame, bool may_grow) {
  Place place;
  if (!frame.name.empty()) {
    place.name = strings_.intern(frame.name);
  } else {
    place.address = frame.address;
    // A new mapping is a few dozen bytes and there are few: it may come even at the limit.
    if (frame.range != nullptr) place.mapping = mapping_of(*frame.range);
  }
  return find_place(place, may_grow);
}

std::optional<std::uint32_t> StackTable::find_stack(const StackSample& sample, bool may_grow) {
  std::uint32_t at = 0;
  const auto push = [&](const SampleFrame& frame) {
    const std::optional<std::uint32_t> place = find_place(frame, may_grow);
    const std::optional<std::uint32_t> node =
        place ? find_node(Node{at, *place}, may_grow) : std::nullopt;
    at = node.value_or(0);
    return node.has_value();
  };
  if (sample.truncated && !push({0, nullptr, "[truncated]"})) return std::nullopt;
  for (auto frame = sample.frames.rbegin(); frame != sample.frames.rend(); ++frame) {
    if (!push(*frame)) return std::nullopt;
  }
  return at;
}

std::optional<std::uint32_t> StackTable::find_who(const StackSample& sample, bool may_grow) {
  Who who;
  who.pid = sample.thread.pid;
  who.tid = sample.thread.tid;
  who.process = strings_.intern(sample.thread.process);
  who.thread = strings_.intern(sample.thread.thread);
  for (const SampleLabel& label : sample.labels) {
    who.labels.emplace_back(strings_.intern(label.key), strings_.intern(label.text));
  }
  return find_who(who, may_grow);
}

std::uint32_t StackTable::adopt_stack(const StackTable& from, std::uint32_t id) {
  std::vector<std::uint32_t> path;
  for (; id != 0; id = from.nodes_[id].parent) path.push_back(from.nodes_[id].place);
  std::uint32_t at = 0;
  for (auto step = path.rbegin(); step != path.rend(); ++step) {
    Place place = from.places_[*step];
    if (place.name != 0) place.name = strings_.intern(from.strings_[place.name]);
    if (place.mapping != 0) {
      const MappingEntry& m = from.mapping(place.mapping);
      place.mapping = mapping_of({m.start, m.end, m.file_offset, m.module});
    }
    at = *find_node(Node{at, *find_place(place, true)}, true);
  }
  return at;
}

std::uint32_t StackTable::adopt_who(const StackTable& from, std::uint32_t id) {
  Who who = from.whos_[id];
  who.process = strings_.intern(from.strings_[who.process]);
  who.thread = strings_.intern(from.strings_[who.thread]);
  for (auto& [key, text] : who.labels) {
    key = strings_.intern(from.strings_[key]);
    text = strings_.intern(from.strings_[text]);
  }
  return *find_who(who, true);
}

std::size_t StackTable::memory_bytes() const {
  // An index holds two to four slots of 8 bytes for each entry.
  constexpr std::size_t kIndexBytes = 24;
  return strings_.memory_bytes() + places_.size() * (sizeof(Place) + kIndexBytes) +
         nodes_.size() * (sizeof(Node) + kIndexBytes) + whos_.size() * (sizeof(Who) + kIndexBytes) +
         mappings_.size() * (sizeof(MappingEntry) + kIndexBytes);
}

}  // namespace hprof
