// SPDX-License-Identifier: Apache-2.0
#include "harmony_edit.h"

#include "toml_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace hprof::cli {
namespace {

using Kind = TomlStatement::Kind;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_pprof_in_any_case(std::string_view key) {
  constexpr std::string_view kName = "pprof";
  return std::ranges::equal(key, kName, [](char x, char y) { return lower(x) == y; });
}

/// How the file spells the section that counts: exactly if it can, else the first other spelling in
/// the alphabet, which is the one that read_harmony_config() finds.
std::string spelling(std::span<const TomlStatement> statements) {
  std::string found;
  bool at_root = true;
  for (const TomlStatement& s : statements) {
    at_root = at_root && s.kind == Kind::pair;
    if (s.kind == Kind::pair && !at_root) continue;
    if (s.path.front() == "Pprof") return "Pprof";
    if (!is_pprof_in_any_case(s.path.front())) continue;
    if (found.empty() || s.path.front() < found) found = s.path.front();
  }
  return found;
}

struct Insertion {
  std::size_t at = 0;
  std::string text;
};

class Editor {
 public:
  Editor(std::string_view text, const HarmonyConfig& config)
      : text_(text),
        config_(config),
        statements_(scan_toml(text)),
        section_(spelling(statements_)),
        newline_(text.find("\r\n") != std::string_view::npos ? "\r\n" : "\n") {}

  [[nodiscard]] Insertion plan() const {
    if (!section_.empty()) {
      bool at_root = true;
      const TomlStatement* dotted = nullptr;
      for (std::size_t i = 0; i < statements_.size(); ++i) {
        const TomlStatement& s = statements_[i];
        at_root = at_root && s.kind == Kind::pair;
        if (s.path.front() != section_) continue;
        if (s.kind == Kind::table && s.path.size() == 1) return into_section(i);
        if (s.kind != Kind::pair || !at_root) continue;
        if (s.path.size() == 1) return into_inline_table(s);
        dotted = &s;
      }
      if (dotted != nullptr) return after_line(*dotted, section_ + ".");
    }
    return new_section();
  }

 private:
  [[nodiscard]] static std::string_view default_of(std::string_view key) {
    const auto found = std::ranges::find(kHarmonyKeys, key);
    return kHarmonyDefaults[static_cast<std::size_t>(found - kHarmonyKeys.begin())];
  }

  [[nodiscard]] std::string lines(std::string_view indent, std::string_view prefix) const {
    std::string out;
    for (const std::string_view key : config_.missing) {
      out += fmt::format("{}{}{} = {}{}", indent, prefix, key, default_of(key), newline_);
    }
    return out;
  }

  [[nodiscard]] std::string_view indentation(const TomlStatement& s) const {
    return text_.substr(s.line_begin, s.begin - s.line_begin);
  }

  /// New lines right below the last line of a statement, indented like it.
  [[nodiscard]] Insertion below(const TomlStatement& s, std::string_view indent,
                                std::string_view prefix) const {
    const bool has_newline = s.line_end > 0 && text_[s.line_end - 1] == '\n';
    return {s.line_end, (has_newline ? "" : newline_) + lines(indent, prefix)};
  }

  [[nodiscard]] Insertion after_line(const TomlStatement& s, std::string_view prefix) const {
    return below(s, indentation(s), prefix);
  }

  /// Below the last pair of the section whose header is statement `header`.
  [[nodiscard]] Insertion into_section(std::size_t header) const {
    std::size_t last = header;
    while (last + 1 < statements_.size() && statements_[last + 1].kind == Kind::pair) ++last;
    if (last != header) return after_line(statements_[last], "");
    const std::string indent = std::string{indentation(statements_[header])} + "  ";
    return below(statements_[header], indent, "");
  }

  /// Before the closing brace of Pprof = { ... }.
  [[nodiscard]] Insertion into_inline_table(const TomlStatement& s) const {
    std::size_t at = s.value_end > s.value_begin ? s.value_end - 1 : s.value_begin;
    while (at > s.value_begin + 1 && (text_[at - 1] == ' ' || text_[at - 1] == '\t')) --at;
    const bool empty = at == s.value_begin + 1;
    std::string out;
    for (const std::string_view key : config_.missing) {
      const std::string_view lead = out.empty() && empty ? " " : ", ";
      out += fmt::format("{}{} = {}", lead, key, default_of(key));
    }
    if (empty && text_.substr(at, 1) == "}") out += ' ';
    return {at, out};
  }

  [[nodiscard]] Insertion new_section() const {
    const bool open_line = !text_.empty() && text_.back() != '\n';
    return {text_.size(), fmt::format("{}{}[Pprof]{}{}", open_line ? newline_ : "",
                                      text_.empty() ? "" : newline_, newline_, lines("  ", ""))};
  }

  std::string_view text_;
  const HarmonyConfig& config_;
  std::vector<TomlStatement> statements_;
  std::string section_;
  std::string newline_;
};

bool same_values(const HarmonyPprof& a, const HarmonyPprof& b) {
  return a.enabled == b.enabled && a.folder == b.folder && a.listen_addr == b.listen_addr &&
         a.debug_values == b.debug_values && a.intervals == b.intervals && a.names == b.names;
}

/// Everything but the section must be equal; the section must have gained exactly what was missing.
bool says_the_same(std::string_view before, std::string_view after, const HarmonyConfig& config,
                   const std::string& name) {
  Result<HarmonyConfig> read = read_harmony_config(after, name);
  if (!read || !read->missing.empty() || !same_values(read->pprof, config.pprof)) return false;
  Result<toml::table> old_root = parse_toml(before, name);
  Result<toml::table> new_root = parse_toml(after, name);
  if (!old_root || !new_root) return false;
  const std::string section = spelling(scan_toml(after));
  old_root->erase(section);
  new_root->erase(section);
  return *old_root == *new_root;
}

}  // namespace

Result<std::string> complete_harmony_config(std::string_view text, const HarmonyConfig& config,
                                            const std::string& name) {
  if (config.missing.empty()) return std::string{text};
  const Insertion insertion = Editor{text, config}.plan();
  std::string out{text};
  out.insert(insertion.at, insertion.text);
  if (!says_the_same(text, out, config, name)) {
    return Error{ErrorKind::failed,
                 fmt::format("{}: cannot find a place in [Pprof] for {} keys without changing "
                             "anything else",
                             name, config.missing.size()),
                 "write the keys of [Pprof] by hand, or use -o hprof.toml"};
  }
  return out;
}

}  // namespace hprof::cli
