// SPDX-License-Identifier: Apache-2.0
#include "commands.h"
#include "convert_inputs.h"
#include "convert_output.h"
#include "output_file.h"
#include "symbolize_profile.h"
#include "terminal.h"
#include "time_point.h"

#include <hprof/core/base/clock.h>
#include <hprof/core/profile/diff.h>
#include <hprof/core/profile/granularity.h>
#include <hprof/core/profile/merge.h>
#include <hprof/formats/pprof.h>

#include <fmt/format.h>

namespace hprof::cli {
namespace {

struct Times {
  std::optional<std::int64_t> since_ns;
  std::optional<std::int64_t> until_ns;
};

Result<Times> parse_times(const ConvertOptions& options) {
  const std::int64_t now = SystemClock{}.wall_ns();
  Times times;
  if (!options.since.empty()) {
    HPROF_ASSIGN(times.since_ns, parse_time_point(options.since, now));
  }
  if (!options.until.empty()) {
    HPROF_ASSIGN(times.until_ns, parse_time_point(options.until, now));
  }
  if (times.since_ns && times.until_ns && *times.since_ns > *times.until_ns) {
    return Error{ErrorKind::usage, "--since is later than --until", {}};
  }
  return times;
}

Result<std::vector<OutputFile>> outputs_of(const OutputOptions& output) {
  std::vector<std::string> paths = output.files;
  if (paths.empty() && output.format.empty()) {
    return Error{ErrorKind::usage, "no output", "name files with -o, or a --format for stdout"};
  }
  if (paths.empty()) paths.emplace_back("-");
  HPROF_ASSIGN(std::vector<OutputFile> files, choose_formats(paths, output.format));
  for (const OutputFile& file : files) HPROF_TRY(probe_output(file));
  return files;
}

Result<void> check_usage(const Options& options) {
  const ConvertOptions& c = options.convert;
  if (options.inputs.empty()) {
    return Error{ErrorKind::usage, "no input", "name profiles, dump folders or - for stdin"};
  }
  if (!c.bases.empty() && !c.diff_bases.empty()) {
    return Error{ErrorKind::usage, "--base and --diff-base exclude each other", {}};
  }
  if (c.normalize && c.bases.empty() && c.diff_bases.empty()) {
    return Error{ErrorKind::usage, "--normalize needs --base or --diff-base", {}};
  }
  if (c.gzip_level > 9) return Error{ErrorKind::usage, "--gzip-level is 0 to 9", {}};
  return {};
}

// Nothing to do but to pack the same bytes anew?
bool is_rewrite(const Options& options, std::span<const OutputFile> outputs,
                const std::vector<std::string>& inputs) {
  const ConvertOptions& c = options.convert;
  const bool as_is = c.bases.empty() && c.diff_bases.empty() && !c.filter.any() &&
                     c.sample_type.empty() && c.granularity.empty() && !c.short_names &&
                     !c.symbolize && !c.demangle && !options.symbols.no_inlines && !c.recover &&
                     c.since.empty() && c.until.empty() &&
                     (c.input_format.empty() || c.input_format == "pprof");
  return as_is && inputs.size() == 1 && inputs[0] != "-" && outputs.size() == 1 &&
         outputs[0].format->write == formats::write_pprof;
}

class Conversion {
 public:
  Conversion(Options& options, Terminal& terminal) : options_(options), terminal_(terminal) {}

  Result<int> run() {
    HPROF_TRY(check_usage(options_));
    HPROF_ASSIGN(outputs_, outputs_of(options_.output));
    HPROF_ASSIGN(times_, parse_times(options_.convert));
    HPROF_ASSIGN(const std::vector<std::string> inputs, expand(options_.inputs));
    if (is_rewrite(options_, outputs_, inputs)) {
      HPROF_ASSIGN(const RewriteOutcome outcome, rewrite(inputs[0]));
      if (outcome == RewriteOutcome::done) return finish();
    }
    HPROF_ASSIGN(ReadInputs read, read_inputs(inputs, input_format(), read_options()));
    remark_on_times(read);
    HPROF_TRY(transform(read.profile));
    summary_.samples = read.profile.sample_count();
    HPROF_TRY(check_samples());
    for (const OutputFile& file : outputs_) HPROF_TRY(write(file, read));
    return finish();
  }

 private:
  enum class RewriteOutcome { done, not_pprof };

  Result<std::vector<std::string>> expand(const std::vector<std::string>& paths) {
    return expand_folders(paths, options_.convert, times_.since_ns, times_.until_ns);
  }

  [[nodiscard]] const formats::Format* input_format() const {
    return options_.convert.input_format.empty()
               ? nullptr
               : formats::find_format(options_.convert.input_format);
  }

  formats::ReadOptions read_options() {
    formats::ReadOptions read;
    read.event = options_.convert.event;
    read.recover = options_.convert.recover;
    read.demangle = options_.convert.demangle;
    read.since_ns = times_.since_ns;
    read.until_ns = times_.until_ns;
    read.notes = &summary_.notes;
    return read;
  }

  Result<RewriteOutcome> rewrite(const std::string& path) {
    HPROF_ASSIGN(InputFile input, InputFile::open(path));
    HPROF_ASSIGN(PprofRewriteFile file, PprofRewriteFile::create(outputs_[0]));
    Result<std::optional<formats::RewriteSummary>> done = formats::rewrite_pprof(
        input.source(), file.sink(), path, read_options(), write_options(outputs_[0], nullptr));
    if (!done) return done.error().within(input.name());
    if (!*done) return RewriteOutcome::not_pprof;
    summary_.samples = (*done)->samples;
    HPROF_TRY(check_samples());
    HPROF_TRY(file.commit());
    return RewriteOutcome::done;
  }

