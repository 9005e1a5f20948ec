// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/profile/filter.h>

#include "frame_match.h"
#include "prune.h"
#include "tag_filter.h"
#include "tag_frames.h"
#include "trie_rewrite.h"

#include <fmt/format.h>

#include <optional>

namespace hprof {
namespace {

using Patterns = std::optional<Regex>;

Result<void> compile(const std::string& text, std::string_view flag, Patterns& out) {
  if (text.empty()) return {};
  Result<Regex> compiled = Regex::compile(text);
  if (!compiled) return compiled.error().within(flag);
  out = *std::move(compiled);
  return {};
}

// Patterns that hit nothing are likely typos.
class Remarks {
 public:
  explicit Remarks(std::vector<std::string>* notes) : notes_(notes) {}
  void unless(bool matched, std::string_view flag) const {
    if (!matched && notes_ != nullptr) {
      notes_->push_back(fmt::format("{} matches nothing", flag));
    }
  }

 private:
  std::vector<std::string>* notes_;
};

struct FramePatterns {
  Patterns focus;
  Patterns ignore;
  Patterns hide;
  Patterns show;

  [[nodiscard]] bool any() const { return focus || ignore || hide || show; }
};

// What the four frame filters make of one location.
struct Verdict {
  bool focused = false;
  bool ignored = false;
  bool hidden = false;
  LocationId replacement = 0;
};

class FrameFilter {
 public:
  FrameFilter(Profile& profile, const FramePatterns& patterns) : p_(profile) {
    if (patterns.focus) focus_.emplace(profile, *patterns.focus);
    if (patterns.ignore) ignore_.emplace(profile, *patterns.ignore);
    if (patterns.hide) hide_.emplace(profile, *patterns.hide);
    if (patterns.show) show_.emplace(profile, *patterns.show);
  }

  void run() {
    const std::uint32_t locations = p_.location_count();
    verdicts_.resize(locations + std::size_t{1});
    for (LocationId id = 1; id <= locations; ++id) verdicts_[id] = judge(id);
    p_.select_rows(rows());
  }

  void remark(const Remarks& remarks) const {
    remarks.unless(!focus_ || focus_hit_, "--focus");
    remarks.unless(!ignore_ || ignore_hit_, "--ignore");
    remarks.unless(!hide_ || hide_hit_, "--hide");
    remarks.unless(!show_ || show_hit_, "--show");
  }

 private:
  Verdict judge(LocationId id) {
    Verdict v{.replacement = id};
    v.ignored = ignore_ && ignore_->location(id);
    v.focused = !v.ignored && (!focus_ || focus_->location(id));
    ignore_hit_ |= v.ignored;
    focus_hit_ |= v.focused;
    const std::span<const Line> all = p_.lines(id);
    std::vector<Line> lines{all.begin(), all.end()};
    if (hide_ && hide_->location(id)) {
      hide_hit_ = true;
      const bool by_mapping = hide_->mapping(id);
      std::erase_if(lines, [&](const Line& l) { return by_mapping || hide_->line(l); });
      v.hidden = lines.empty();
    }
    if (show_ && !show_->mapping(id)) {
      std::erase_if(lines, [&](const Line& l) { return !show_->line(l); });
      v.hidden |= lines.empty();
    }
    // A location without any symbols has no lines; one kept by its mapping alone is still shown.
    if (show_ && show_->mapping(id) && all.empty()) v.hidden = true;
    show_hit_ |= !v.hidden;
    if (!v.hidden && lines.size() != all.size()) {
      const Location l = p_.location(id);
      v.replacement = p_.intern_location(l.mapping, l.address, lines, l.is_folded);
    }
    return v;
  }

  std::vector<Profile::Row> rows() {
    const std::uint32_t count = p_.stack_count();
    std::vector<StackId> stacks(count + std::size_t{1}, 0);
    std::vector<bool> focused(count + std::size_t{1}, false);
    std::vector<bool> ignored(count + std::size_t{1}, false);
    bool any_hidden = false;
    for (StackId id = 1; id <= count; ++id) {
      const StackNode node = p_.stack(id);
      const Verdict& v = verdicts_[node.location];
      focused[id] = focused[node.parent] || v.focused;
      ignored[id] = ignored[node.parent] || v.ignored;
      any_hidden |= v.hidden;
      stacks[id] = v.hidden ? stacks[node.parent]
                            : p_.intern_stack(stacks[node.parent], v.replacement);
    }
    std::vector<Profile::Row> rows;
    for (std::uint32_t row = 0; row < p_.sample_count(); ++row) {
      const StackId id = p_.sample_stack(row);
      // A sample without a frame matches no focus, the implied one neither.
      if (!focused[id] || ignored[id]) continue;
      if (any_hidden && stacks[id] == 0) continue;
      rows.push_back({row, stacks[id], p_.sample_labels(row)});
    }
    return rows;
  }

