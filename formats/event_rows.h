// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/profile/profile.h>

#include <cstdint>
#include <vector>

namespace hprof::formats {

/// Samples of one event with one stack and the same labels, counted.
struct EventRow {
  StackId stack = 0;
  LabelSetId labels = 0;
  std::uint32_t event = 0;
  std::uint64_t block = 0;  ///< where in the input it was first met
  std::int64_t count = 0;
  std::int64_t weight = 0;
};

/// Counts samples by stack, labels and event.
class EventRows {
 public:
  void add(StackId stack, LabelSetId labels, std::uint32_t event, std::int64_t weight,
           std::uint64_t block = 0) {
    const EventRow key{.stack = stack, .labels = labels, .event = event, .block = block};
    const std::uint64_t hash = hash_of(key);
    std::uint32_t id = index_.find(hash, [&](std::uint32_t row) {
      const EventRow& r = rows_[row];
      return r.stack == stack && r.labels == labels && r.event == event;
    });
    if (id == InternTable::kNotFound) {
      id = static_cast<std::uint32_t>(rows_.size());
      rows_.push_back(key);
      index_.insert(hash, id, [&](std::uint32_t row) { return hash_of(rows_[row]); });
    }
    ++rows_[id].count;
    // Sums wrap as everywhere in a profile; they are never undefined.
    rows_[id].weight = static_cast<std::int64_t>(static_cast<std::uint64_t>(rows_[id].weight) +
                                                 static_cast<std::uint64_t>(weight));
  }
  [[nodiscard]] const std::vector<EventRow>& rows() const { return rows_; }

 private:
  static std::uint64_t hash_of(const EventRow& row) {
    return combine_hash((std::uint64_t{row.stack} << 32) | row.labels, row.event);
  }

  std::vector<EventRow> rows_;
  InternTable index_;
};

}  // namespace hprof::formats
