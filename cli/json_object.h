// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hprof::cli {

/// `text` as a JSON string, quotes included; bytes that are no UTF-8 become U+FFFD.
std::string json_string(std::string_view text);

/// Writes one flat JSON object, field by field, in the order of the calls.
class JsonObject {
 public:
  void add(std::string_view name, std::string_view value) { add_raw(name, json_string(value)); }
  void add(std::string_view name, const char* value) { add(name, std::string_view{value}); }
  template <std::integral T>
  void add(std::string_view name, T value) {
    if constexpr (std::same_as<T, bool>) {
      add_raw(name, value ? "true" : "false");
    } else {
      add_raw(name, std::to_string(value));
    }
  }
  /// Not a number and infinity become null.
  void add(std::string_view name, double value);
  void add(std::string_view name, const std::vector<std::string>& values);
  void add(std::string_view name, const std::vector<JsonObject>& values);
  void add(std::string_view name, const JsonObject& value) { add_raw(name, value.text()); }

  [[nodiscard]] std::string text() const { return "{" + fields_ + "}"; }

 private:
  void add_raw(std::string_view name, std::string_view json);
  std::string fields_;
};

}  // namespace hprof::cli
