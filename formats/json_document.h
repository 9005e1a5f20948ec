// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/formats/registry.h>

#include <simdjson.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hprof::formats {

using JsonElement = simdjson::dom::element;

/// A whole JSON text, parsed. Nesting deeper than the limits fails; no recursion in the parser.
class JsonDocument {
 public:
  /// Errors: malformed_input beginning with `format`.
  static Result<JsonDocument> read(ByteSource& source, const ReadOptions& options,
                                   std::string_view format);

  [[nodiscard]] JsonElement root() const { return root_; }

 private:
  std::unique_ptr<simdjson::dom::parser> parser_;
  JsonElement root_;
};

// Members of an object that may be absent, null or of another type: the fallback then.

JsonElement json_member(JsonElement object, std::string_view key);  // null element if absent
bool json_has(JsonElement object, std::string_view key);
std::string_view json_text(JsonElement object, std::string_view key, std::string_view fallback = {});
double json_number(JsonElement object, std::string_view key, double fallback = 0);
/// The elements of a member that is an array; empty for anything else.
std::vector<JsonElement> json_array(JsonElement object, std::string_view key);

double as_number(JsonElement element, double fallback = 0);
std::string_view as_string(JsonElement element, std::string_view fallback = {});
/// A whole number, 0 or more; `fallback` for anything else.
std::uint64_t as_index(JsonElement element, std::uint64_t fallback);
bool is_null(JsonElement element);
/// Rounds to a whole number within 64 bits; not-a-number is 0.
std::int64_t round_number(double value);

/// Whether the head of a file has `"key"`; sniffers tell JSON formats apart by keys.
bool head_has_key(std::string_view head, std::string_view key);
/// Whether the head begins with `{` or `[`.
bool head_is_json(std::string_view head);

}  // namespace hprof::formats
