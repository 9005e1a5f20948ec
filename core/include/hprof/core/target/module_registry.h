// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/target/address_space.h>
#include <hprof/core/target/proc_fs.h>
#include <hprof/core/target/proc_maps.h>

#include <map>
#include <mutex>
#include <tuple>

namespace hprof {

/// Opens what code is mapped from, each file once, whichever process maps it. Thread safe.
class ModuleRegistry {
 public:
  explicit ModuleRegistry(ProcFs proc = ProcFs{}) : proc_(std::move(proc)) {}

  /// The module behind one executable line of maps. Never null: what cannot be opened says why.
  /// A file is looked for in map_files, then below /proc/PID/root, then as we see the path; it is
  /// believed only if device and inode (or `build_id`, lower-case hex, where given) fit.
  ModulePtr open(int pid, const MapsEntry& entry, const std::string& build_id = {});
  /// The kernel itself; one for all.
  ModulePtr kernel();
  /// Executable memory without a file in one process; one for each process.
  ModulePtr jit(int pid);
  /// Reads /proc/PID/maps into an address space. Errors: as reading the file.
  Result<AddressSpace> read_address_space(int pid);
  /// Forgets modules that nobody else holds.
  void drop_unused();

  [[nodiscard]] const ProcFs& proc() const { return proc_; }

 private:
  // device, inode, mtime, size, path: what makes two mappings the same file
  using FileKey = std::tuple<std::uint64_t, std::uint64_t, std::int64_t, std::int64_t, std::string>;
  ModulePtr open_file(int pid, const MapsEntry& entry, const std::string& build_id);
  ModulePtr open_vdso(int pid, const MapsEntry& entry);

  ProcFs proc_;
  std::mutex mutex_;
  std::map<FileKey, std::weak_ptr<const Module>> files_;
  std::map<int, std::weak_ptr<const Module>> jits_;
  std::weak_ptr<const Module> vdso_;
  ModulePtr kernel_;
};

}  // namespace hprof
