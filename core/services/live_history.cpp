// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/profile/merge.h>
#include <hprof/core/services/live_history.h>

#include <fmt/format.h>

#include <utility>

namespace hprof {
namespace {

HistorySlice slice_of(const Profile& profile) {
  HistorySlice slice;
  slice.start_ns = profile.header.time_nanos;
  slice.end_ns = slice.start_ns + profile.header.duration_nanos;
  if (!profile.sample_types().empty()) {
    slice.samples = profile.total(0);
    slice.value = profile.total(profile.sample_types().size() - 1);
  }
  return slice;
}

}  // namespace

LiveHistory::LiveHistory(std::string name, std::shared_ptr<CaptureService> capture,
                         std::shared_ptr<SharedSymbolizer> symbolizer, Options options)
    : name_(std::move(name)),
      capture_(std::move(capture)),
      symbolizer_(std::move(symbolizer)),
      options_(options) {}

LiveHistory::LiveHistory(std::string name, std::shared_ptr<CaptureService> capture,
                         std::shared_ptr<SharedSymbolizer> symbolizer)
    : LiveHistory(std::move(name), std::move(capture), std::move(symbolizer), Options{}) {}

LiveHistory::~LiveHistory() {
  // A destructor has nobody to tell.
  static_cast<void>(stop().has_value());
}

Result<void> LiveHistory::start() {
  const std::lock_guard lock{mutex_};
  if (thread_.joinable()) return {};
  stopping_ = false;
  // The cursor is opened here, not on the thread: what is sampled from now on is in the history.
  thread_ = std::thread{[this, source = capture_->open_source()] { run(*source); }};
  return {};
}

Result<void> LiveHistory::stop() {
  {
    const std::lock_guard lock{mutex_};
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
  return {};
}

ServiceState LiveHistory::state() const {
  const std::lock_guard lock{mutex_};
  return thread_.joinable() && !stopping_ ? ServiceState::running : ServiceState::stopped;
}

void LiveHistory::run(ProfileSource& source) {
  auto next = std::chrono::steady_clock::now() + options_.step;
  std::unique_lock lock{mutex_};
  while (!wake_.wait_until(lock, next, [this] { return stopping_; })) {
    lock.unlock();
    take_slice(source);
    if (capture_->ended()) return;
    next += options_.step;
    lock.lock();
  }
}

void LiveHistory::take_slice(ProfileSource& source) {
  Result<RawProfile> raw = source.cut();
  if (!raw) return;
  symbolizer_->symbolize(*raw);
  Kept kept{slice_of(raw->profile), std::make_shared<const Profile>(std::move(raw->profile))};
  const std::lock_guard lock{mutex_};
  fine_.push_back(std::move(kept));
  if (fine_.size() >= options_.fine + options_.joined) make_room();
}

/// Joins the oldest fine slices into a coarse one.
void LiveHistory::make_room() {
  ProfileMerger merger;
  HistorySlice whole = fine_.front().slice;
  whole.samples = whole.value = 0;
  for (std::size_t i = 0; i < options_.joined; ++i) {
    const Kept& oldest = fine_.front();
    static_cast<void>(merger.add(*oldest.profile).has_value());
    whole.end_ns = oldest.slice.end_ns;
    whole.samples += oldest.slice.samples;
    whole.value += oldest.slice.value;
    fine_.pop_front();
  }
  if (Result<Profile> sum = merger.finish()) {
    coarse_.push_back({whole, std::make_shared<const Profile>(*std::move(sum))});
  }
  while (coarse_.size() > options_.coarse) coarse_.pop_front();
}

std::vector<HistorySlice> LiveHistory::slices() const {
  const std::lock_guard lock{mutex_};
  std::vector<HistorySlice> out;
  for (const Kept& kept : coarse_) out.push_back(kept.slice);
  for (const Kept& kept : fine_) out.push_back(kept.slice);
  return out;
}

Result<Profile> LiveHistory::window(std::int64_t from_ns, std::int64_t to_ns) const {
  // Profiles are shared and never change, so the sum is made without the lock.
  std::vector<std::shared_ptr<const Profile>> chosen;
  {
    const std::lock_guard lock{mutex_};
    for (const std::deque<Kept>* part : {&coarse_, &fine_}) {
      for (const Kept& kept : *part) {
        if (kept.slice.start_ns < to_ns && kept.slice.end_ns > from_ns) {
          chosen.push_back(kept.profile);
        }
      }
    }
  }
  if (chosen.empty()) {
    return Error{ErrorKind::nothing_recorded, "nothing was recorded in that window", {}};
  }
  std::vector<const Profile*> pointers;
  for (const auto& profile : chosen) pointers.push_back(profile.get());
  return merge_profiles(pointers);
}

}  // namespace hprof
