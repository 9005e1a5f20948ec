// SPDX-License-Identifier: Apache-2.0
#include "capture_setup.h"
#include "commands.h"
#include "output_file.h"
#include "record_command.h"
#include "record_report.h"
#include "stop_signals.h"
#include "terminal.h"

#include <hprof/core/base/clock.h>
#include <hprof/core/profile/kinds.h>

#include <fmt/format.h>

#include <signal.h>

#include <algorithm>

namespace hprof::cli {
namespace {

/// Kinds that this version can record; a kind of profile is worth its name only with an engine.
constexpr std::string_view kRecordable[] = {"cpu"};

Result<void> check_kinds(const std::vector<std::string>& kinds) {
  if (kinds.empty()) return Error{ErrorKind::usage, "no kind to record", {}};
  for (const std::string& name : kinds) {
    if (name == "all" || std::ranges::find(kRecordable, name) != std::end(kRecordable)) continue;
    return Error{ErrorKind::unsupported,
                 fmt::format("kind {} cannot be recorded by hprof {}", name, HPROF_VERSION),
                 fmt::format("this version records: {}", fmt::join(kRecordable, ", "))};
  }
  return {};
}

/// One run of `hprof record`, from the targets to the exit status.
class Recording {
 public:
  Recording(const Options& options, StopSignals& signals)
      : options_(options), signals_(signals), terminal_(options.output, process_environment()) {}

  Result<int> run() {
    HPROF_TRY(choose());
    HPROF_TRY(sample());
    if (facts_.stats.samples == 0) return no_sample();
    symbolize();
    HPROF_TRY(write());
    return finish();
  }

 private:
  Result<void> choose();
  Result<std::unique_ptr<CpuSampler>> open_sampler(const SamplerOptions& engine);
  Result<void> sample();
  void symbolize();
  Result<void> write();
  Result<void> print_json();
  Result<int> no_sample();
  Result<int> finish();
  Result<int> status_of_command(int own);

  /// A command that left a daemon behind has ended all the same.
  bool command_ended() { return targets_.command && targets_.command->try_wait().has_value(); }
  [[nodiscard]] bool given_up() { return signals_.at_least(StopStage::abandon); }
  [[nodiscard]] Error abandoned() const {
    return {ErrorKind::failed, "given up, no file is left", {}};
  }
  void show_sampling();

