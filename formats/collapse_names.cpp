// SPDX-License-Identifier: Apache-2.0
#include <hprof/formats/collapse.h>

#include <algorithm>
#include <array>
#include <utility>

namespace hprof::formats {
namespace {

// "net/http.(*Client).Do": what stands in parentheses belongs to a Go method's name.
bool is_go_method(std::string_view name) {
  const std::size_t open = name.find(".(");
  return open != std::string_view::npos && name.find(").", open + 2) != std::string_view::npos;
}

std::size_t parameters_at(std::string_view name) {
  for (std::size_t at = name.find('('); at != std::string_view::npos; at = name.find('(', at + 1)) {
    if (!name.substr(at).starts_with("(anonymous namespace)")) return at;
  }
  return std::string_view::npos;
}

// Where the parameter list begins: the first parenthesis outside of templates and lambdas that is
// neither a Go receiver nor an anonymous namespace.
std::size_t outer_parameters_at(std::string_view name) {
  int depth = 0;
  for (std::size_t at = 0; at < name.size(); ++at) {
    const char c = name[at];
    if (c == '<' || c == '{' || c == '[') ++depth;
    if (c == '>' || c == '}' || c == ']' || c == ')') --depth;
    if (c != '(') continue;
    const bool go_receiver = at > 0 && name[at - 1] == '.';
    if (depth == 0 && !go_receiver && !name.substr(at).starts_with("(anonymous namespace)")) {
      return at;
    }
    ++depth;
  }
  return name.size();
}

bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 16> kRustEscapes{{
    {"$SP$", "@"},   {"$BP$", "*"},   {"$RF$", "&"},   {"$LT$", "<"},
    {"$GT$", ">"},   {"$LP$", "("},   {"$RP$", ")"},   {"$C$", ","},
    {"$u7e$", "~"},  {"$u20$", " "},  {"$u27$", "'"},  {"$u3d$", "="},
    {"$u5b$", "["},  {"$u5d$", "]"},  {"$u7b$", "{"},  {"$u7d$", "}"},
}};

}  // namespace

std::string tidy_name(std::string_view name, CollapseNames names, bool java) {
  if (names == CollapseNames::full) return std::string{name};
  std::string out;
  if (names == CollapseNames::inferno) {
    out = repair_rust_name(name);
    out.resize(outer_parameters_at(out));
  } else {
    out = name.substr(0, is_go_method(name) ? name.size() : parameters_at(name));
    std::erase_if(out, [](char c) { return c == '"' || c == '\''; });
  }
  std::ranges::replace(out, ';', ':');
  if (java && out.starts_with('L') && out.find('/') != std::string::npos) out.erase(0, 1);
  return out;
}

std::string repair_rust_name(std::string_view name) {
  constexpr std::size_t kHash = 17;  // "h" and 16 hex digits
  if (name.size() < kHash || name[name.size() - kHash] != 'h' ||
      !std::all_of(name.end() - (kHash - 1), name.end(), is_hex)) {
    return std::string{name};
  }
  name.remove_suffix(kHash);
  if (name.ends_with("::")) name.remove_suffix(2);
  if (name.starts_with("_$")) name.remove_prefix(1);
  std::string out;
  while (!name.empty()) {
    if (name.front() == '$') {
      const auto escape =
          std::ranges::find_if(kRustEscapes, [&](const auto& e) { return name.starts_with(e.first); });
      if (escape == kRustEscapes.end()) return out.append(name);
      out += escape->second;
      name.remove_prefix(escape->first.size());
    } else if (name.starts_with("..")) {
      out += "::";
      name.remove_prefix(2);
    } else {
      const std::size_t plain = name.front() == '.' ? 1 : std::min(name.find_first_of("$."), name.size());
      out += name.substr(0, plain);
      name.remove_prefix(plain);
    }
  }
  return out;
}

}  // namespace hprof::formats
