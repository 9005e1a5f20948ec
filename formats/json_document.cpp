// SPDX-License-Identifier: Apache-2.0
#include "json_document.h"

#include <fmt/format.h>

#include <string.h>

#include <algorithm>
#include <cmath>

namespace hprof::formats {
namespace {

// Where the parser keeps an element that stands for everything that is not there.
JsonElement null_element() { return JsonElement{}; }

bool exists(JsonElement element) {
  // A default element belongs to no document and must not be asked for its type.
  static const JsonElement kNone{};
  return memcmp(&element, &kNone, sizeof element) != 0;
}

}  // namespace

Result<JsonDocument> JsonDocument::read(ByteSource& source, const ReadOptions& options,
                                        std::string_view format) {
  // The parser itself counts in 32 bits.
  constexpr std::uint64_t kMost = std::uint64_t{4000} << 20;
  HPROF_ASSIGN(std::vector<std::byte> text,
               read_all(source, std::min(kMost, options.limits.max_bytes)));
  const std::size_t size = text.size();
  text.resize(size + simdjson::SIMDJSON_PADDING, std::byte{' '});
  JsonDocument document;
  document.parser_ = std::make_unique<simdjson::dom::parser>(kMost);
  simdjson::error_code error =
      document.parser_->allocate(std::max<std::size_t>(size, 64), options.limits.max_depth);
  if (error == simdjson::SUCCESS) {
    error = document.parser_
                ->parse(reinterpret_cast<const std::uint8_t*>(text.data()), size, false)
                .get(document.root_);
  }
  if (error != simdjson::SUCCESS) {
    return Error{ErrorKind::malformed_input,
                 fmt::format("{}: bad JSON: {}", format, simdjson::error_message(error)), {}};
  }
  return document;
}

JsonElement json_member(JsonElement object, std::string_view key) {
  JsonElement found;
  if (!exists(object) || !object.is_object() ||
      object.at_key(key).get(found) != simdjson::SUCCESS) {
    return null_element();
  }
  return found;
}

bool json_has(JsonElement object, std::string_view key) { return !is_null(json_member(object, key)); }

std::string_view json_text(JsonElement object, std::string_view key, std::string_view fallback) {
  return as_string(json_member(object, key), fallback);
}

double json_number(JsonElement object, std::string_view key, double fallback) {
  return as_number(json_member(object, key), fallback);
}

std::vector<JsonElement> json_array(JsonElement object, std::string_view key) {
  std::vector<JsonElement> out;
  const JsonElement member = json_member(object, key);
  simdjson::dom::array array;
  if (exists(member) && member.get(array) == simdjson::SUCCESS) {
    for (const JsonElement element : array) out.push_back(element);
  }
  return out;
}

double as_number(JsonElement element, double fallback) {
  double value = fallback;
  if (!exists(element) || !element.is_number() ||
      element.get_double().get(value) != simdjson::SUCCESS) {
    return fallback;
  }
  return value;
}

std::string_view as_string(JsonElement element, std::string_view fallback) {
  std::string_view text = fallback;
  if (!exists(element) || element.get_string().get(text) != simdjson::SUCCESS) return fallback;
  return text;
}

std::uint64_t as_index(JsonElement element, std::uint64_t fallback) {
  const double value = as_number(element, -1);
  if (value < 0 || value > 9e15 || value != std::floor(value)) return fallback;
  return static_cast<std::uint64_t>(value);
}

bool is_null(JsonElement element) { return !exists(element) || element.is_null(); }

std::int64_t round_number(double value) {
  if (std::isnan(value)) return 0;
  constexpr double kLimit = 9223372036854774784.0;  // the last double below 2^63
  return static_cast<std::int64_t>(std::round(std::clamp(value, -kLimit, kLimit)));
}

bool head_has_key(std::string_view head, std::string_view key) {
  return head.find(fmt::format("\"{}\"", key)) != std::string_view::npos;
}

bool head_is_json(std::string_view head) {
  const std::size_t start = head.find_first_not_of(" \t\r\n");
  return start != std::string_view::npos && (head[start] == '{' || head[start] == '[');
}

}  // namespace hprof::formats
