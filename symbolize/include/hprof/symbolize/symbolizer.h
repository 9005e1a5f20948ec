// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/capture/raw_profile.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hprof::symbolize {

/// How the names of C++ and Rust functions are shown. The mangled one is always kept beside it.
enum class DemangleStyle {
  none,   ///< as in the symbol table
  names,  ///< without parameter lists
  full,   ///< with parameter lists, as c++filt prints them
};

struct SymbolizerOptions {
  /// Folders with separate debug info, searched before all others: `D/.build-id/ab/cdef.debug`,
  /// `D/<path of the module>.debug`, `D/<debuglink name>`.
  std::vector<std::string> debug_dirs{};
  /// A folder that stands for `/` of the profiled machine; modules without bytes and debug files
  /// are also looked for below it.
  std::string sysroot{};
  bool no_inlines = false;  ///< name only the function that really exists at an address
  bool debuginfod = false;  ///< ask the servers of $DEBUGINFOD_URLS
  std::chrono::milliseconds debuginfod_budget{10000};  ///< for all downloads of one symbolize()
  bool cache = true;
  std::string cache_dir{};  ///< empty: $XDG_CACHE_HOME/hprof, or ~/.cache/hprof
  std::uint64_t cache_max_bytes = std::uint64_t{256} << 20;
  std::string proc_root = "/proc";
  DemangleStyle demangle = DemangleStyle::full;
  unsigned threads = 0;  ///< 0: one for each CPU
};

/// A symbolizer for profiles of this machine. Not thread safe; works with threads of its own.
std::unique_ptr<Symbolizer> make_symbolizer(SymbolizerOptions options = {});

}  // namespace hprof::symbolize
