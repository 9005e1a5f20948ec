// SPDX-License-Identifier: Apache-2.0
#include "frame_table.h"

#include "frame_names.h"

namespace hprof::formats {
namespace {

std::uint64_t hash(const Frame& frame) {
  std::uint64_t h = combine_hash(hash_text(frame.name), hash_text(frame.file));
  h = combine_hash(h, static_cast<std::uint64_t>(frame.line));
  return combine_hash(h, static_cast<std::uint64_t>(frame.column));
}

bool is_same(const Frame& a, const Frame& b) {
  return a.line == b.line && a.column == b.column && a.name == b.name && a.file == b.file;
}

std::uint64_t hash(const FrameTrie::Node& node) {
  return mix_hash((std::uint64_t{node.parent} << 32) | node.frame);
}

}  // namespace

FrameTable::FrameTable(const Profile& profile, bool short_names) {
  first_.assign(2, 0);
  for (LocationId id = 1; id <= profile.location_count(); ++id) {
    const std::span<const Line> lines = profile.lines(id);
    for (std::size_t i = frame_count(profile, id); i-- > 0;) {
      std::string name = frame_name(profile, id, i);
      Frame frame{.name = short_names ? short_name(name) : std::move(name), .location = id};
      if (i < lines.size()) {
        frame.function = lines[i].function;
        frame.line = lines[i].line;
        frame.column = lines[i].column;
        frame.file = profile.string(profile.function(frame.function).filename);
      }
      ids_.push_back(intern(std::move(frame)));
    }
    first_.push_back(ids_.size());
  }
}

std::uint32_t FrameTable::intern(Frame frame) {
  const std::uint64_t key = hash(frame);
  const std::uint32_t found =
      index_.find(key, [&](std::uint32_t id) { return is_same(frames_[id], frame); });
  if (found != InternTable::kNotFound) return found;
  const auto id = static_cast<std::uint32_t>(frames_.size());
  frames_.push_back(std::move(frame));
  index_.insert(key, id, [&](std::uint32_t i) { return hash(frames_[i]); });
  return id;
}

FrameTrie::FrameTrie(const Profile& profile, const FrameTable& frames) {
  node_of_.push_back(0);
  for (StackId s = 1; s <= profile.stack_count(); ++s) {
    const StackNode& stack = profile.stack(s);
    std::uint32_t node = node_of_[stack.parent];
    for (const std::uint32_t frame : frames.of(stack.location)) node = child(node, frame);
    node_of_.push_back(node);
  }
}

std::uint32_t FrameTrie::child(std::uint32_t parent, std::uint32_t frame) {
  const Node node{parent, frame};
  const std::uint32_t found = index_.find(hash(node), [&](std::uint32_t id) {
    return nodes_[id].parent == parent && nodes_[id].frame == frame;
  });
  if (found != InternTable::kNotFound) return found;
  const auto id = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back(node);
  index_.insert(hash(node), id, [&](std::uint32_t i) { return hash(nodes_[i]); });
  return id;
}

}  // namespace hprof::formats
