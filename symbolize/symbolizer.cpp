// SPDX-License-Identifier: Apache-2.0
#include "symbolize/coverage.h"
#include "symbolize/demangle.h"
#include "symbolize/file_names.h"
#include "symbolize/module_job.h"
#include "symbolize/parallel.h"
#include "symbolize/profile_merge.h"

#include <hprof/symbolize/symbolizer.h>

#include <algorithm>
#include <optional>
#include <thread>
#include <unordered_map>

namespace hprof::symbolize {
namespace {

using Progress = std::function<bool(const SymbolizeProgress&)>;

// A job with its file opened, while it is worked on.
struct OpenJob {
  ModuleJob job;
  std::optional<ElfImage> image;
  DebugFilePtr substitute;  // the module's own bytes are out of reach, but this is the same file
  std::unique_ptr<FileNames> names;
  std::vector<NamingTask> tasks;
};

class LocalSymbolizer final : public Symbolizer {
 public:
  explicit LocalSymbolizer(SymbolizerOptions options) : options_(std::move(options)) {
    if (options_.threads == 0) options_.threads = std::max(1U, std::thread::hardware_concurrency());
  }

  void symbolize(RawProfile& raw, const Progress& progress) override;
  [[nodiscard]] std::vector<std::string> coverage_notes() const override {
    return coverage_.notes();
  }

 private:
  void open_file(OpenJob& open, const DebugFinder& finder) const;
  void demangle_names(ModuleJob& job) const;

  SymbolizerOptions options_;
  Coverage coverage_;
};

void LocalSymbolizer::open_file(OpenJob& open, const DebugFinder& finder) const {
  ModuleJob& job = open.job;
  const Module& module = *job.module;
  if (module.kind != ModuleKind::file && module.kind != ModuleKind::vdso) return;
  auto parsed = ElfImage::parse(module.bytes());
  if (parsed) {
    open.image = *std::move(parsed);
  } else if (open.substitute = finder.find_image(module, job.build_id); open.substitute) {
    open.image = open.substitute->image;
  }
  const ElfImage* image = open.image ? &*open.image : nullptr;
  DebugFilePtr debug = finder.find_debug(module, image, job.build_id);
  const ElfImage* layout = image;
  if (layout == nullptr && debug) layout = &debug->image;
  if (layout == nullptr) {
    job.poverty = module.unreadable.empty() ? parsed.error().message : module.unreadable;
    return;
  }
  job.settle_addresses([&](std::uint64_t offset) { return layout->address_of_offset(offset); });
  open.names = FileNames::open(module, image, std::move(debug), finder);
  open.tasks = open.names->plan(job.addresses);
}

void LocalSymbolizer::demangle_names(ModuleJob& job) const {
  std::unordered_map<std::string, std::string> known;
  for (Frames& frames : job.frames) {
    for (Frame& frame : frames) {
      if (!frame.name.empty()) continue;
      const auto [row, fresh] = known.try_emplace(frame.system_name);
      if (fresh) row->second = demangle(frame.system_name, options_.demangle);
      frame.name = row->second;
    }
  }
}

void LocalSymbolizer::symbolize(RawProfile& raw, const Progress& progress) {
  const DebugFinder finder{options_};
  std::vector<OpenJob> open;
  SymbolizeProgress state;
  for (ModuleJob& job : make_jobs(raw)) {
    state.total += job.places.size();
    open.emplace_back().job = std::move(job);
  }
  const auto keep_on = [&](std::size_t) { return !progress || progress(state); };
  bool go_on = run_parallel(
      open.size(), options_.threads, [&](std::size_t i) { open_file(open[i], finder); }, keep_on);

  std::vector<std::pair<OpenJob*, const NamingTask*>> tasks;
  for (OpenJob& job : open) {
    for (const NamingTask& task : job.tasks) tasks.emplace_back(&job, &task);
  }
  const auto run_task = [&](std::size_t i) {
    OpenJob& job = *tasks[i].first;
    job.names->run(*tasks[i].second, job.job.addresses, job.job.frames);
  };
  go_on = go_on && run_parallel(tasks.size(), options_.threads, run_task, keep_on);
  for (OpenJob& job : open) {
    demangle_names(job.job);
    merge_names(job.job, options_.no_inlines, raw.profile);
    if (job.names) job.job.poverty = job.names->poverty();
    if (go_on) coverage_.add(job.job);
  }
}

}  // namespace

std::unique_ptr<Symbolizer> make_symbolizer(SymbolizerOptions options) {
  return std::make_unique<LocalSymbolizer>(std::move(options));
}

}  // namespace hprof::symbolize
