// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/result.h>

// Errors of the parser come back as values: nothing of ours may throw.
#define TOML_EXCEPTIONS 0
// toml++ 3.3 states as an assertion, and with NDEBUG as a promise to the compiler, that
// a key begins with the character of a key; it then checks the same and reports the error. Of bytes
// that nobody vouches for only the check is true. Found by fuzz_config.
#define TOML_ASSERT(expression) static_cast<void>(0)
#pragma push_macro("NDEBUG")
#undef NDEBUG
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hprof::cli {

/// Parses TOML. `name` is the file's name for messages.
/// Errors: malformed_input "name:line:column: reason".
Result<toml::table> parse_toml(std::string_view text, std::string_view name);

/// "name:line:column" of a node or key.
std::string toml_place(std::string_view name, const toml::source_region& region);

/// What a node is, in a user's words: "a string", "a list", ...
std::string_view toml_type_name(const toml::node& node);

/// A string as TOML writes it, in double quotes.
std::string toml_quoted(std::string_view text);

/// One statement of a TOML text, by byte offsets into it; what an edit in place needs to know.
struct TomlStatement {
  enum class Kind { table, array_of_tables, pair };
  Kind kind = Kind::pair;
  std::vector<std::string> path;  ///< the dotted key, unquoted
  std::size_t begin = 0;          ///< of the key or bracket, after the indentation
  std::size_t value_begin = 0;    ///< of a pair
  std::size_t value_end = 0;      ///< of a pair: one past the value's last byte
  std::size_t line_begin = 0;
  std::size_t line_end = 0;  ///< one past the newline of its last line, or the end of the text
};

/// The statements of a text that parse_toml() accepted, in order. Of other texts it gives some
/// answer, never a read outside.
std::vector<TomlStatement> scan_toml(std::string_view text);

}  // namespace hprof::cli
