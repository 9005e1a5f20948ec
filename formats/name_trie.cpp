// SPDX-License-Identifier: Apache-2.0
#include "name_trie.h"

namespace hprof::formats {
namespace {

std::uint64_t hash(const NameTrie::Path& path) {
  return mix_hash((std::uint64_t{path.parent} << 32) | path.name);
}

}  // namespace

NameTrie::NameTrie(const Profile& profile, const FrameNames& names) {
  path_of_.reserve(profile.stack_count() + std::size_t{1});
  path_of_.push_back(0);
  for (StackId s = 1; s <= profile.stack_count(); ++s) {
    const StackNode& node = profile.stack(s);
    PathId path = path_of_[node.parent];
    for (const NameId name : names.frames(node.location)) path = child(path, name);
    path_of_.push_back(path);
  }
}

PathId NameTrie::child(PathId parent, NameId name) {
  const Path path{parent, name};
  const std::uint32_t found = index_.find(hash(path), [&](std::uint32_t id) {
    return paths_[id].parent == parent && paths_[id].name == name;
  });
  if (found != InternTable::kNotFound) return found;
  const auto id = static_cast<PathId>(paths_.size());
  paths_.push_back(path);
  index_.insert(hash(path), id, [&](std::uint32_t i) { return hash(paths_[i]); });
  return id;
}

}  // namespace hprof::formats