  // Times select samples of perf recordings and files of dump folders only.
  void remark_on_times(const ReadInputs& read) {
    if (!times_.since_ns && !times_.until_ns) return;
    const bool by_sample = read.format != nullptr && read.format->name.starts_with("perf");
    const bool by_file = read.files != options_.inputs.size();
    if (!by_sample && !by_file && read.format != nullptr) {
      summary_.notes.push_back(
          fmt::format("--since and --until select nothing in {} inputs", read.format->name));
    }
  }

  Result<void> transform(Profile& profile) {
    const ConvertOptions& c = options_.convert;
    const std::uint32_t before = profile.sample_count();
    HPROF_TRY(subtract(profile));
    if (c.symbolize) symbolize_profile(profile, options_.symbols, summary_.notes);
    HPROF_TRY(filter_profile(profile, c.filter, &summary_.notes));
    AggregateOptions aggregation;
    aggregation.no_inlines = options_.symbols.no_inlines;
    aggregation.short_names = c.short_names;
    if (!c.granularity.empty()) {
      HPROF_ASSIGN(aggregation.granularity, parse_granularity(c.granularity));
    }
    aggregate(profile, aggregation);
    const bool changed = c.filter.any() || !c.granularity.empty() || aggregation.no_inlines ||
                         aggregation.short_names;
    if (changed) profile = compact(profile);
    if (before != 0 && profile.sample_count() == 0) summary_.filtered_all = true;
    return choose_sample_type(profile);
  }

  Result<void> subtract(Profile& profile) {
    const ConvertOptions& c = options_.convert;
    const bool compares = !c.diff_bases.empty();
    const std::vector<std::string>& bases = compares ? c.diff_bases : c.bases;
    if (bases.empty()) return {};
    HPROF_ASSIGN(const std::vector<std::string> paths, expand(bases));
    HPROF_ASSIGN(const ReadInputs base, read_inputs(paths, input_format(), read_options()));
    const DiffKind kind = compares ? DiffKind::compare : DiffKind::subtract;
    HPROF_ASSIGN(profile, diff_profiles(profile, base.profile, kind, c.normalize));
    return {};
  }

  Result<void> choose_sample_type(Profile& profile) const {
    const std::string& wanted = options_.convert.sample_type;
    if (wanted.empty()) return {};
    const std::optional<std::size_t> column = profile.find_sample_type(wanted);
    if (!column) {
      return Error{ErrorKind::usage, fmt::format("no sample type '{}'", wanted),
                   "there are: " + sample_type_names(profile)};
    }
    profile.header.default_sample_type = profile.sample_types()[*column].type;
    return {};
  }

  Result<void> check_samples() const {
    if (summary_.samples != 0 || options_.convert.allow_empty) return {};
    return Error{ErrorKind::nothing_recorded,
                 summary_.filtered_all ? "no sample is left after filtering"
                                       : "the profile has no samples",
                 "--allow-empty writes it all the same"};
  }

  formats::WriteOptions write_options(const OutputFile& file, const Profile* profile) {
    const ConvertOptions& c = options_.convert;
    formats::WriteOptions write;
    if (profile != nullptr) write.sample_type = column_of(*profile);
    write.title = options_.output.title;
    write.gzip_level = file.path.ends_with(".pb") ? 0 : static_cast<int>(c.gzip_level);
    write.inverted = c.inverted;
    write.reverse = c.reverse;
    write.min_width = c.min_width / 100;
    write.negative = !c.bases.empty() || !c.diff_bases.empty();
    write.top_count = static_cast<std::size_t>(c.top_count);
    write.short_names = c.short_names;
    write.notes = &summary_.notes;
    return write;
  }

  // find_sample_type() tells apart types of one name by their units.
  [[nodiscard]] std::size_t column_of(const Profile& profile) const {
    const std::string& wanted = options_.convert.sample_type;
    const auto column = wanted.empty() ? std::nullopt : profile.find_sample_type(wanted);
    return column ? *column : profile.default_sample_type_index();
  }

  Result<void> write(const OutputFile& file, const ReadInputs& read) {
    const formats::WriteOptions options = write_options(file, &read.profile);
    if (file.format->one_value && read.profile.sample_types().size() > 1 &&
        options_.convert.sample_type.empty()) {
      const ValueType& type = read.profile.sample_types()[options.sample_type];
      summary_.notes.push_back(fmt::format(
          "{} holds one value, {} of {}: --sample-type takes another", file.format->name,
          read.profile.string(type.type), sample_type_names(read.profile)));
    }
    if (shows_collapsed(read, file, options_.convert)) {
      return write_output(file, formats::collapse_view(read.profile, {}), options);
    }
    return write_output(file, read.profile, options);
  }

  Result<int> finish() {
    summary_.outputs = outputs_;
    say_summary(summary_, options_.output, terminal_);
    return 0;
  }

  Options& options_;
  Terminal& terminal_;
  std::vector<OutputFile> outputs_;
  Times times_;
  ConvertSummary summary_;
};

}  // namespace

Result<int> run_convert(Options& options) {
  Terminal terminal{options.output, process_environment()};
  return Conversion{options, terminal}.run();
}

}  // namespace hprof::cli
