// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/frame.h"
#include "symbolize/interval_map.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hprof::symbolize {

/// The kernel's functions and those of its modules, by the text of /proc/kallsyms.
class Kallsyms {
 public:
  /// Rows: "ffffffff81000000 T _stext", with "\t[module]" behind names of modules. Only code
  /// counts.
  static Kallsyms parse(std::string text);

  /// The function at `address`; empty if none, or if the kernel hides its addresses (all zero).
  [[nodiscard]] std::string_view find(std::uint64_t address) const;
  /// True if kernel.kptr_restrict, or the lack of a privilege, turned all addresses to zero.
  [[nodiscard]] bool is_hidden() const { return names_.empty(); }

 private:
  std::string text_;
  std::vector<std::string_view> names_;
  IntervalMap by_address_;
};

}  // namespace hprof::symbolize
