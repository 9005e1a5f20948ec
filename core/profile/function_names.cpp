// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/profile/function_names.h>

#include <algorithm>
#include <array>

namespace hprof {
namespace {

constexpr std::string_view kAnonymous = "(anonymous namespace)";

// What may follow a parameter list.
constexpr std::array<std::string_view, 6> kSuffixes = {" const", " volatile", " &", " &&",
                                                       " noexcept", "[abi:cxx11]"};

std::string_view without_suffixes(std::string_view name) {
  for (bool again = true; again;) {
    again = false;
    for (const std::string_view suffix : kSuffixes) {
      if (name.ends_with(suffix)) {
        name.remove_suffix(suffix.size());
        again = true;
      }
    }
    const std::size_t clone = name.ends_with(']') ? name.rfind(" [clone ") : std::string_view::npos;
    if (clone != std::string_view::npos) {
      name = name.substr(0, clone);
      again = true;
    }
  }
  return name;
}

// Where the group that ends at the last ')' begins, or npos.
std::size_t matching_open(std::string_view name) {
  std::size_t depth = 0;
  for (std::size_t i = name.size(); i > 0; --i) {
    if (name[i - 1] == ')') ++depth;
    if (name[i - 1] == '(' && --depth == 0) return i - 1;
  }
  return std::string_view::npos;
}

}  // namespace

std::string short_function_name(std::string_view name) {
  const std::string_view core = without_suffixes(name);
  if (!core.ends_with(')')) return std::string{name};
  const std::size_t open = matching_open(core);
  if (open == std::string_view::npos || open == 0) return std::string{name};
  const std::string_view front = core.substr(0, open);
  // The list of "operator()()" is the second group; Go's "(*T)" is part of a name.
  if (core.substr(open) == kAnonymous || core.substr(open).starts_with("(*") ||
      (front.ends_with("operator") && core.substr(open) == "()")) {
    return std::string{name};
  }
  return std::string{front};
}

std::string_view simplified_function_name(std::string_view name) {
  if (name.starts_with('.')) name.remove_prefix(1);
  constexpr std::string_view kCall = "operator()";
  for (std::size_t at = name.find('('); at != std::string_view::npos; at = name.find('(', at + 1)) {
    if (name.substr(at).starts_with(kAnonymous)) {
      at += kAnonymous.size() - 1;
      continue;
    }
    const std::size_t start = at >= kCall.size() - 2 ? at - (kCall.size() - 2) : 0;
    if (name.substr(start).starts_with(kCall)) continue;
    return name.substr(0, at);
  }
  return name;
}

}  // namespace hprof
