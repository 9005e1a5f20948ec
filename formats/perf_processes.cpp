// SPDX-License-Identifier: Apache-2.0
#include "perf_processes.h"

namespace hprof::formats::perf {

ModulePtr Processes::module(const std::string& path, const std::string& build_id, bool kernel) {
  ModulePtr& known = modules_[{path, build_id}];
  if (known != nullptr) return known;
  if (!kernel && opener_ != nullptr) known = opener_(path, build_id);
  if (known == nullptr) {
    Module made;
    made.kind = kernel ? ModuleKind::kernel
                       : path.starts_with('/') ? ModuleKind::file : ModuleKind::other;
    made.path = path;
    made.build_id = build_id;
    known = std::make_shared<const Module>(std::move(made));
  }
  return known;
}

void Processes::map(const Mapped& mapped) {
  Space& space = mapped.kernel ? kernel_ : spaces_[mapped.pid];
  std::uint64_t end = mapped.start + mapped.size;
  if (end < mapped.start) end = ~std::uint64_t{0};  // kernels of old reach to the top
  std::string path{mapped.path};
  // "[kernel.kallsyms]_text": the symbol behind it tells perf how far the kernel was moved.
  if (const std::size_t close = path.find("]_"); mapped.kernel && close != std::string::npos) {
    path.resize(close + 1);
  }
  constexpr std::string_view kDeleted = " (deleted)";
  if (path.ends_with(kDeleted)) path.resize(path.size() - kDeleted.size());
  const std::uint64_t offset = mapped.kernel ? 0 : mapped.file_offset;
  space.ranges.map({mapped.start, end, offset, module(path, mapped.build_id, mapped.kernel)});
  space.epoch = ++last_epoch_;
}

void Processes::comm(std::int32_t pid, std::int32_t tid, std::string_view name, bool exec) {
  names_[tid] = std::string{name};
  ++name_epoch_;
  if (!exec) return;
  Space& space = spaces_[pid];
  space.ranges.clear();
  space.epoch = ++last_epoch_;
}

void Processes::fork(std::int32_t pid, std::int32_t parent_pid, std::int32_t tid,
                     std::int32_t parent_tid) {
  if (const auto parent = names_.find(parent_tid); parent != names_.end()) {
    names_[tid] = std::string{parent->second};
    ++name_epoch_;
  }
  if (pid == parent_pid) return;
  const auto parent = spaces_.find(parent_pid);
  if (parent == spaces_.end()) return;
  Space copy = parent->second;
  copy.epoch = ++last_epoch_;
  spaces_[pid] = std::move(copy);
}

const Processes::Space& Processes::user(std::int32_t pid) {
  Space& space = spaces_[pid];
  if (space.epoch == 0) space.epoch = ++last_epoch_;
  return space;
}

std::string Processes::name(std::int32_t pid, std::int32_t tid) const {
  if (const auto own = names_.find(tid); own != names_.end()) return own->second;
  if (const auto process = names_.find(pid); process != names_.end()) return process->second;
  return tid == 0 ? std::string{"swapper"} : ":" + std::to_string(tid);
}

}  // namespace hprof::formats::perf
