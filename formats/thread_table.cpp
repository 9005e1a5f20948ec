// SPDX-License-Identifier: Apache-2.0
#include "thread_table.h"

#include <fmt/format.h>

#include <map>

namespace hprof::formats {
namespace {

ThreadTable::Thread thread_in(const Profile& profile, LabelSetId labels) {
  ThreadTable::Thread thread;
  for (const Label& label : profile.labels(labels)) {
    const std::string_view key = profile.string(label.key);
    std::string text = label.is_number ? fmt::format("{}", label.number)
                                       : std::string{profile.string(label.text)};
    if (key == "thread") thread.name = std::move(text);
    else if (key == "tid") thread.tid = std::move(text);
    else if (key == "pid") thread.pid = std::move(text);
  }
  return thread;
}

}  // namespace

std::string ThreadTable::Thread::title() const {
  if (name.empty()) return tid;
  return tid.empty() ? name : fmt::format("{} ({})", name, tid);
}

ThreadTable::ThreadTable(const Profile& profile)
    : by_labels_(profile.label_set_count() + std::size_t{1}) {
  std::vector<bool> seen(by_labels_.size());
  std::map<std::string, std::uint32_t> known;
  for (std::uint32_t row = 0; row < profile.sample_count(); ++row) {
    const LabelSetId labels = profile.sample_labels(row);
    if (seen[labels]) continue;
    seen[labels] = true;
    Thread thread = thread_in(profile, labels);
    const auto [at, is_new] = known.try_emplace(fmt::format("{}\n{}", thread.title(), thread.pid),
                                                static_cast<std::uint32_t>(threads_.size()));
    if (is_new) threads_.push_back(std::move(thread));
    by_labels_[labels] = at->second;
  }
}

}  // namespace hprof::formats
