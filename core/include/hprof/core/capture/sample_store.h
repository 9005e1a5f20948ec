// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/clock.h>
#include <hprof/core/capture/raw_profile.h>
#include <hprof/core/target/address_space.h>

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hprof {

struct SampleType {
  std::string type;
  std::string unit;
};

struct StoreOptions {
  std::vector<SampleType> types;  ///< value columns, in the order of the profile
  SampleType period_type;
  std::int64_t period = 0;
  /// Bytes of tables beyond which new stacks go to one "[memory limit]" frame. 0: no limit.
  std::size_t max_memory = std::size_t{1} << 30;
};

/// One frame of a sample. A frame with a `name` stands for itself ("[truncated]", "[kernel]") and
/// has no address.
struct SampleFrame {
  std::uint64_t address = 0;
  const MappedRange* range = nullptr;  ///< null: nothing is mapped there that we know of
  std::string_view name;
};

/// Who was sampled. `process` is the main thread's name, `thread` its own.
struct SampleThread {
  int pid = 0;
  int tid = 0;
  std::string_view process;
  std::string_view thread;
};

struct SampleLabel {
  std::string_view key;
  std::string_view text;
};

/// One sample to count. Lifetime: everything is borrowed during the call only.
struct StackSample {
  SampleThread thread;
  std::span<const SampleFrame> frames;  ///< leaf first
  bool truncated = false;               ///< counted; the store adds the "[truncated]" root
  std::span<const SampleLabel> labels;  ///< beyond thread, tid and pid
  std::span<const std::int64_t> values; ///< one for each type
};

/// Counters of (stack, labels), written by one sampler and read by any number of cursors, each of
/// which sees every sample once. Memory is bounded by the stacks that some cursor has not yet
/// taken; rows all cursors have taken are dropped. Thread safe.
///
/// Labels: thread, tid, and pid where several processes were met; then the process is also the root
/// frame.
class SampleStore {
  struct State;

 public:
  /// A reader's place. Destroying it lets go of what it has not taken. It may outlive the store.
  class Cursor {
   public:
    Cursor() = default;
    Cursor(Cursor&&) noexcept = default;
    Cursor& operator=(Cursor&& other) noexcept;
    Cursor(const Cursor&) = delete;
    Cursor& operator=(const Cursor&) = delete;
    ~Cursor();

   private:
    friend class SampleStore;
    std::weak_ptr<State> store_;
    std::uint64_t id_ = 0;
    void close();
  };

  explicit SampleStore(StoreOptions options, std::shared_ptr<const Clock> clock = nullptr);
  ~SampleStore();
  SampleStore(const SampleStore&) = delete;
  SampleStore& operator=(const SampleStore&) = delete;
  SampleStore(SampleStore&&) = delete;
  SampleStore& operator=(SampleStore&&) = delete;

  // --- the writer
  void add(const StackSample& sample);
  void add_lost(std::uint64_t count);
  void add_throttled(std::uint64_t count);
  /// Every sample up to this moment (CLOCK_MONOTONIC, ns) has been added: where a window may end.
  void set_covered_until(std::int64_t monotonic_ns);
  /// From now on the process is a root frame and pid a label, even if only one is met.
  void expect_several_processes();
  /// Lines that every profile carries as comments (engine, rate, machine).
  void set_comments(std::vector<std::string> comments);

  // --- readers
  /// A cursor that sees what comes from now on.
  [[nodiscard]] Cursor open_cursor();
  /// What came since the cursor's last cut (or its opening), and moves the cursor on.
  /// Units: time_nanos is the window's start, duration_nanos its length; windows of one cursor
  /// follow each other without gap or overlap.
  RawProfile cut(Cursor& cursor);
  /// As cut, and leaves the cursor where it is: a look at a window that is still open.
  [[nodiscard]] RawProfile peek(const Cursor& cursor) const;

  [[nodiscard]] std::uint64_t sample_count() const;  ///< since construction
  [[nodiscard]] std::size_t memory_bytes() const;
  [[nodiscard]] std::span<const SampleType> types() const;

 private:
  std::shared_ptr<State> state_;
};

}  // namespace hprof
