// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/elf/elf_image.h"

#include <hprof/core/base/mapped_file.h>
#include <hprof/core/target/module.h>
#include <hprof/symbolize/symbolizer.h>

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace hprof::symbolize {

/// An ELF file found on disk.
struct DebugFile {
  MappedFile file;
  ElfImage image;
  std::string path;
  std::string identity;  ///< path, size and time of change: tells whether it was replaced
};
using DebugFilePtr = std::shared_ptr<const DebugFile>;

class Debuginfod;

/// Finds the files that hold what a module itself does not: separate debug info, dwz's shared part,
/// .dwo and .dwp. A file with another build-id is never used. Thread safe. Order: --debug-dir,
/// build-id folders in the sysroot, in the target's root, then ours; debuglink with its CRC;
/// debuginfod if asked. Source: gdb manual "Separate Debug Files".
class DebugFinder {
 public:
  explicit DebugFinder(const SymbolizerOptions& options);
  ~DebugFinder();
  DebugFinder(const DebugFinder&) = delete;
  DebugFinder& operator=(const DebugFinder&) = delete;

  /// The separate debug file of a module. `image` may be null where only the build-id is known.
  [[nodiscard]] DebugFilePtr find_debug(const Module& module, const ElfImage* image,
                                        const std::string& build_id) const;
  /// The image of a module whose own bytes are out of reach, by sysroot and build-id.
  [[nodiscard]] DebugFilePtr find_image(const Module& module, const std::string& build_id) const;
  /// What .gnu_debugaltlink or .debug_sup of `image`, found at `path`, leads to.
  [[nodiscard]] DebugFilePtr find_alt(const Module& module, const ElfImage& image,
                                      const std::string& path) const;
  /// The .dwo that a unit names.
  [[nodiscard]] DebugFilePtr find_dwo(const Module& module, std::string_view comp_dir,
                                      std::string_view name) const;
  /// The package of all .dwo: `<module>.dwp`, or beside the debug file.
  [[nodiscard]] DebugFilePtr find_dwp(const Module& module, const std::string& debug_path) const;

 private:
  [[nodiscard]] std::vector<std::string> roots(const Module& module) const;
  [[nodiscard]] DebugFilePtr by_build_id(const Module& module, const std::string& build_id) const;
  [[nodiscard]] DebugFilePtr by_debuglink(const Module& module, const ElfImage& image,
                                          const std::string& build_id) const;

  const SymbolizerOptions& options_;
  std::unique_ptr<Debuginfod> debuginfod_;
};

/// Opens an ELF file; nullptr if it is not one.
DebugFilePtr open_debug_file(const std::string& path);

}  // namespace hprof::symbolize
