// SPDX-License-Identifier: Apache-2.0
#include "trace_spans.h"

#include "json_document.h"

#include <algorithm>
#include <array>

namespace hprof::formats {

void TraceSpans::begin(double at, LocationId frame) {
  marks_.push_back({at, frame, true});
  last_ = std::max(last_, at);
}

void TraceSpans::end(double at, LocationId frame) {
  marks_.push_back({at, frame, false});
  last_ = std::max(last_, at);
}

void TraceSpans::span(double at, double duration, LocationId frame) {
  const double end = at + std::max(0.0, duration);
  spans_.push_back({at, end, frame, spans_.size()});
  last_ = std::max(last_, end);
}

// Ends close the nearest open begin of their name, at once or when what is open inside it closes;
// begins left open last to the end of the thread. An end that comes right before its begin, at the
// same moment, is a span without length.
std::uint64_t TraceSpans::pair_marks() {
  std::ranges::stable_sort(marks_, {}, &Mark::at);
  struct Open {
    Mark mark;
    bool ended = false;
  };
  std::vector<Open> open;
  std::vector<Mark> early;
  for (const Mark& mark : marks_) {
    if (mark.is_begin) {
      const auto matches = [&](const Mark& m) { return m.at == mark.at && m.frame == mark.frame; };
      const auto before = std::ranges::find_if(early, matches);
      if (before == early.end()) {
        open.push_back({mark});
      } else {
        early.erase(before);
      }
      continue;
    }
    const auto found = std::find_if(open.rbegin(), open.rend(), [&](const Open& o) {
      return !o.ended && (mark.frame == 0 || o.mark.frame == mark.frame);
    });
    if (found == open.rend()) {
      early.push_back(mark);
      continue;
    }
    found->ended = true;
    for (; !open.empty() && open.back().ended; open.pop_back()) {
      const Mark& begun = open.back().mark;
      spans_.push_back({begun.at, mark.at, begun.frame, spans_.size()});
    }
  }
  for (const Open& o : open) spans_.push_back({o.mark.at, last_, o.mark.frame, spans_.size()});
  const auto unended = std::ranges::count_if(open, [](const Open& o) { return !o.ended; });
  return early.size() + static_cast<std::uint64_t>(unended);
}

std::uint64_t TraceSpans::add_to(Profile& profile, LabelSetId labels) {
  const std::uint64_t unmatched = pair_marks();
  std::ranges::sort(spans_, [](const Span& a, const Span& b) {
    if (a.start != b.start) return a.start < b.start;
    if (a.end != b.end) return a.end > b.end;
    return a.order < b.order;
  });
  struct Open {
    double end = 0;
    StackId stack = 0;
    double children = 0;
    double length = 0;
  };
  std::vector<Open> open;
  const auto close = [&] {
    const Open done = open.back();
    open.pop_back();
    const std::array<std::int64_t, 1> self = {round_number(done.length - done.children)};
    if (self[0] > 0) profile.accumulate(done.stack, labels, self);
    if (!open.empty()) open.back().children += done.length;
  };
  for (const Span& span : spans_) {
    while (!open.empty() && open.back().end <= span.start) close();
    // A span that outlives the one around it is cut where that ends.
    const double end = open.empty() ? span.end : std::min(span.end, open.back().end);
    const StackId parent = open.empty() ? 0 : open.back().stack;
    open.push_back({end, profile.intern_stack(parent, span.frame), 0, end - span.start});
  }
  while (!open.empty()) close();
  return unmatched;
}

}  // namespace hprof::formats
