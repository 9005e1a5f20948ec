// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/profile/profile.h>
#include <hprof/core/target/module.h>

#include <functional>
#include <vector>

namespace hprof {

/// A profile whose locations are addresses only, and the modules that can name them.
struct RawProfile {
  Profile profile;
  /// By MappingId; [0] and mappings without bytes may be null.
  std::vector<ModulePtr> modules;
};

struct SymbolizeProgress {
  std::size_t done = 0;
  std::size_t total = 0;  ///< distinct locations
};

/// Names the locations of a raw profile, in place.
class Symbolizer {
 public:
  virtual ~Symbolizer() = default;
  /// Fills the lines of every location that can be named, and the has_* flags of mappings.
  /// `progress` is called now and then from the calling thread; returning false stops the work
  /// and leaves the rest unnamed. It never fails: what cannot be named stays an address.
  virtual void symbolize(RawProfile& raw,
                         const std::function<bool(const SymbolizeProgress&)>& progress) = 0;
  /// One line for each module with poor coverage, since construction: "libfoo.so: 12 of 340 ...".
  [[nodiscard]] virtual std::vector<std::string> coverage_notes() const = 0;
};

}  // namespace hprof
