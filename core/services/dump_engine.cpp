// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/profile/kinds.h>
#include <hprof/core/services/dump_engine.h>

#include <fmt/format.h>

#include <algorithm>

namespace hprof {

struct DumpEngine::Lane {
  DumpKind kind;
  bool is_window = false;
  std::unique_ptr<ProfileSource> source;
  CutSchedule schedule;
  std::int64_t window_start_ns = 0;
  std::optional<Profile> waiting;
  std::uint64_t files = 0;
  std::uint64_t joined = 0;
  std::string last_file;
  std::string last_error;
};

struct DumpEngine::Target {
  DumpTarget about;
  std::vector<std::unique_ptr<Lane>> lanes;
};

namespace {

std::string who(const DumpTarget& target) {
  return target.pid == 0 ? target.name : fmt::format("{} ({})", target.pid, target.name);
}

}  // namespace

DumpEngine::DumpEngine(const Clock& clock, DumpFormats formats, Symbolizer* symbolizer, Log log,
                       Hooks hooks)
    : clock_(clock),
      formats_(formats),
      symbolizer_(symbolizer),
      log_(log),
      hooks_(std::move(hooks)),
      writer_(clock, std::move(log)) {
  HPROF_CHECK(formats_.proto != nullptr);
}

DumpEngine::~DumpEngine() = default;

Result<void> DumpEngine::configure(DumpConfig config) {
  HPROF_TRY(check_dump_config(config));
  HPROF_TRY(writer_.prepare(config));
  const DumpConfig old = std::exchange(config_, std::move(config));
  for (const std::unique_ptr<Target>& target : targets_) adopt_kinds(*target);
  write_status();
  return {};
}

/// Brings the lanes of a running target in line with the configuration.
void DumpEngine::adopt_kinds(Target& target) {
  std::vector<std::unique_ptr<Lane>> old = std::move(target.lanes);
  target.lanes.clear();
  const std::int64_t now = clock_.monotonic_ns();
  for (const DumpKind& kind : config_.kinds) {
    const auto same = std::ranges::find_if(
        old, [&kind](const auto& lane) { return lane && lane->kind.kind == kind.kind; });
    if (same == old.end()) {
      if (Result<std::unique_ptr<Lane>> lane = open_lane(target, kind); lane) {
        target.lanes.push_back(*std::move(lane));
      }
      continue;
    }
    if ((*same)->kind.interval != kind.interval) (*same)->schedule = {now, kind.interval};
    (*same)->kind = kind;
    target.lanes.push_back(std::move(*same));
  }
  for (const std::unique_ptr<Lane>& lane : old) {
    if (!lane) continue;
    if (const Result<void> done = cut(target, *lane); !done) last_error_ = done.error().message;
  }
}

Result<std::unique_ptr<DumpEngine::Lane>> DumpEngine::open_lane(const Target& target,
                                                                const DumpKind& kind) {
  Result<std::unique_ptr<ProfileSource>> source = target.about.open_source(kind.kind);
  if (!source) {
    const Error& why = source.error();
    log_line(log_, LogLevel::warning,
             fmt::format("{}: no {} profiles: {}{}{}", who(target.about), kind.kind, why.message,
                         why.hint.empty() ? "" : "; ", why.hint));
    return source.error();
  }
  auto lane = std::make_unique<Lane>(
      Lane{kind, find_kind(kind.kind)->is_window, *std::move(source),
           CutSchedule{clock_.monotonic_ns(), kind.interval}, clock_.wall_ns(), {}, 0, 0, {}, {}});
  return lane;
}

Result<void> DumpEngine::add_target(DumpTarget about) {
  auto target = std::make_unique<Target>();
  target->about = std::move(about);
  std::optional<Error> first;
  for (const DumpKind& kind : config_.kinds) {
    Result<std::unique_ptr<Lane>> lane = open_lane(*target, kind);
    if (lane) {
      target->lanes.push_back(*std::move(lane));
    } else if (!first) {
      first = lane.error().within(fmt::format("{}: cannot dump {}", who(target->about), kind.kind));
    }
  }
  if (target->lanes.empty() && first) return *first;
  targets_.push_back(std::move(target));
  write_status();
  return {};
}

std::optional<std::int64_t> DumpEngine::next_due_ns() const {
  std::optional<std::int64_t> next;
  for (const auto& target : targets_) {
    for (const auto& lane : target->lanes) {
      const std::optional<std::int64_t> mine = lane->schedule.next_ns();
      if (mine && (!next || *mine < *next)) next = mine;
    }
  }
  return next;
}

void DumpEngine::run_due() {
  bool any = false;
  for (const auto& target : targets_) {
    for (const auto& lane : target->lanes) {
      const std::int64_t now = clock_.monotonic_ns();
      if (!lane->schedule.due(now)) continue;
      any = true;
      lane->schedule.advance(now);
      if (const Result<void> done = cut(*target, *lane); !done) {
        last_error_ = done.error().message;
      }
    }
  }
  if (any) write_status();
}

void DumpEngine::cut_all() {
  for (const auto& target : targets_) {
    for (const auto& lane : target->lanes) {
      if (const Result<void> done = cut(*target, *lane); !done) {
        last_error_ = done.error().message;
      }
    }
  }
  write_status();
}

/// The window that has just ended, with names, and with those before it that still wait.
Result<Profile> DumpEngine::take(Lane& lane) {
  HPROF_ASSIGN(RawProfile raw, lane.source->cut());
  if (symbolizer_ != nullptr) {
    symbolizer_->symbolize(raw, [this](const SymbolizeProgress&) {
      if (hooks_.heartbeat) hooks_.heartbeat();
      return !hooks_.hurry || !hooks_.hurry();
    });
  }
  if (!lane.waiting) return std::move(raw.profile);
  // A snapshot shows one moment: a newer one takes the place of the one that waited.
  if (!lane.is_window) {
    lane.waiting.reset();
    return std::move(raw.profile);
  }
  HPROF_ASSIGN(Profile joined, join_windows(*lane.waiting, raw.profile));
  lane.waiting.reset();
  ++lane.joined;
  return joined;
}

Result<std::string> DumpEngine::store(const Target& target, Lane& lane, const Profile& profile) {
  const bool text = lane.kind.debug > 0 && !lane.is_window &&
                    formats_.text[static_cast<std::size_t>(lane.kind.debug) - 1] != nullptr;
  const ProfileWriter& writer =
      text ? *formats_.text[static_cast<std::size_t>(lane.kind.debug) - 1] : *formats_.proto;
  StringSink bytes;
  HPROF_TRY(writer.write(profile, bytes));
  DumpName name;
  name.kind = lane.kind.kind;
  name.pid = target.about.pid;
  name.text = text;
  const std::int64_t start =
      profile.header.time_nanos > 0 ? profile.header.time_nanos : lane.window_start_ns;
  name.start_s = std::max<std::int64_t>(start, 0) / 1'000'000'000;
  return writer_.write(config_, lane.kind, std::move(name), bytes.text());
}

Result<void> DumpEngine::cut(const Target& target, Lane& lane) {
  if (hooks_.heartbeat) hooks_.heartbeat();
  Result<Profile> profile = take(lane);
  if (!profile) {
    lane.last_error = profile.error().message;
    log_line(log_, LogLevel::warning,
             fmt::format("{}: no {} profile this time: {}", who(target.about), lane.kind.kind,
                         lane.last_error));
    return profile.error();
  }
  lane.window_start_ns = clock_.wall_ns();
  Result<std::string> path = store(target, lane, *profile);
  if (!path) {
    lane.waiting = *std::move(profile);
    lane.last_error = path.error().message;
    return path.error();
  }
  ++lane.files;
  lane.last_file = *std::move(path);
  return {};
}

Result<void> DumpEngine::finish_target(Target& target) {
  Result<void> first;
  for (const auto& lane : target.lanes) {
    const Result<void> done = cut(target, *lane);
    if (done) continue;
    last_error_ = done.error().message;
    if (first) {
      first = done.error().within(
          fmt::format("the last {} window of {} is lost", lane->kind.kind, who(target.about)));
    }
  }
  return first;
}

Result<void> DumpEngine::remove_target(int pid) {
  const auto found =
      std::ranges::find_if(targets_, [pid](const auto& t) { return t->about.pid == pid; });
  if (found == targets_.end()) return {};
  const std::unique_ptr<Target> target = std::move(*found);
  targets_.erase(found);
  const Result<void> done = finish_target(*target);
  write_status();
  return done;
}

void DumpEngine::forget_target(int pid) {
  std::erase_if(targets_, [pid](const auto& target) { return target->about.pid == pid; });
  write_status();
}

Result<void> DumpEngine::finish() {
  Result<void> first;
  const std::vector<std::unique_ptr<Target>> all = std::move(targets_);
  targets_.clear();
  for (const auto& target : all) {
    Result<void> done = finish_target(*target);
    if (!done && first) first = std::move(done);
  }
  write_status();
  return first;
}

DumpStatus DumpEngine::status() const {
  DumpStatus out;
  out.folder = config_.folder;
  out.files_written = writer_.files_written();
  out.files_removed = writer_.files_removed();
  out.last_error = last_error_;
  const std::int64_t offset = clock_.wall_ns() - clock_.monotonic_ns();
  for (const auto& target : targets_) {
    for (const auto& lane : target->lanes) {
      LaneStatus s;
      s.pid = target->about.pid;
      s.target = target->about.name;
      s.kind = lane->kind.kind;
      s.files = lane->files;
      s.joined = lane->joined;
      s.waiting = lane->waiting.has_value();
      s.last_file = lane->last_file;
      s.last_error = lane->last_error;
      s.window_start_ns = lane->window_start_ns;
      if (const auto next = lane->schedule.next_ns()) s.next_cut_ns = *next + offset;
      out.lanes.push_back(std::move(s));
    }
  }
  return out;
}

void DumpEngine::write_status() {
  if (config_.status_file.empty()) return;
  AtomicFileOptions options;
  options.mode = 0640;
  options.owner = config_.owner;
  Result<AtomicFile> file = AtomicFile::create(config_.status_file, options);
  // On a full disk the windows matter, and they have said so already.
  if (!file || !file->write(dump_status_json(status(), clock_.wall_ns()))) return;
  if (const Result<void> done = file->commit(); !done) return;
}

}  // namespace hprof
