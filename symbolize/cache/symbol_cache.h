// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/frame.h"

#include <cstdint>
#include <map>
#include <string>

namespace hprof::symbolize {

/// What was found for the addresses of one module, the unnamed ones too.
using KnownNames = std::map<std::uint64_t, Frames>;

/// The symbol cache on disk: one file for each build-id, with the frames of the addresses met so
/// far. A file that is damaged, of another version, or made from other debug info counts as absent.
/// Written whole and renamed, so readers and other writers never see half a file; the last writer
/// wins.
class SymbolCache {
 public:
  /// `dir` is made when first needed. Empty: no cache.
  SymbolCache(std::string dir, std::uint64_t max_bytes);

  /// $XDG_CACHE_HOME/hprof, else ~/.cache/hprof, else empty.
  static std::string default_dir();

  [[nodiscard]] bool enabled() const { return !dir_.empty(); }
  /// What is known of `key` (a build-id) from `source`, which says what debug info was used.
  [[nodiscard]] KnownNames load(const std::string& key, const std::string& source) const;
  /// Adds `names` to what the file holds. Failure to write is no failure of the profile: ignored.
  void save(const std::string& key, const std::string& source, const KnownNames& names) const;

 private:
  [[nodiscard]] std::string path_of(const std::string& key) const;
  void evict() const;

  std::string dir_;
  std::uint64_t max_bytes_;
};

/// The bytes of a cache file, and back. Reading yields nothing from bytes that do not fit in any
/// way.
std::string encode_names(const std::string& source, const KnownNames& names);
KnownNames decode_names(std::string_view bytes, const std::string& source);

}  // namespace hprof::symbolize
