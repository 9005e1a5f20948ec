// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/intern_table.h>

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace hprof {

using StringId = std::uint32_t;

/// Distinct strings in an arena; id 0 is the empty string. Views stay valid as long as the table.
class StringTable {
 public:
  StringTable();
  StringTable(StringTable&&) noexcept = default;
  StringTable& operator=(StringTable&&) noexcept = default;
  StringTable(const StringTable& other);
  StringTable& operator=(const StringTable& other);
  ~StringTable() = default;

  StringId intern(std::string_view text);
  [[nodiscard]] std::string_view operator[](StringId id) const { return views_[id]; }
  [[nodiscard]] std::size_t size() const { return views_.size(); }
  [[nodiscard]] std::size_t memory_bytes() const { return bytes_ + views_.size() * 24; }

 private:
  std::string_view store(std::string_view text);

  std::vector<std::unique_ptr<char[]>> blocks_;
  std::size_t block_left_ = 0;
  char* block_at_ = nullptr;
  std::size_t bytes_ = 0;
  std::vector<std::string_view> views_;
  InternTable index_;
};

}  // namespace hprof
