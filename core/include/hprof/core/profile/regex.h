// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/result.h>

#include <memory>
#include <string_view>

namespace re2 {
class RE2;
}

namespace hprof {

/// A regular expression of a user: RE2's syntax, which is Go's, in time linear in the text.
class Regex {
 public:
  /// Errors: usage, naming what is wrong in `pattern`.
  static Result<Regex> compile(std::string_view pattern);

  Regex(Regex&&) noexcept;
  Regex& operator=(Regex&&) noexcept;
  ~Regex();

  /// Whether it matches anywhere in `text`.
  [[nodiscard]] bool matches(std::string_view text) const;

 private:
  explicit Regex(std::unique_ptr<re2::RE2> compiled);

  std::unique_ptr<re2::RE2> compiled_;
};

}  // namespace hprof