  Profile& p_;
  std::optional<FrameMatch> focus_;
  std::optional<FrameMatch> ignore_;
  std::optional<FrameMatch> hide_;
  std::optional<FrameMatch> show_;
  std::vector<Verdict> verdicts_;
  bool focus_hit_ = false;
  bool ignore_hit_ = false;
  bool hide_hit_ = false;
  bool show_hit_ = false;
};

void apply_show_from(Profile& p, const Regex& pattern, const Remarks& remarks) {
  FrameMatch match{p, pattern};
  const std::uint32_t locations = p.location_count();
  std::vector<LocationId> cut(locations + std::size_t{1}, 0);  // 0: no match
  std::vector<LocationId> whole(locations + std::size_t{1}, 0);
  bool any = false;
  for (LocationId id = 1; id <= locations; ++id) {
    const std::vector<Line> lines{p.lines(id).begin(), p.lines(id).end()};
    std::size_t end = lines.size();
    const bool by_mapping = match.mapping(id);
    while (!by_mapping && end > 0 && !match.line(lines[end - 1])) --end;
    whole[id] = id;
    if (!by_mapping && end == 0) continue;
    any = true;
    const Location l = p.location(id);
    cut[id] = end == lines.size() ? id
                                  : p.intern_location(l.mapping, l.address,
                                                      std::span{lines}.first(end), l.is_folded);
    whole[id] = cut[id];
  }
  const std::uint32_t count = p.stack_count();
  std::vector<StackId> stacks(count + std::size_t{1}, kDroppedStack);
  for (StackId id = 1; id <= count; ++id) {
    const StackNode node = p.stack(id);
    if (stacks[node.parent] != kDroppedStack) {
      stacks[id] = p.intern_stack(stacks[node.parent], whole[node.location]);
    } else if (cut[node.location] != 0) {
      stacks[id] = p.intern_stack(0, cut[node.location]);
    }
  }
  replace_stacks(p, stacks);
  remarks.unless(any, "--show-from");
}

Result<void> apply_tags(Profile& p, const FilterOptions& options,
                        const std::map<std::string, std::string>& units, const Remarks& remarks) {
  std::optional<TagFilter> focus;
  std::optional<TagFilter> ignore;
  if (!options.tag_focus.empty()) {
    HPROF_ASSIGN(focus, TagFilter::parse(options.tag_focus, "--tag-focus"));
  }
  if (!options.tag_ignore.empty()) {
    HPROF_ASSIGN(ignore, TagFilter::parse(options.tag_ignore, "--tag-ignore"));
  }
  if (!focus && !ignore) return {};
  const std::uint32_t sets = p.label_set_count();
  std::vector<bool> focused(sets + std::size_t{1}, true);
  std::vector<bool> ignored(sets + std::size_t{1}, false);
  for (LabelSetId id = 0; id <= sets; ++id) {
    if (focus) focused[id] = focus->matches(p, id, units);
    if (ignore) ignored[id] = ignore->matches(p, id, units);
  }
  std::vector<Profile::Row> rows;
  bool any_focused = false;
  bool any_ignored = false;
  for (std::uint32_t row = 0; row < p.sample_count(); ++row) {
    const LabelSetId set = p.sample_labels(row);
    any_focused |= focused[set];
    any_ignored |= ignored[set];
    if (focused[set] && !ignored[set]) rows.push_back({row, p.sample_stack(row), set});
  }
  p.select_rows(rows);
  remarks.unless(!focus || any_focused, "--tag-focus");
  remarks.unless(!ignore || any_ignored, "--tag-ignore");
  return {};
}

Result<void> apply_tag_keys(Profile& p, const FilterOptions& options) {
  Patterns show;
  Patterns hide;
  HPROF_TRY(compile(options.tag_show, "--tag-show", show));
  HPROF_TRY(compile(options.tag_hide, "--tag-hide", hide));
  if (!show && !hide) return {};
  const std::uint32_t sets = p.label_set_count();
  std::vector<LabelSetId> kept(sets + std::size_t{1}, 0);
  for (LabelSetId id = 1; id <= sets; ++id) {
    std::vector<Label> labels{p.labels(id).begin(), p.labels(id).end()};
    std::erase_if(labels, [&](const Label& label) {
      const std::string_view key = p.string(label.key);
      return (show && !show->matches(key)) || (hide && hide->matches(key));
    });
    kept[id] = p.intern_labels(labels);
  }
  std::vector<Profile::Row> rows;
  for (std::uint32_t row = 0; row < p.sample_count(); ++row) {
    rows.push_back({row, p.sample_stack(row), kept[p.sample_labels(row)]});
  }
  p.select_rows(rows);
  return {};
}

}  // namespace

bool FilterOptions::any() const {
  return prune || !focus.empty() || !ignore.empty() || !hide.empty() || !show.empty() ||
         !show_from.empty() || !tag_focus.empty() || !tag_ignore.empty() || !tag_show.empty() ||
         !tag_hide.empty() || !prune_from.empty() || !tag_root.empty() || !tag_leaf.empty();
}

Result<void> filter_profile(Profile& profile, const FilterOptions& options,
                            std::vector<std::string>* notes) {
  FramePatterns frames;
  Patterns show_from;
  Patterns cut_from;
  HPROF_TRY(compile(options.focus, "--focus", frames.focus));
  HPROF_TRY(compile(options.ignore, "--ignore", frames.ignore));
  HPROF_TRY(compile(options.hide, "--hide", frames.hide));
  HPROF_TRY(compile(options.show, "--show", frames.show));
  HPROF_TRY(compile(options.show_from, "--show-from", show_from));
  HPROF_TRY(compile(options.prune_from, "--prune-from", cut_from));
  const Remarks remarks{notes};
  if (options.prune) HPROF_TRY(prune_profile(profile));
  const bool on_tags = !options.tag_focus.empty() || !options.tag_ignore.empty();
  // Label frames come first, so that the frame filters see them.
  const auto units = number_label_units(profile, on_tags ? notes : nullptr);
  add_tag_frames(profile, options.tag_root, options.tag_leaf, notes);
  if (frames.any()) {
    FrameFilter filter{profile, frames};
    filter.run();
    filter.remark(remarks);
  }
  if (show_from) apply_show_from(profile, *show_from, remarks);
  HPROF_TRY(apply_tags(profile, options, units, remarks));
  HPROF_TRY(apply_tag_keys(profile, options));
  if (cut_from) prune_from(profile, *cut_from);
  return {};
}

}  // namespace hprof
