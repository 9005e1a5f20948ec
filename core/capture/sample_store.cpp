// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/capture/sample_store.h>

#include "profile_builder.h"
#include "sample_rows.h"

#include <algorithm>
#include <map>
#include <utility>

namespace hprof {
namespace {

/// A sampler that has not said anything for this long is not running.
constexpr std::int64_t kSilence = 1'000'000'000;
/// Rows below which rebuilding is not worth it.
constexpr std::size_t kSmall = 1024;

struct CursorState {
  TakenValues taken;
  std::int64_t start_monotonic = 0;
  std::int64_t start_wall = 0;
  ProfileCounters counters;  ///< as they stood at the start
  bool fresh = true;         ///< never cut
};

}  // namespace

struct SampleStore::State {
  explicit State(StoreOptions o, std::shared_ptr<const Clock> c)
      : options(std::move(o)), clock(std::move(c)), rows(options.types.size()) {}

  [[nodiscard]] bool over_limit() const {
    return options.max_memory != 0 && rows.memory_bytes() > options.max_memory;
  }
  /// The moment up to which everything is counted.
  [[nodiscard]] std::int64_t now_covered() const {
    const std::int64_t now = clock->monotonic_ns();
    return covered != 0 && now - covered < kSilence ? covered : now;
  }
  [[nodiscard]] std::int64_t wall_at(std::int64_t monotonic) const {
    return clock->wall_ns() - (clock->monotonic_ns() - monotonic);
  }
  RawProfile profile_for(const CursorState& cursor, std::int64_t end) const;
  void add_overflow(const StackSample& sample);
  void drop_taken_rows();

