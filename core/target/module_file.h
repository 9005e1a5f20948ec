// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/unique_fd.h>
#include <hprof/core/target/proc_fs.h>
#include <hprof/core/target/proc_maps.h>

#include <sys/stat.h>

namespace hprof {

/// The open file behind an executable mapping.
struct ModuleFile {
  UniqueFd fd;
  struct stat status {};
  bool at_path = false;  ///< found under the name the target uses
};

/// Finds the file that a process maps: by map_files (needs CAP_SYS_ADMIN), by /proc/PID/exe, below
/// /proc/PID/root, then by the path as we see it. All but the first must fit device and inode, or,
/// where those lie (overlayfs, btrfs), the bytes the process has mapped.
/// Errors: why none could be taken, one line.
Result<ModuleFile> find_module_file(const ProcFs& proc, int pid, const MapsEntry& entry);

}  // namespace hprof
