// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/cache/symbol_cache.h"
#include "symbolize/debuginfo/debug_files.h"
#include "symbolize/file_names.h"
#include "symbolize/module_job.h"

namespace hprof::symbolize {

/// The naming of one module with an ELF image: opened, worked off task by task (in parallel),
/// closed.
class FileJob {
 public:
  FileJob(ModuleJob job, const DebugFinder& finder, const SymbolCache& cache, DemangleStyle style)
      : job_(std::move(job)), finder_(finder), cache_(cache), style_(style) {}

  /// Finds the image and its debug file, takes what the cache knows, and plans the rest.
  void open();
  [[nodiscard]] const std::vector<NamingTask>& tasks() const { return tasks_; }
  void run(const NamingTask& task) { names_->run(task, job_.addresses, job_.frames); }
  /// Demangles and, if `complete`, remembers the names found.
  void close(bool complete);
  [[nodiscard]] const ModuleJob& job() const { return job_; }

 private:
  void take_known();
  void demangle_names();
  [[nodiscard]] std::string cache_key() const;

  ModuleJob job_;
  const DebugFinder& finder_;
  const SymbolCache& cache_;
  DemangleStyle style_;
  std::optional<ElfImage> image_;
  DebugFilePtr substitute_;  // the module's own bytes are out of reach, but this is the same file
  std::string source_;       // what the names come from, for the cache
  std::unique_ptr<FileNames> names_;
  std::vector<NamingTask> tasks_;
};

}  // namespace hprof::symbolize
