// SPDX-License-Identifier: Apache-2.0
#include "symbolize/coverage.h"
#include "symbolize/file_job.h"
#include "symbolize/jit/jit_names.h"
#include "symbolize/kernel/kallsyms.h"
#include "symbolize/parallel.h"
#include "symbolize/profile_merge.h"

#include <hprof/core/target/proc_fs.h>
#include <hprof/symbolize/symbolizer.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <thread>

namespace hprof::symbolize {
namespace {

using Progress = std::function<bool(const SymbolizeProgress&)>;

class LocalSymbolizer final : public Symbolizer {
 public:
  explicit LocalSymbolizer(SymbolizerOptions options)
      : options_(std::move(options)), cache_(cache_dir(options_), options_.cache_max_bytes) {
    if (options_.threads == 0) options_.threads = std::max(1U, std::thread::hardware_concurrency());
  }

  void symbolize(RawProfile& raw, const Progress& progress) override;
  [[nodiscard]] std::vector<std::string> coverage_notes() const override {
    return coverage_.notes();
  }

 private:
  static std::string cache_dir(const SymbolizerOptions& options) {
    if (!options.cache) return {};
    return options.cache_dir.empty() ? SymbolCache::default_dir() : options.cache_dir;
  }
  bool name_files(std::deque<FileJob>& jobs, SymbolizeProgress state,
                  const Progress& progress) const;
  void name_jit(ModuleJob& job) const;
  void name_kernel(ModuleJob& job);
  void finish(const ModuleJob& job, bool complete, Profile& profile);

  SymbolizerOptions options_;
  SymbolCache cache_;
  Coverage coverage_;
  std::optional<Kallsyms> kallsyms_;  // read once: some ten megabytes of text
};

void LocalSymbolizer::name_jit(ModuleJob& job) const {
  job.settle_addresses([](std::uint64_t address) { return std::optional{address}; });
  job.poverty = name_jit_code(options_.proc_root, job.module->pid, job.addresses, job.frames);
}

void LocalSymbolizer::name_kernel(ModuleJob& job) {
  if (!kallsyms_) {
    auto text = read_text_file(options_.proc_root + "/kallsyms", std::size_t{256} << 20);
    kallsyms_ = Kallsyms::parse(text ? *std::move(text) : std::string{});
  }
  if (kallsyms_->is_hidden()) job.poverty = "the kernel hides its symbols (kernel.kptr_restrict)";
  job.settle_addresses([](std::uint64_t address) { return std::optional{address}; });
  for (std::size_t i = 0; i < job.addresses.size(); ++i) {
    const std::string_view name = kallsyms_->find(job.addresses[i]);
    if (name.empty()) continue;
    Frame frame;
    frame.system_name = name;
    frame.name = name;
    job.frames[i] = {std::move(frame)};
  }
}

bool LocalSymbolizer::name_files(std::deque<FileJob>& jobs, SymbolizeProgress state,
                                 const Progress& progress) const {
  const std::size_t before = state.done;
  std::size_t task_count = 0;  // not known until all files are open
  const auto keep_on = [&](std::size_t done) {
    if (task_count != 0) state.done = before + (state.total - before) * done / task_count;
    return !progress || progress(state);
  };
  const auto open = [&](std::size_t i) { jobs[i].open(); };
  if (!run_parallel(jobs.size(), options_.threads, open, keep_on)) return false;
  std::vector<std::pair<FileJob*, const NamingTask*>> tasks;
  for (FileJob& job : jobs) {
    for (const NamingTask& task : job.tasks()) tasks.emplace_back(&job, &task);
  }
  // The largest shares first, so that none is left for a lone thread at the end.
  std::ranges::stable_sort(tasks, [](const auto& a, const auto& b) {
    return a.second->indexes.size() > b.second->indexes.size();
  });
  task_count = tasks.size();
  const auto run = [&](std::size_t i) { tasks[i].first->run(*tasks[i].second); };
  return run_parallel(tasks.size(), options_.threads, run, keep_on);
}

void LocalSymbolizer::finish(const ModuleJob& job, bool complete, Profile& profile) {
  merge_names(job, options_.no_inlines, profile);
  if (complete) coverage_.add(job);  // a run that was cut short says nothing about a module
}

void LocalSymbolizer::symbolize(RawProfile& raw, const Progress& progress) {
  const DebugFinder finder{options_};
  std::deque<FileJob> files;
  SymbolizeProgress state;
  for (ModuleJob& job : make_jobs(raw)) {
    state.total += job.places.size();
    const ModuleKind kind = job.module->kind;
    if (kind == ModuleKind::file || kind == ModuleKind::vdso) {
      files.emplace_back(std::move(job), finder, cache_, options_.demangle);
      continue;
    }
    if (kind == ModuleKind::jit) name_jit(job);
    if (kind == ModuleKind::kernel) name_kernel(job);
    finish(job, true, raw.profile);
    state.done += job.places.size();
  }
  const bool complete = name_files(files, state, progress);
  const auto close = [&](std::size_t i) { files[i].close(complete); };
  run_parallel(files.size(), options_.threads, close, [](std::size_t) { return true; });
  for (const FileJob& file : files) finish(file.job(), complete, raw.profile);
}

}  // namespace

std::unique_ptr<Symbolizer> make_symbolizer(SymbolizerOptions options) {
  return std::make_unique<LocalSymbolizer>(std::move(options));
}

}  // namespace hprof::symbolize
