// SPDX-License-Identifier: Apache-2.0
#include "toml_text.h"

#include <fmt/format.h>

namespace hprof::cli {
namespace {

/// The parser quotes the text it stumbled over; a message stays one printable line.
std::string printable(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      out += "\\n";
    } else if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::string toml_place(std::string_view name, const toml::source_region& region) {
  return fmt::format("{}:{}:{}", name, region.begin.line, region.begin.column);
}

Result<toml::table> parse_toml(std::string_view text, std::string_view name) {
  toml::parse_result result = toml::parse(text, name);
  if (result) return std::move(result).table();
  const toml::parse_error& problem = result.error();
  std::string_view reason = problem.description();
  constexpr std::string_view kPreamble = "Error while parsing ";
  if (reason.starts_with(kPreamble)) reason.remove_prefix(kPreamble.size());
  return Error{ErrorKind::malformed_input,
               fmt::format("{}: {}", toml_place(name, problem.source()), printable(reason)),
               {}};
}

std::string_view toml_type_name(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "a list";
    case toml::node_type::string:
      return "a string";
    case toml::node_type::integer:
      return "an integer";
    case toml::node_type::floating_point:
      return "a number with a fraction";
    case toml::node_type::boolean:
      return "true or false";
    default:
      return "a date or time";
  }
}

std::string toml_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\u{:04x}", byte);
    } else {
      out += c;
    }
  }
  return out += '"';
}

}  // namespace hprof::cli
