// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hprof::symbolize {

/// A function that an address belongs to, and where in it.
struct Frame {
  std::string system_name;  ///< as in the symbol table
  std::string name;         ///< for people; empty: to be demangled from system_name
  std::string file;         ///< full path as the compiler saw it; empty if not known
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t start_line = 0;  ///< where the function is declared in `file`
  bool operator==(const Frame&) const = default;
};

/// The frames at one address, innermost inlined function first. Empty: no name.
using Frames = std::vector<Frame>;

}  // namespace hprof::symbolize
