// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/profile/regex.h>

#include <fmt/format.h>
#include <re2/re2.h>

#include <utility>

namespace hprof {

Regex::Regex(std::unique_ptr<re2::RE2> compiled) : compiled_(std::move(compiled)) {}
Regex::Regex(Regex&&) noexcept = default;
Regex& Regex::operator=(Regex&&) noexcept = default;
Regex::~Regex() = default;

Result<Regex> Regex::compile(std::string_view pattern) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  auto compiled =
      std::make_unique<re2::RE2>(re2::StringPiece{pattern.data(), pattern.size()}, options);
  if (!compiled->ok()) {
    return Error{ErrorKind::usage,
                 fmt::format("bad regular expression '{}': {}", pattern, compiled->error()),
                 {}};
  }
  return Regex{std::move(compiled)};
}

bool Regex::matches(std::string_view text) const {
  return re2::RE2::PartialMatch(re2::StringPiece{text.data(), text.size()}, *compiled_);
}

}  // namespace hprof
