// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/profile/string_table.h>

#include <string.h>

#include <algorithm>
#include <utility>

namespace hprof {

StringTable::StringTable() { intern(std::string_view{}); }

StringTable::StringTable(const StringTable& other) : StringTable() {
  for (std::size_t i = 1; i < other.views_.size(); ++i) intern(other.views_[i]);
}

StringTable& StringTable::operator=(const StringTable& other) {
  if (this != &other) *this = StringTable{other};
  return *this;
}

StringId StringTable::intern(std::string_view text) {
  const std::uint64_t hash = hash_text(text);
  const std::uint32_t found =
      index_.find(hash, [&](std::uint32_t id) { return views_[id] == text; });
  if (found != InternTable::kNotFound) return found;
  const auto id = static_cast<StringId>(views_.size());
  views_.push_back(store(text));
  index_.insert(hash, id, [&](std::uint32_t i) { return hash_text(views_[i]); });
  return id;
}

std::string_view StringTable::store(std::string_view text) {
  if (text.empty()) return {};
  if (text.size() > block_left_) {
    const std::size_t size = std::max<std::size_t>(std::size_t{1} << 16, text.size());
    blocks_.push_back(std::make_unique<char[]>(size));
    block_at_ = blocks_.back().get();
    block_left_ = size;
    bytes_ += size;
  }
  memcpy(block_at_, text.data(), text.size());
  const std::string_view view{block_at_, text.size()};
  block_at_ += text.size();
  block_left_ -= text.size();
  return view;
}

}  // namespace hprof
