// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/services/cut_schedule.h>
#include <hprof/core/services/dump_writer.h>
#include <hprof/core/services/profile_source.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hprof {

/// A process whose profiles are dumped.
struct DumpTarget {
  int pid = 0;       ///< 0: the whole system
  std::string name;  ///< for messages
  /// Opens the source of a kind. Errors: why this kind cannot work here, and what would help.
  std::function<Result<std::unique_ptr<ProfileSource>>(const std::string& kind)> open_source;
};

/// How one kind of one target is doing.
struct LaneStatus {
  int pid = 0;
  std::string target;
  std::string kind;
  std::uint64_t files = 0;
  std::uint64_t joined = 0;   ///< windows that had to wait and went into a later file
  bool waiting = false;       ///< one waits now
  std::string last_file;
  std::string last_error;
  std::int64_t window_start_ns = 0;        ///< wall clock
  std::optional<std::int64_t> next_cut_ns; ///< wall clock, as of now; empty: at the end
};

struct DumpStatus {
  std::string folder;
  std::uint64_t files_written = 0;
  std::uint64_t files_removed = 0;
  std::string last_error;
  std::vector<LaneStatus> lanes;
};

/// The work of a dump service, without its thread: what is due, cutting, naming, writing, waiting.
/// One thread uses it at a time.
class DumpEngine {
 public:
  /// What may be asked and told during long work; both may be empty.
  struct Hooks {
    std::function<void()> heartbeat = {};
    std::function<bool()> hurry = {};  ///< true: do not wait for names any longer
  };

  /// `symbolizer` may be null; everything is borrowed.
  DumpEngine(const Clock& clock, DumpFormats formats, Symbolizer* symbolizer, Log log,
             Hooks hooks);
  DumpEngine(const Clock& clock, DumpFormats formats, Symbolizer* symbolizer, Log log)
      : DumpEngine(clock, formats, symbolizer, std::move(log), Hooks{}) {}
  ~DumpEngine();
  DumpEngine(const DumpEngine&) = delete;
  DumpEngine& operator=(const DumpEngine&) = delete;
  DumpEngine(DumpEngine&&) = delete;
  DumpEngine& operator=(DumpEngine&&) = delete;

  /// Sets what is dumped, also while targets are there: a kind that goes is written once more, one
  /// that comes begins now, one that stays keeps its open window.
  /// Errors: usage, or the folder cannot be made or written; the old configuration stays then.
  Result<void> configure(DumpConfig config);
  /// Begins windows of every kind for a target. A kind that cannot work is said to the log.
  /// Errors: none of the kinds works; the first reason.
  Result<void> add_target(DumpTarget target);
  /// Writes what there is of a target and forgets it. Errors: something could not be written.
  Result<void> remove_target(int pid);

  /// Forgets a target without writing anything.
  void forget_target(int pid);

  /// When run_due() has something to do; empty: never by itself.
  [[nodiscard]] std::optional<std::int64_t> next_due_ns() const;
  /// Cuts and writes all windows that have ended by now.
  void run_due();
  /// Cuts and writes every window now; the schedule stays.
  void cut_all();
  /// Writes everything and forgets all targets. Errors: something could not be written.
  Result<void> finish();

  [[nodiscard]] DumpStatus status() const;
  [[nodiscard]] bool has_targets() const { return !targets_.empty(); }
  [[nodiscard]] const DumpConfig& config() const { return config_; }

 private:
  struct Lane;
  struct Target;

  Result<std::unique_ptr<Lane>> open_lane(const Target& target, const DumpKind& kind);
  void adopt_kinds(Target& target);
  Result<void> cut(const Target& target, Lane& lane);
  Result<Profile> take(Lane& lane);
  Result<std::string> store(const Target& target, Lane& lane, const Profile& profile);
  Result<void> finish_target(Target& target);
  void write_status();

  const Clock& clock_;
  DumpFormats formats_;
  Symbolizer* symbolizer_;
  Log log_;
  Hooks hooks_;
  DumpConfig config_;
  DumpWriter writer_;
  std::vector<std::unique_ptr<Target>> targets_;
  std::string last_error_;
};

/// The status as one JSON object, for a file that scripts read.
std::string dump_status_json(const DumpStatus& status, std::int64_t wall_ns);

/// A window and the one after it as one: counts add up, the header covers both.
Result<Profile> join_windows(const Profile& first, const Profile& next);

}  // namespace hprof
