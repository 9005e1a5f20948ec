// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/target/process_memory.h>
#include <hprof/core/target/module_registry.h>

#include "module_file.h"
#include "kernel_build_id.h"

#include <algorithm>
#include <array>
#include <utility>

namespace hprof {
namespace {

constexpr std::size_t kMaxVdsoBytes = std::size_t{1} << 20;

/// Executable memory that a program filled itself, by the names the kernel gives to such ranges.
bool is_anonymous(std::string_view path) {
  constexpr std::array<std::string_view, 8> kPrefixes{
      "//anon", "[anon", "[heap]", "[stack", "/dev/zero", "/SYSV", "/anon_hugepage", "anon_inode:"};
  return path.empty() ||
         std::ranges::any_of(kPrefixes, [path](std::string_view p) { return path.starts_with(p); });
}

bool has_elf_magic(Bytes bytes) { return as_text(bytes).starts_with("\x7f" "ELF"); }

}  // namespace

ModulePtr ModuleRegistry::open(int pid, const MapsEntry& entry, const std::string& build_id) {
  if (entry.path == "[vdso]") return open_vdso(pid, entry);
  if (is_anonymous(entry.path)) return jit(pid);
  if (entry.path.front() == '/') {
    ModulePtr file = open_file(pid, entry, build_id);
    // JIT compilers map a memfd twice, once to write and once to run.
    const bool memfd = entry.path.starts_with("/memfd:");
    return memfd && !has_elf_magic(file->bytes()) ? jit(pid) : file;
  }
  auto module = std::make_shared<Module>();
  module->path = entry.path;
  module->pid = pid;
  module->unreadable = "not a file";
  return module;
}

ModulePtr ModuleRegistry::open_file(int pid, const MapsEntry& entry, const std::string& build_id) {
  auto module = std::make_shared<Module>();
  module->kind = ModuleKind::file;
  module->path = entry.path;
  module->deleted = entry.deleted;
  module->pid = pid;
  module->build_id = build_id;
  Result<ModuleFile> found = find_module_file(proc_, pid, entry);
  if (!found) {
    module->unreadable = found.error().message;
    return module;
  }
  const struct stat& s = found->status;
  FileKey key{s.st_dev, s.st_ino, s.st_mtim.tv_sec * 1'000'000'000 + s.st_mtim.tv_nsec, s.st_size,
              entry.path};
  const std::lock_guard lock{mutex_};
  std::weak_ptr<const Module>& known = files_[std::move(key)];
  if (ModulePtr held = known.lock()) return held;
  Result<MappedFile> bytes = MappedFile::map(found->fd.get(), entry.path);
  if (bytes) {
    module->file = std::move(*bytes);
  } else {
    module->unreadable = bytes.error().message;
  }
  known = module;
  return module;
}

ModulePtr ModuleRegistry::open_vdso(int pid, const MapsEntry& entry) {
  auto module = std::make_shared<Module>();
  module->kind = ModuleKind::vdso;
  module->path = entry.path;
  module->pid = pid;
  module->copied.resize(
      static_cast<std::size_t>(std::min<std::uint64_t>(entry.end - entry.start, kMaxVdsoBytes)));
  module->copied.resize(ProcessMemory{pid}.read(entry.start, module->copied));
  if (module->copied.empty()) module->unreadable = "the memory of the process cannot be read";
  const std::lock_guard lock{mutex_};
  const ModulePtr known = vdso_.lock();
  if (known != nullptr && known->copied == module->copied) return known;
  vdso_ = module;
  return module;
}

ModulePtr ModuleRegistry::jit(int pid) {
  const std::lock_guard lock{mutex_};
  std::weak_ptr<const Module>& known = jits_[pid];
  if (ModulePtr held = known.lock()) return held;
  auto module = std::make_shared<Module>();
  module->kind = ModuleKind::jit;
  module->path = "[jit]";
  module->pid = pid;
  known = module;
  return module;
}

ModulePtr ModuleRegistry::kernel() {
  const std::lock_guard lock{mutex_};
  if (kernel_ == nullptr) {
    auto module = std::make_shared<Module>();
    module->kind = ModuleKind::kernel;
    module->path = "[kernel.kallsyms]";
    module->build_id = kernel_build_id("/sys/kernel/notes");
    kernel_ = std::move(module);
  }
  return kernel_;
}

Result<AddressSpace> ModuleRegistry::read_address_space(int pid) {
  HPROF_ASSIGN(const std::string text, proc_.read(pid, "maps"));
  AddressSpace space;
  for (const MapsEntry& entry : parse_maps(text)) {
    if (!entry.executable) continue;
    space.map({entry.start, entry.end, entry.file_offset, open(pid, entry)});
  }
  return space;
}

void ModuleRegistry::drop_unused() {
  const std::lock_guard lock{mutex_};
  std::erase_if(files_, [](const auto& item) { return item.second.expired(); });
  std::erase_if(jits_, [](const auto& item) { return item.second.expired(); });
}

}  // namespace hprof
