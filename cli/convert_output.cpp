// SPDX-License-Identifier: Apache-2.0
#include "convert_output.h"

#include "json_object.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>

namespace hprof::cli {
namespace {

std::vector<std::string> distinct(const std::vector<std::string>& notes) {
  std::vector<std::string> out;
  for (const std::string& note : notes) {
    if (std::ranges::find(out, note) == out.end()) out.push_back(note);
  }
  return out;
}

}  // namespace

void say_summary(const ConvertSummary& summary, const OutputOptions& options, Terminal& terminal) {
  const std::vector<std::string> notes = distinct(summary.notes);
  for (const std::string& note : notes) terminal.say("hprof: " + note);
  std::vector<std::string> paths;
  bool to_stdout = false;
  for (const OutputFile& file : summary.outputs) {
    paths.push_back(file.path);
    to_stdout |= file.is_stdout();
  }
  if (options.json) {
    JsonObject object;
    object.add("files", paths);
    object.add("samples", summary.samples);
    object.add("warnings", notes);
    fmt::print(to_stdout ? stderr : stdout, "{}\n", object.text());
    return;
  }
  if (!to_stdout) {
    terminal.detail(fmt::format("{} samples written to {}", summary.samples,
                                fmt::join(paths, ", ")));
  }
}

std::string sample_type_names(const Profile& profile) {
  std::string names;
  for (const ValueType& type : profile.sample_types()) {
    names += fmt::format("{}{}/{}", names.empty() ? "" : ", ", profile.string(type.type),
                         profile.string(type.unit));
  }
  return names;
}

bool shows_collapsed(const ReadInputs& read, const OutputFile& file,
                     const ConvertOptions& options) {
  constexpr std::array<std::string_view, 3> kGraphs = {"folded", "svg", "html"};
  return read.files == 1 && read.format != nullptr && read.format->name.starts_with("perf") &&
         std::ranges::find(kGraphs, file.format->name) != kGraphs.end() &&
         options.bases.empty() && options.diff_bases.empty() && options.filter.tag_root.empty() &&
         options.granularity.empty();
}

Result<PprofRewriteFile> PprofRewriteFile::create(const OutputFile& file) {
  PprofRewriteFile out;
  if (file.is_stdout()) {
    out.text_ = std::make_unique<StringSink>();
    return out;
  }
  HPROF_ASSIGN(AtomicFile opened, AtomicFile::create(file.path, user_file_options()));
  out.file_ = std::make_unique<AtomicFile>(std::move(opened));
  return out;
}

ByteSink& PprofRewriteFile::sink() {
  if (file_) return *file_;
  return *text_;
}

Result<void> PprofRewriteFile::commit() {
  return file_ ? file_->commit() : write_stdout(text_->text());
}

}  // namespace hprof::cli
