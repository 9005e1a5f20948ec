// SPDX-License-Identifier: Apache-2.0
#include "prune.h"

#include "trie_rewrite.h"

#include <hprof/core/profile/function_names.h>

#include <fmt/format.h>

#include <optional>
#include <vector>

namespace hprof {
namespace {

Result<Regex> whole_name_pattern(const Profile& profile, StringId id, std::string_view field) {
  Result<Regex> compiled = Regex::compile(fmt::format("^({})$", profile.string(id)));
  if (compiled) return compiled;
  return Error{ErrorKind::malformed_input, fmt::format("{}: {}", field, compiled.error().message),
               {}};
}

class NameMatch {
 public:
  NameMatch(const Profile& profile, const Regex& drop, const Regex* keep)
      : profile_(profile), drop_(drop), keep_(keep), known_(profile.function_count() + 1, 0) {}

  bool operator()(FunctionId id) {
    if (known_[id] == 0) known_[id] = decide(id) ? 1 : 2;
    return known_[id] == 1;
  }

 private:
  bool decide(FunctionId id) {
    const std::string_view name = profile_.string(profile_.function(id).name);
    if (name.empty()) return false;
    const std::string_view simple = simplified_function_name(name);
    return drop_.matches(simple) && (keep_ == nullptr || !keep_->matches(simple));
  }

  const Profile& profile_;
  const Regex& drop_;
  const Regex* keep_;
  std::vector<char> known_;
};

// What a location is to pruning: itself untouched, cut to its outer lines, or gone.
struct Cut {
  enum Kind : char { none, beneath, whole } kind = none;
  LocationId replacement = 0;
};

std::vector<Line> copy_lines(const Profile& profile, LocationId id) {
  return {profile.lines(id).begin(), profile.lines(id).end()};
}

LocationId with_lines(Profile& profile, LocationId id, std::span<const Line> lines) {
  const Location l = profile.location(id);
  return profile.intern_location(l.mapping, l.address, lines, l.is_folded);
}

std::vector<Cut> cuts(Profile& profile, NameMatch& match) {
  std::vector<Cut> out(profile.location_count() + std::size_t{1});
  for (LocationId id = 1; id < out.size(); ++id) {
    const std::vector<Line> lines = copy_lines(profile, id);
    out[id].replacement = id;
    std::size_t i = lines.size();
    while (i > 0 && !match(lines[i - 1].function)) --i;
    if (i == 0) continue;
    out[id].kind = i == lines.size() ? Cut::whole : Cut::beneath;
    if (out[id].kind == Cut::beneath) {
      out[id].replacement = with_lines(profile, id, std::span{lines}.subspan(i));
    }
  }
  return out;
}

}  // namespace

Result<void> prune_profile(Profile& profile) {
  if (profile.header.drop_frames == 0) return {};
  HPROF_ASSIGN(const Regex drop,
               whole_name_pattern(profile, profile.header.drop_frames, "drop_frames"));
  std::optional<Regex> keep;
  if (profile.header.keep_frames != 0) {
    HPROF_ASSIGN(keep, whole_name_pattern(profile, profile.header.keep_frames, "keep_frames"));
  }
  NameMatch match{profile, drop, keep ? &*keep : nullptr};
  const std::vector<Cut> cut = cuts(profile, match);
  struct State {
    bool found_user = false;
    bool ended = false;
  };
  const std::uint32_t count = profile.stack_count();
  std::vector<State> states(count + std::size_t{1});
  std::vector<StackId> stacks(count + std::size_t{1}, 0);
  for (StackId id = 1; id <= count; ++id) {
    const StackNode node = profile.stack(id);
    State state = states[node.parent];
    stacks[id] = stacks[node.parent];
    if (!state.ended) {
      const Cut& c = cut[node.location];
      const bool matched = c.kind != Cut::none;
      state.ended = matched && state.found_user;
      state.found_user |= !matched;
      const bool gone = state.ended && c.kind == Cut::whole;
      if (!gone) stacks[id] = profile.intern_stack(stacks[id], c.replacement);
    }
    states[id] = state;
  }
  replace_stacks(profile, stacks);
  return {};
}

void prune_from(Profile& profile, const Regex& pattern) {
  NameMatch match{profile, pattern, nullptr};
  std::vector<LocationId> replaced(profile.location_count() + std::size_t{1}, 0);
  std::vector<bool> matched(replaced.size(), false);
  for (LocationId id = 1; id < replaced.size(); ++id) {
    const std::vector<Line> lines = copy_lines(profile, id);
    replaced[id] = id;
    for (std::size_t i = 0; i < lines.size() && !matched[id]; ++i) {
      if (!match(lines[i].function)) continue;
      matched[id] = true;
      if (i > 0) replaced[id] = with_lines(profile, id, std::span{lines}.subspan(i));
    }
  }
  const std::uint32_t count = profile.stack_count();
  std::vector<StackId> whole(count + std::size_t{1}, 0);  // with all frames
  std::vector<StackId> cut(count + std::size_t{1}, 0);    // up to the lowest match so far, or 0
  std::vector<StackId> result(count + std::size_t{1}, 0);
  for (StackId id = 1; id <= count; ++id) {
    const StackNode node = profile.stack(id);
    whole[id] = profile.intern_stack(whole[node.parent], replaced[node.location]);
    cut[id] = matched[node.location] ? whole[id] : cut[node.parent];
    result[id] = cut[id] != 0 ? cut[id] : whole[id];
  }
  replace_stacks(profile, result);
}

}  // namespace hprof