  const Options& options_;
  StopSignals& signals_;
  Terminal terminal_;
  SystemClock clock_;
  ChosenTargets targets_;
  std::vector<OutputFile> files_;
  std::unique_ptr<Unwinder> unwinder_;
  std::unique_ptr<CpuSampler> sampler_;
  CpuSampler::State state_ = CpuSampler::State::running;
  RawProfile raw_;
  RecordingFacts facts_;
  std::optional<Error> unwritten_;  ///< why a file could not be written
  std::int64_t shown_ns_ = 0;
};

Result<void> Recording::choose() {
  HPROF_TRY(check_kinds(options_.record.kinds));
  std::vector<std::string> patterns = options_.output.files;
  if (patterns.empty()) patterns.emplace_back("hprof-%n-%p-%k-%t.pb.gz");
  // Formats first: a mistyped name should not wait for the target.
  HPROF_ASSIGN(files_, choose_formats(patterns, options_.output.format));
  HPROF_ASSIGN(targets_, choose_targets(options_.target,
                                        [this] { return signals_.at_least(StopStage::finish); }));
  NameFields fields = targets_.name_fields();
  fields.kind = "cpu";
  fields.time_ns = clock_.wall_ns();
  for (OutputFile& file : files_) {
    HPROF_ASSIGN(file.path, fill_pattern(file.path, fields));
    HPROF_TRY(probe_output(file));
  }
  return {};
}

void Recording::show_sampling() {
  if (!terminal_.is_terminal()) return;
  const std::int64_t now = clock_.monotonic_ns();
  if (now - shown_ns_ < 200'000'000) return;
  shown_ns_ = now;
  const SamplerStats stats = sampler_->stats();
  terminal_.progress(fmt::format("{:.1f} s  {} samples  {} lost  {} threads  (Ctrl-C stops)",
                                 static_cast<double>(stats.duration_ns) / 1e9, stats.samples,
                                 stats.lost, stats.threads));
}

Result<std::unique_ptr<CpuSampler>> Recording::open_sampler(const SamplerOptions& engine) {
  auto opened = CpuSampler::open(engine, targets_.for_sampler(), *unwinder_);
  // That a command's children are followed is our idea, not the user's: better without than not.
  if (opened || !targets_.command || options_.target.children) return opened;
  const std::string why = opened.error().message;
  targets_.children = false;
  opened = CpuSampler::open(engine, targets_.for_sampler(), *unwinder_);
  if (opened) {
    facts_.warnings.push_back(fmt::format("the command's children are not recorded: {}", why));
  }
  return opened;
}

Result<void> Recording::sample() {
  HPROF_ASSIGN(const SamplerOptions engine, sampler_options(options_));
  unwinder_ = unwinder_for(options_.capture);
  HPROF_ASSIGN(sampler_, open_sampler(engine));
  SampleStore::Cursor cursor = sampler_->store().open_cursor();
  HPROF_TRY(sampler_->start());
  facts_.engine = sampler_->report().sentence();
  terminal_.detail(fmt::format("recording {}: {}", targets_.sentence(), facts_.engine));
  HPROF_ASSIGN(state_, run_sampler(*sampler_, options_.record.duration, [this] {
                 show_sampling();
                 return signals_.at_least(StopStage::finish) || command_ended();
               }));
  sampler_->stop();
  terminal_.clear();
  facts_.stats = sampler_->stats();
  for (std::string& warning : sampler_->warnings()) facts_.warnings.push_back(std::move(warning));
  raw_ = sampler_->store().cut(cursor);
  return given_up() ? Result<void>{abandoned()} : Result<void>{};
}

void Recording::symbolize() {
  if (options_.symbols.no_symbols) return;
  const std::unique_ptr<Symbolizer> symbolizer = symbolizer_for(options_);
  const std::int64_t began = clock_.monotonic_ns();
  symbolizer->symbolize(raw_, [&](const SymbolizeProgress& progress) {
    const double spent = static_cast<double>(clock_.monotonic_ns() - began) / 1e9;
    if (spent > 0.3 && progress.done > 0) {
      const double left = spent * static_cast<double>(progress.total - progress.done) /
                          static_cast<double>(progress.done);
      const bool stopped = signals_.at_least(StopStage::finish);
      terminal_.progress(fmt::format("symbolizing {}/{}  {:.0f} s left  (Ctrl-C{} writes now)",
                                     progress.done, progress.total, left, stopped ? "" : " twice"));
    }
    return !signals_.at_least(StopStage::hurry);
  });
  terminal_.clear();
  if (signals_.at_least(StopStage::hurry)) {
    facts_.warnings.emplace_back("written before every address had its name, as you asked");
  }
  facts_.symbol_notes = symbolizer->coverage_notes();
}

Result<void> Recording::write() {
  facts_.modules = module_coverage(raw_.profile);
  const bool filters = !targets_.threads.empty();
  if (auto few = why_so_few(facts_, options_.capture.rate, filters)) {
    facts_.warnings.push_back(std::move(*few));
  }
  measure_ourselves(facts_);
  add_comments(facts_, raw_.profile);
  formats::WriteOptions write;
  write.sample_type = raw_.profile.default_sample_type_index();
  write.title = options_.output.title.empty()
                    ? fmt::format("{}, cpu, {:.1f} s", targets_.sentence(), facts_.duration_s())
                    : options_.output.title;
  for (const OutputFile& file : files_) {
    auto done = write_output(file, raw_.profile, write, [this] { return given_up(); });
    if (given_up()) return abandoned();
    if (done) {
      facts_.files.push_back(file.path);
    } else if (!unwritten_) {
      // The other files are still worth writing; a recording cannot be repeated.
      unwritten_ = std::move(done).error();
    }
  }
  return {};
}

Result<void> Recording::print_json() {
  if (!options_.output.json) return {};
  const std::string json = summary_json(facts_) + "\n";
  if (!std::ranges::any_of(files_, &OutputFile::is_stdout)) return write_stdout(json);
  fmt::print(stderr, "{}", json);
  return {};
}

Result<int> Recording::no_sample() {
  measure_ourselves(facts_);
  for (const std::string& warning : facts_.warnings) terminal_.warn(warning);
  HPROF_TRY(print_json());
  const bool gone = state_ == CpuSampler::State::targets_gone;
  if (targets_.command) {
    HPROF_ASSIGN(const int status, status_of_command(exit_code(ErrorKind::nothing_recorded)));
    terminal_.warn("nothing recorded, no file written: the command used too little CPU time");
    return status;
  }
  if (gone) {
    return Error{ErrorKind::target_gone,
                 fmt::format("{} ended before the first sample", targets_.sentence()),
                 {}};
  }
  const auto why = why_so_few(facts_, options_.capture.rate, !targets_.threads.empty());
  return Error{ErrorKind::nothing_recorded,
               fmt::format("nothing recorded, no file written: {}", why.value_or("no sample")),
               {}};
}

Result<int> Recording::status_of_command(int own) {
  return wait_for_command(*targets_.command, signals_, terminal_, own);
}

Result<int> Recording::finish() {
  measure_ourselves(facts_);
  for (const std::string& line : summary_lines(facts_)) terminal_.say(line);
  for (const std::string& note : facts_.symbol_notes) terminal_.detail(note);
  for (const std::string& warning : facts_.warnings) {
    if (terminal_.loudness() != Loudness::quiet) terminal_.warn(warning);
  }
  HPROF_TRY(print_json());
  if (unwritten_) return *unwritten_;
  int own = 0;
  for (const std::string& gate :
       failed_gates(facts_, options_.output.strict, options_.output.max_lost)) {
    terminal_.warn(gate);
    own = exit_code(ErrorKind::quality_gate);
  }
  return targets_.command ? status_of_command(own) : Result<int>{own};
}

}  // namespace

Result<int> run_record(Options& options) {
  // A reader that closes our stdout is an error of write(2), not the end of us with a target held.
  ::signal(SIGPIPE, SIG_IGN);
  HPROF_ASSIGN(const std::unique_ptr<StopSignals> signals, StopSignals::install());
  return Recording{options, *signals}.run();
}

}  // namespace hprof::cli
