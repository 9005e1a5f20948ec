// SPDX-License-Identifier: Apache-2.0
#include "harmony_flags.h"

namespace hprof::cli {
namespace {

/// The setting with a key that keeps its value in the same place, or nullptr.
const Setting* setting_behind(const Setting& alias, Options& options) {
  for (const Setting* setting : all_settings()) {
    if (!setting->key.empty() && setting->slot(options) == alias.slot(options)) return setting;
  }
  return nullptr;
}

}  // namespace

void settle_harmony_flags(const Arguments& arguments, LoadedOptions& loaded) {
  bool switched = false;
  bool detailed = false;
  for (const auto& [setting, texts] : arguments.flags) {
    if (!setting->flag.starts_with("--pprof")) continue;
    switched = switched || setting->flag == "--pprof";
    detailed = detailed || setting->flag.starts_with("--pprof.");
    if (const Setting* meant = setting_behind(*setting, loaded.options)) {
      loaded.origins[meant] = "flag";
    }
  }
  if (!detailed || switched) return;
  loaded.options.serve.enabled = true;
  loaded.origins[find_key("serve.enabled")] = "flag";
}

}  // namespace hprof::cli
