// SPDX-License-Identifier: Apache-2.0
#include "toml_text.h"

namespace hprof::cli {
namespace {

/// Walks valid TOML by bytes. The grammar it needs is small: where strings, comments and brackets
/// begin and end. Source: TOML v1.0.0.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;  // byte order mark
  }

  std::vector<TomlStatement> run() {
    std::vector<TomlStatement> out;
    while (at_ < text_.size()) {
      const std::size_t line_begin = at_;
      skip_blanks();
      if (at_end_of_line()) {
        skip_line();
        continue;
      }
      TomlStatement statement;
      statement.line_begin = line_begin;
      statement.begin = at_;
      if (peek() == '[') {
        header(statement);
      } else {
        pair(statement);
      }
      skip_line();
      statement.line_end = at_;
      out.push_back(std::move(statement));
    }
    return out;
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  [[nodiscard]] bool at_end_of_line() const {
    return at_ >= text_.size() || peek() == '\n' || peek() == '#' ||
           (peek() == '\r' && peek(1) == '\n');
  }
  void advance(std::size_t count = 1) { at_ = std::min(at_ + count, text_.size()); }
  void skip_blanks() {
    while (peek() == ' ' || peek() == '\t') advance();
  }
  void skip_line() {
    const std::size_t newline = text_.find('\n', at_);
    at_ = newline == std::string_view::npos ? text_.size() : newline + 1;
  }

  void header(TomlStatement& statement) {
    const bool array = peek(1) == '[';
    statement.kind = array ? TomlStatement::Kind::array_of_tables : TomlStatement::Kind::table;
    advance(array ? 2 : 1);
    key_path(statement.path, ']');
  }

  void pair(TomlStatement& statement) {
    key_path(statement.path, '=');
    advance();
    skip_blanks();
    statement.value_begin = at_;
    skip_value();
    statement.value_end = at_;
    while (statement.value_end > statement.value_begin &&
           is_blank(text_[statement.value_end - 1])) {
      --statement.value_end;
    }
  }

  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

  /// Reads a.b."c" up to `end`, which is left standing.
  void key_path(std::vector<std::string>& path, char end) {
    std::string part;
    while (at_ < text_.size() && peek() != end && peek() != '\n') {
      if (peek() == '"' || peek() == '\'') {
        const std::size_t begin = at_ + 1;
        skip_string();
        part += text_.substr(begin, at_ > begin ? at_ - 1 - begin : 0);
      } else if (peek() == '.') {
        path.push_back(std::move(part));
        part.clear();
        advance();
      } else {
        if (!is_blank(peek())) part += peek();
        advance();
      }
    }
    path.push_back(std::move(part));
  }

  /// Past the string that begins here, whichever of the four kinds it is.
  void skip_string() {
    const char quote = peek();
    const bool escapes = quote == '"';
    const bool multi_line = peek(1) == quote && peek(2) == quote;
    advance(multi_line ? 3 : 1);
    while (at_ < text_.size()) {
      if (escapes && peek() == '\\') {
        advance(2);
      } else if (peek() != quote) {
        if (peek() == '\n' && !multi_line) return;
        advance();
      } else if (!multi_line) {
        advance();
        return;
      } else if (peek(1) == quote && peek(2) == quote) {
        advance(3);
        // Up to two quotes may stand right before the closing three.
        while (peek() == quote) advance();
        return;
      } else {
        advance();
      }
    }
  }

  /// To the end of the value: the newline or comment outside of all brackets.
  void skip_value() {
    std::size_t depth = 0;
    while (at_ < text_.size()) {
      const char c = peek();
      if (c == '"' || c == '\'') {
        skip_string();
        continue;
      }
      if (depth == 0 && at_end_of_line()) return;
      if (c == '#') {
        skip_line();
        continue;
      }
      if (c == '[' || c == '{') ++depth;
      if ((c == ']' || c == '}') && depth > 0) --depth;
      advance();
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<TomlStatement> scan_toml(std::string_view text) {
  return Scanner{text}.run();
}

}  // namespace hprof::cli
