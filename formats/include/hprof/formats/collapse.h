// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/profile/profile.h>

#include <string>
#include <string_view>

namespace hprof::formats {

/// Whose way to shorten names. inferno: parameter lists go, Rust names are repaired and lose their
/// hash. flamegraph: all behind the first parenthesis goes, though it be a template's, and quotes.
enum class CollapseNames { inferno, flamegraph, full };

/// How names look where perf's output goes straight to folded stacks or a flame graph. The default
/// is that of the collapsers without options; the others are their options.
struct CollapseStyle {
  bool comm_root = true;   ///< the thread's name is the root frame
  bool pid = false;        ///< … with "-PID"; "?" where it is unknown
  bool tid = false;        ///< … with "-PID/TID"
  bool addresses = false;  ///< unknown frames carry their address: "[libc.so <7f01>]"
  bool kernel = false;     ///< kernel frames end in "_[k]"
  bool jit = false;        ///< frames of perf maps end in "_[j]"
  bool inlined = false;    ///< frames inlined by a compiler end in "_[i]", as those of JITs always do
  CollapseNames names = CollapseNames::inferno;
};

/// `profile` as stackcollapse-perf.pl shows it: one name a frame, no labels, no addresses; all value
/// columns stay.
/// Source: stackcollapse-perf.pl of FlameGraph and collapse-perf of inferno.
Profile collapse_view(const Profile& profile, const CollapseStyle& style);

/// A function name shortened; `java` drops the L of descriptors too.
std::string tidy_name(std::string_view name, CollapseNames names, bool java);
/// "_$LT$A$u20$as$u20$B$GT$::f::h0123456789abcdef" -> "<A as B>::f"; other names as they are.
std::string repair_rust_name(std::string_view name);

}  // namespace hprof::formats
