// SPDX-License-Identifier: Apache-2.0
// Whatever a config file holds: it is refused, or completed by one insertion that a second run
// finds nothing to add to.
#include "cli/config_file.h"
#include "cli/harmony_edit.h"
#include "cli/native_config.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

using namespace hprof;       // NOLINT(google-build-using-namespace): a program, no header
using namespace hprof::cli;  // NOLINT(google-build-using-namespace)

void check(bool holds) {
  if (!holds) std::abort();
}

/// `longer` is `shorter` with one piece put in.
bool is_insertion(std::string_view shorter, std::string_view longer) {
  const auto at = std::ranges::mismatch(shorter, longer).in1 - shorter.begin();
  return longer.size() >= shorter.size() &&
         longer.ends_with(shorter.substr(static_cast<std::size_t>(at)));
}

void complete(const std::string& text) {
  const Result<HarmonyConfig> config = read_harmony_config(text, "f");
  if (!config) return;
  std::vector<std::string> warnings;
  static_cast<void>(settings_of_harmony(*config, warnings));
  const std::string native = native_config_of(*config, "f", warnings);
  LoadedOptions loaded;
  check(apply_config_text(native, "n", loaded).has_value());
  const Result<std::string> done = complete_harmony_config(text, *config, "f");
  if (!done) return;
  check(is_insertion(text, *done));
  const Result<HarmonyConfig> again = read_harmony_config(*done, "f");
  check(again && again->missing.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  complete(text);
  LoadedOptions loaded;
  static_cast<void>(apply_config_text(text, "f", loaded));
  const Result<std::string> native = migrate_native_config(text, "f");
  check(!native || is_insertion(text, *native));
  return 0;
}
