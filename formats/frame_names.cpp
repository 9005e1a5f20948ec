// SPDX-License-Identifier: Apache-2.0
#include "frame_names.h"

#include <algorithm>

namespace hprof::formats {
namespace {

// The end of the group that opens at `open`, or npos.
std::size_t matching_parenthesis(std::string_view text, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return i;
  }
  return std::string_view::npos;
}

bool is_parameter_list(std::string_view before, std::string_view group) {
  if (before.empty()) return false;
  if (group.starts_with("(anonymous") || group.starts_with("(*")) return false;
  return before.back() != '.' && !(group == "()" && before.ends_with("operator"));
}

std::string_view base_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace

std::string short_name(std::string_view name) {
  std::string out;
  out.reserve(name.size());
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '(') {
      const std::size_t end = matching_parenthesis(name, i);
      if (end == std::string_view::npos) return out.append(name.substr(i));
      const std::string_view group = name.substr(i, end - i + 1);
      if (!is_parameter_list(name.substr(0, i), group)) out.append(group);
      i = end;
    } else {
      out.push_back(name[i]);
    }
  }
  return out;
}

FrameNames::FrameNames(const Profile& profile, bool short_names) {
  by_string_.assign(profile.string_count(), 0);
  // A function may have the very text that an unsymbolized frame shows, "[unknown]" above all.
  if (!short_names) {
    for (FunctionId f = 1; f <= profile.function_count(); ++f) {
      const StringId id = profile.function(f).name;
      if (by_string_[id] == 0 && profile.string(id).starts_with('[')) {
        by_string_[id] = intern(profile.string(id), 0, f) + 1;
      }
    }
  }
  first_.reserve(profile.location_count() + std::size_t{2});
  first_.push_back(0);
  for (LocationId id = 0; id <= profile.location_count(); ++id) {
    if (id != 0) {
      for (std::size_t line = frame_count(profile, id); line-- > 0;) {
        frames_.push_back(name_of(profile, id, line, short_names));
      }
    }
    first_.push_back(frames_.size());
  }
}

NameId FrameNames::intern(std::string_view text, LocationId location, FunctionId function) {
  if (const auto found = by_text_.find(text); found != by_text_.end()) return found->second;
  const NameId id = size();
  names_.push_back(computed_[computed_.intern(text)]);
  location_of_.push_back(location);
  function_of_.push_back(function);
  by_text_.emplace(names_.back(), id);
  return id;
}

NameId FrameNames::name_of(const Profile& profile, LocationId location, std::size_t line,
                           bool short_names) {
  const std::span<const Line> lines = profile.lines(location);
  const FunctionId function = line < lines.size() ? lines[line].function : 0;
  const StringId text = profile.function(function).name;
  NameId id = 0;
  if (text == 0) {
    id = intern(frame_name(profile, location, line), location, 0);
  } else if (by_string_[text] != 0) {
    id = by_string_[text] - 1;
  } else if (short_names) {
    id = intern(short_name(profile.string(text)), location, function);
    by_string_[text] = id + 1;
  } else {
    id = size();
    names_.push_back(profile.string(text));
    location_of_.push_back(location);
    function_of_.push_back(function);
    by_string_[text] = id + 1;
  }
  if (location_of_[id] == 0) location_of_[id] = location;
  return id;
}

std::string_view module_of(const Profile& profile, const FrameNames& names, NameId id) {
  const LocationId location = names.sample_location(id);
  if (location != 0 && profile.location(location).mapping != 0) {
    const Mapping& mapping = profile.mapping(profile.location(location).mapping);
    const std::string_view module = base_name(profile.string(mapping.filename));
    if (!module.empty()) return module;
  }
  const std::string_view name = names.name(id);
  if (name.ends_with("_[k]")) return "[kernel]";
  if (name.starts_with('[')) return name.substr(0, name.find_first_of("+]"));
  if (const std::size_t tick = name.find('`'); tick != std::string_view::npos) {
    return name.substr(0, tick);  // DTrace: module`function
  }
  const std::string_view head = name.substr(0, name.find_first_of("(<"));
  const std::size_t slash = head.rfind('/');  // Go and Java: path/package.function
  const std::size_t dot = head.find_first_of(".:", slash == std::string_view::npos ? 0 : slash);
  return dot == std::string_view::npos ? std::string_view{} : head.substr(0, dot);
}

}  // namespace hprof::formats
