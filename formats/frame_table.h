// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/intern_table.h>
#include <hprof/core/profile/profile.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hprof::formats {

/// One frame as viewers know it: a function at a line, or a place nothing is known of but its name.
struct Frame {
  std::string name;
  FunctionId function = 0;
  std::int64_t line = 0;
  std::int64_t column = 0;
  LocationId location = 0;  ///< one that shows it
  std::string_view file = {};
};

/// The distinct frames of a profile, for formats with a frame table. Frames that differ only in their
/// address are one. Lifetime: borrows the profile.
class FrameTable {
 public:
  FrameTable(const Profile& profile, bool short_names);

  [[nodiscard]] const std::vector<Frame>& frames() const { return frames_; }
  /// Indexes of a location's frames, outermost first.
  [[nodiscard]] std::span<const std::uint32_t> of(LocationId id) const {
    return {ids_.data() + first_[id], first_[id + 1] - first_[id]};
  }

 private:
  std::uint32_t intern(Frame frame);

  std::vector<Frame> frames_;
  InternTable index_;
  std::vector<std::size_t> first_;
  std::vector<std::uint32_t> ids_;
};

/// Stacks of frames as a trie: node 0 is the empty stack, parents come before children.
class FrameTrie {
 public:
  struct Node {
    std::uint32_t parent = 0;
    std::uint32_t frame = 0;
  };
  FrameTrie(const Profile& profile, const FrameTable& frames);
  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
  [[nodiscard]] std::uint32_t node_of(StackId stack) const { return node_of_[stack]; }

 private:
  std::uint32_t child(std::uint32_t parent, std::uint32_t frame);

  std::vector<Node> nodes_{1};
  InternTable index_;
  std::vector<std::uint32_t> node_of_;
};

}  // namespace hprof::formats
