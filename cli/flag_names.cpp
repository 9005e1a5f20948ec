// SPDX-License-Identifier: Apache-2.0
#include "flag_names.h"

#include <algorithm>

namespace hprof::cli {

std::vector<std::string_view> flag_names(const Setting& setting) {
  std::vector<std::string_view> names;
  for (std::string_view rest = setting.flag; !rest.empty();) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    names.push_back(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return names;
}

ValueKind value_kind(const Setting& setting) {
  if (setting.unit == Unit::flag || setting.value.starts_with("[")) return ValueKind::none;
  if (setting.choices != nullptr) return ValueKind::words;
  if (setting.value.starts_with("FILE")) return ValueKind::file;
  if (setting.value.starts_with("DIR") || setting.value.starts_with("PATH")) {
    return ValueKind::folder;
  }
  return setting.value.starts_with("PID") ? ValueKind::pid : ValueKind::anything;
}

bool is_in_tier(const Setting& setting, const Command& command, Visibility visibility) {
  return (setting.commands & command.bit) != 0 && setting.visibility == visibility &&
         setting.replaced_by.empty();
}

}  // namespace hprof::cli
