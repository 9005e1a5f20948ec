// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "convert_inputs.h"
#include "output_file.h"
#include "terminal.h"

#include <hprof/core/base/atomic_file.h>
#include <hprof/formats/collapse.h>

#include <memory>
#include <string>
#include <vector>

namespace hprof::cli {

/// What convert tells at its end.
struct ConvertSummary {
  std::vector<OutputFile> outputs;
  std::uint64_t samples = 0;
  bool filtered_all = false;
  std::vector<std::string> notes;
};

/// Says the notes, each once, on stderr; with --json one object on stdout, or on stderr where the
/// profile goes to stdout.
void say_summary(const ConvertSummary& summary, const OutputOptions& options, Terminal& terminal);

/// "samples/count, cpu/nanoseconds".
std::string sample_type_names(const Profile& profile);

/// Whether an output shows perf's stacks as the stack collapsers do, with the comm as root frame:
/// perf input straight to folded stacks or a flame graph. Source: SPEC.md section 6.
bool shows_collapsed(const ReadInputs& read, const OutputFile& file, const ConvertOptions& options);

/// Where a rewritten pprof goes: a file that has its name when it is whole, or stdout.
class PprofRewriteFile {
 public:
  static Result<PprofRewriteFile> create(const OutputFile& file);

  [[nodiscard]] ByteSink& sink();
  Result<void> commit();

 private:
  std::unique_ptr<AtomicFile> file_;
  std::unique_ptr<StringSink> text_;  ///< for stdout: nothing may be seen of a broken profile
};

}  // namespace hprof::cli
