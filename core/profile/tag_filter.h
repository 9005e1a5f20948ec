// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/result.h>
#include <hprof/core/profile/profile.h>
#include <hprof/core/profile/regex.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hprof {

/// The unit of each numeric label key: the first seen, else "bytes" for alignment and request, else
/// the key itself. Further units of one key are noted.
std::map<std::string, std::string> number_label_units(const Profile& profile,
                                                      std::vector<std::string>* notes);

/// A selection by labels: "REGEX[,REGEX]" (all must match some "key:value"), "KEY=REGEX[,REGEX]"
/// (one must match a value of KEY), or "[KEY=]RANGE" on numbers: 32kb, 4mb:, :64kb, 12kb:64mb.
class TagFilter {
 public:
  /// Errors: usage for a bad expression.
  static Result<TagFilter> parse(std::string_view text, std::string_view flag);

  [[nodiscard]] bool matches(const Profile& profile, LabelSetId labels,
                             const std::map<std::string, std::string>& units) const;

 private:
  struct Range {
    std::optional<double> low;
    std::optional<double> high;
    std::string unit;
  };

  TagFilter() = default;
  static std::optional<Range> parse_range(std::string_view text);
  [[nodiscard]] bool in_range(std::int64_t number, std::string_view unit) const;
  [[nodiscard]] bool any_number(const Profile& profile, LabelSetId labels,
                                const std::map<std::string, std::string>& units) const;
  [[nodiscard]] bool all_texts(const Profile& profile, LabelSetId labels) const;
  [[nodiscard]] bool any_text_of_key(const Profile& profile, LabelSetId labels) const;

  std::string key_;
  bool has_key_ = false;
  std::optional<Range> range_;
  std::vector<Regex> patterns_;
};

}  // namespace hprof