  mutable std::mutex mutex;
  const StoreOptions options;
  std::shared_ptr<const Clock> clock;
  SampleRows rows;
  std::map<std::uint64_t, CursorState> cursors;
  std::uint64_t next_cursor = 1;
  std::uint64_t samples = 0;
  std::uint64_t overflowed = 0;
  std::int64_t covered = 0;
  ProfileCounters counters;
  std::vector<std::string> comments;
  int first_pid = 0;
  bool several = false;
  std::size_t rows_after_drop = 0;
  bool full = false;  ///< at the memory limit
};

RawProfile SampleStore::State::profile_for(const CursorState& cursor, std::int64_t end) const {
  ProfileBuilder builder{rows, options, several};
  builder.add_news(cursor.taken);
  RawProfile raw = builder.take();
  Profile& p = raw.profile;
  p.header.time_nanos = cursor.start_wall;
  p.header.duration_nanos = end - cursor.start_monotonic;
  for (const std::string& line : comments) p.header.comments.push_back(p.intern(line));
  p.counters.lost = counters.lost - cursor.counters.lost;
  p.counters.throttled = counters.throttled - cursor.counters.throttled;
  p.counters.truncated = counters.truncated - cursor.counters.truncated;
  return raw;
}

void SampleStore::State::add_overflow(const StackSample& sample) {
  const SampleFrame frame{0, nullptr, "[memory limit]"};
  StackSample bucket;
  bucket.frames = {&frame, 1};
  bucket.values = sample.values;
  bucket.thread = {sample.thread.pid, 0, sample.thread.process, {}};
  ++overflowed;
  // One bucket for each process: it may be new, or the sample would be gone without a trace.
  if (!rows.add(bucket, true)) ++counters.lost;
}

void SampleStore::State::drop_taken_rows() {
  std::vector<bool> wanted(rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    wanted[row] = std::ranges::any_of(
        cursors, [&](const auto& item) { return rows.has_news(row, item.second.taken); });
  }
  const std::size_t columns = rows.columns();
  for (auto& [id, cursor] : cursors) {
    TakenValues kept;
    for (std::size_t cell = 0; cell < wanted.size() * columns; ++cell) {
      if (!wanted[cell / columns]) continue;
      kept.push_back(cell < cursor.taken.size() ? cursor.taken[cell] : 0);
    }
    cursor.taken = std::move(kept);
  }
  rows = rows.rebuilt([&wanted](std::size_t row) { return wanted[row]; });
  full = over_limit();
}

SampleStore::SampleStore(StoreOptions options, std::shared_ptr<const Clock> clock)
    : state_(std::make_shared<State>(
          std::move(options), clock != nullptr ? std::move(clock) : std::make_shared<SystemClock>())) {
}

SampleStore::~SampleStore() = default;

void SampleStore::add(const StackSample& sample) {
  State& s = *state_;
  const std::lock_guard lock{s.mutex};
  ++s.samples;
  if (sample.truncated) ++s.counters.truncated;
  if (s.first_pid == 0) s.first_pid = sample.thread.pid;
  if (sample.thread.pid != s.first_pid) s.several = true;
  if (s.cursors.empty()) return;
  // Asking the size walks no table, but need not be done for each sample.
  if (!s.full && s.samples % 64 == 0 && s.over_limit()) s.drop_taken_rows();
  if (!s.rows.add(sample, !s.full)) s.add_overflow(sample);
}

void SampleStore::add_lost(std::uint64_t count) {
  const std::lock_guard lock{state_->mutex};
  state_->counters.lost += count;
}

void SampleStore::add_throttled(std::uint64_t count) {
  const std::lock_guard lock{state_->mutex};
  state_->counters.throttled += count;
}

void SampleStore::set_covered_until(std::int64_t monotonic_ns) {
  State& s = *state_;
  const std::lock_guard lock{s.mutex};
  const bool begins = s.covered == 0 || monotonic_ns - s.covered >= kSilence;
  s.covered = monotonic_ns;
  if (!begins) return;
  // Readers that came before the sampler had nothing to read until now.
  for (auto& [id, cursor] : s.cursors) {
    if (!cursor.fresh || cursor.start_monotonic >= monotonic_ns) continue;
    cursor.start_wall += monotonic_ns - cursor.start_monotonic;
    cursor.start_monotonic = monotonic_ns;
  }
}

void SampleStore::expect_several_processes() {
  const std::lock_guard lock{state_->mutex};
  state_->several = true;
}

void SampleStore::set_comments(std::vector<std::string> comments) {
  const std::lock_guard lock{state_->mutex};
  state_->comments = std::move(comments);
}

SampleStore::Cursor SampleStore::open_cursor() {
  State& s = *state_;
  const std::lock_guard lock{s.mutex};
  CursorState cursor;
  cursor.taken = s.rows.values();
  cursor.start_monotonic = s.now_covered();
  cursor.start_wall = s.wall_at(cursor.start_monotonic);
  cursor.counters = s.counters;
  Cursor handle;
  handle.store_ = state_;
  handle.id_ = s.next_cursor++;
  s.cursors.emplace(handle.id_, std::move(cursor));
  return handle;
}

RawProfile SampleStore::cut(Cursor& cursor) {
  State& s = *state_;
  const std::lock_guard lock{s.mutex};
  const auto at = s.cursors.find(cursor.id_);
  HPROF_CHECK(at != s.cursors.end());
  CursorState& c = at->second;
  const std::int64_t end = std::max(c.start_monotonic, s.now_covered());
  RawProfile raw = s.profile_for(c, end);
  c.taken = s.rows.values();
  c.start_wall = s.wall_at(end);
  c.start_monotonic = end;
  c.counters = s.counters;
  c.fresh = false;
  // Rebuilding when the rows have doubled since keeps its cost a small part of adding them.
  if (s.rows.size() > std::max(kSmall, 2 * s.rows_after_drop) || s.full) {
    s.drop_taken_rows();
    s.rows_after_drop = s.rows.size();
  }
  return raw;
}

RawProfile SampleStore::peek(const Cursor& cursor) const {
  const State& s = *state_;
  const std::lock_guard lock{s.mutex};
  const auto at = s.cursors.find(cursor.id_);
  HPROF_CHECK(at != s.cursors.end());
  return s.profile_for(at->second, std::max(at->second.start_monotonic, s.now_covered()));
}

std::uint64_t SampleStore::sample_count() const {
  const std::lock_guard lock{state_->mutex};
  return state_->samples;
}

std::size_t SampleStore::memory_bytes() const {
  const std::lock_guard lock{state_->mutex};
  return state_->rows.memory_bytes();
}

std::span<const SampleType> SampleStore::types() const { return state_->options.types; }

SampleStore::Cursor& SampleStore::Cursor::operator=(Cursor&& other) noexcept {
  if (this != &other) {
    close();
    store_ = std::move(other.store_);
    id_ = std::exchange(other.id_, 0);
  }
  return *this;
}

SampleStore::Cursor::~Cursor() { close(); }

void SampleStore::Cursor::close() {
  const std::shared_ptr<State> state = store_.lock();
  store_.reset();
  if (state == nullptr) return;
  const std::lock_guard lock{state->mutex};
  state->cursors.erase(id_);
}

}  // namespace hprof
