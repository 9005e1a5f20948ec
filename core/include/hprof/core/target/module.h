// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/mapped_file.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hprof {

enum class ModuleKind {
  file,    ///< an ELF image on disk (perhaps deleted or replaced since)
  vdso,    ///< the kernel's shared object; its bytes were copied from the target
  jit,     ///< executable memory without a file: perf maps and jitdump name its code
  kernel,  ///< the kernel itself; addresses are kernel addresses
  other,   ///< [vsyscall] and whatever else has a name but no bytes
};

/// One thing that code is mapped from, as seen by the process `pid` when it was first met.
/// A file is opened then, so that it can be read after it was deleted or replaced.
struct Module {
  ModuleKind kind = ModuleKind::other;
  std::string path;      ///< as the target names it, without " (deleted)"
  bool deleted = false;  ///< the path no longer leads to this file
  int pid = 0;           ///< whose mount and pid namespaces `path` and perf maps are found in
  MappedFile file;       ///< empty if unreadable, see `unreadable`
  std::vector<std::byte> copied;  ///< the image of a vdso
  std::string unreadable;         ///< why there are no bytes, one line; empty if there are
  std::string build_id;           ///< lower-case hex where the kernel told it, else empty

  [[nodiscard]] Bytes bytes() const { return copied.empty() ? file.bytes() : Bytes{copied}; }
};

using ModulePtr = std::shared_ptr<const Module>;

}  // namespace hprof
