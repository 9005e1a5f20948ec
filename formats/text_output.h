// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/stream.h>

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace hprof::formats {

/// Collects text for a sink in blocks of 64 KiB. The first error of the sink is kept and what
/// follows is dropped, so that a writer checks once, in finish().
class TextOutput {
 public:
  explicit TextOutput(ByteSink& sink) : sink_(sink) { buffer_.reserve(kBlock + kBlock / 4); }

  void put(std::string_view text) {
    buffer_.append(text);
    if (buffer_.size() >= kBlock) flush();
  }
  void put(char c) { buffer_.push_back(c); }

  template <typename Integer>
    requires std::is_integral_v<Integer>
  void number(Integer value) {
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    put(std::string_view{digits, static_cast<std::size_t>(end - digits)});
  }

  template <typename... Args>
  void format(fmt::format_string<Args...> text, Args&&... args) {
    fmt::format_to(std::back_inserter(buffer_), text, std::forward<Args>(args)...);
    if (buffer_.size() >= kBlock) flush();
  }

  /// Hands the rest to the sink. Errors: the sink's first.
  Result<void> finish() {
    flush();
    return std::move(state_);
  }

 private:
  static constexpr std::size_t kBlock = std::size_t{1} << 16;

  void flush() {
    if (state_ && !buffer_.empty()) state_ = sink_.write(std::string_view{buffer_});
    buffer_.clear();
  }

  ByteSink& sink_;
  std::string buffer_;
  Result<void> state_;
};

}  // namespace hprof::formats
