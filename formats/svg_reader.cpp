// SPDX-License-Identifier: Apache-2.0
#include "svg_reader.h"

#include "json_document.h"
#include "named_location.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

namespace hprof::formats {
namespace {

struct Box {
  double y = 0;
  double x = 0;
  double width = 0;
  std::int64_t value = 0;
  std::string name;
};

double to_number(std::string_view text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// The value of an attribute in the text of one element; empty if absent.
std::string_view attribute(std::string_view element, std::string_view name) {
  for (std::size_t at = element.find(name); at != std::string_view::npos;
       at = element.find(name, at + 1)) {
    const std::size_t quote = at + name.size();
    if (at == 0 || element[at - 1] != ' ' || !element.substr(quote).starts_with("=\"")) continue;
    const std::string_view value = element.substr(quote + 2);
    return value.substr(0, value.find('"'));
  }
  return {};
}

void append_entity(std::string_view entity, std::string& out) {
  constexpr std::pair<std::string_view, char> kNamed[] = {
      {"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}, {"#39", '\''}};
  for (const auto& [name, c] : kNamed) {
    if (entity == name) {
      out += c;
      return;
    }
  }
  out += '&';
  out += entity;
  out += ';';
}

std::string unescape(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t end = text[i] == '&' ? text.find(';', i) : std::string_view::npos;
    if (end == std::string_view::npos || end - i > 8) {
      out += text[i];
      continue;
    }
    append_entity(text.substr(i + 1, end - i - 1), out);
    i = end;
  }
  return out;
}

// "name (1,234 samples, 5.67%)": the name, and the digits behind the last " (".
bool parse_title(const std::string& title, Box& box) {
  const std::size_t open = title.rfind(" (");
  if (open == std::string::npos) return false;
  box.name = title.substr(0, open);
  std::string digits;
  for (std::size_t i = open + 2; i < title.size(); ++i) {
    if (title[i] == ',' && digits.empty()) break;
    if (title[i] == ',') continue;
    if (title[i] < '0' || title[i] > '9') break;
    digits += title[i];
  }
  std::from_chars(digits.data(), digits.data() + digits.size(), box.value);
  return title.ends_with(')');
}

// A title and the rectangle behind it, as all three programs write them.
std::vector<Box> boxes(std::string_view svg) {
  std::vector<Box> out;
  constexpr std::string_view kTitle = "<title>";
  for (std::size_t at = svg.find(kTitle); at != std::string_view::npos; at = svg.find(kTitle, at)) {
    at += kTitle.size();
    const std::size_t end = svg.find("</title>", at);
    const std::size_t rect = end == std::string_view::npos ? end : svg.find("<rect", end);
    if (rect == std::string_view::npos) break;
    const std::size_t next = svg.find(kTitle, end);
    const std::size_t close = svg.find('>', rect);
    if (close == std::string_view::npos || next < rect) continue;
    const std::string_view element = svg.substr(rect, close - rect);
    Box box;
    if (!parse_title(unescape(svg.substr(at, end - at)), box)) continue;
    box.y = to_number(attribute(element, "y"));
    const std::string_view exact = attribute(element, "fg:w");
    box.x = to_number(exact.empty() ? attribute(element, "x") : attribute(element, "fg:x"));
    box.width = to_number(exact.empty() ? attribute(element, "width") : exact);
    if (!exact.empty()) box.value = round_number(box.width);
    out.push_back(std::move(box));
  }
  return out;
}

class Builder {
 public:
  explicit Builder(std::vector<Box> boxes) : boxes_(std::move(boxes)) {}

  Result<Profile> run() {
    if (boxes_.empty()) {
      return Error{ErrorKind::malformed_input, "svg: no frames of a flame graph", {}};
    }
    p_.add_sample_type("samples", "count");
    for (std::size_t i = 0; i < boxes_.size(); ++i) rows_[boxes_[i].y].push_back(i);
    for (auto& [y, row] : rows_) {
      std::ranges::sort(row, {}, [this](std::size_t i) { return boxes_[i].x; });
    }
    std::vector<std::vector<std::size_t>> levels;
    for (const auto& [y, row] : rows_) levels.push_back(row);
    if (!root_is_on_top()) std::ranges::reverse(levels);
    place(levels);
    return std::move(p_);
  }

 private:
  // Flames grow upwards from the bottom, icicles downwards from the top; the root row is called
  // "all", or it is the wider one.
  [[nodiscard]] bool root_is_on_top() const {
    const std::vector<std::size_t>& top = rows_.begin()->second;
    const std::vector<std::size_t>& bottom = rows_.rbegin()->second;
    const bool top_is_all = top.size() == 1 && boxes_[top[0]].name == "all";
    const bool bottom_is_all = bottom.size() == 1 && boxes_[bottom[0]].name == "all";
    if (top_is_all != bottom_is_all) return top_is_all;
    return width_of(top) > width_of(bottom);
  }

  [[nodiscard]] double width_of(const std::vector<std::size_t>& row) const {
    double width = 0;
    for (const std::size_t i : row) width += boxes_[i].width;
    return width;
  }

  void place(const std::vector<std::vector<std::size_t>>& levels) {
    std::vector<StackId> stacks(boxes_.size(), 0);
    std::vector<std::int64_t> children(boxes_.size(), 0);
    const bool has_root = levels[0].size() == 1 && boxes_[levels[0][0]].name == "all";
    for (std::size_t level = 0; level < levels.size(); ++level) {
      for (const std::size_t i : levels[level]) {
        const Box& box = boxes_[i];
        StackId parent = 0;
        if (level > 0) {
          const auto above = holder(levels[level - 1], box);
          if (!above) continue;  // a stray rectangle, of a legend perhaps
          parent = stacks[*above];
          children[*above] += box.value;
        }
        if (level == 0 && has_root) continue;
        stacks[i] = p_.intern_stack(parent, named_location(p_, {.name = box.name}));
      }
    }
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      const std::array<std::int64_t, 1> self = {boxes_[i].value - children[i]};
      if (self[0] > 0 && (stacks[i] != 0 || i == levels[0][0])) p_.accumulate(stacks[i], 0, self);
    }
  }

  // The box of a row that spans the middle of another one.
  [[nodiscard]] std::optional<std::size_t> holder(const std::vector<std::size_t>& row,
                                                  const Box& box) const {
    const double middle = box.x + box.width / 2;
    const auto after = std::ranges::upper_bound(row, middle, {},
                                                [this](std::size_t i) { return boxes_[i].x; });
    if (after == row.begin()) return std::nullopt;
    const std::size_t found = *(after - 1);
    if (boxes_[found].x + boxes_[found].width < middle) return std::nullopt;
    return found;
  }

  std::vector<Box> boxes_;
  std::map<double, std::vector<std::size_t>> rows_;
  Profile p_;
};

}  // namespace

Sniff sniff_svg(const SniffInput& input) {
  const std::string_view head = as_text(input.head);
  if (head.substr(0, 4096).find("<svg") == std::string_view::npos) return Sniff::no;
  // The oldest pictures have no titles, and an error message is a picture too.
  if (input.whole && head.find("<title>") == std::string_view::npos) return Sniff::no;
  if (head.find("hprof_init") < head.size() || head.find("inferno") < head.size()) {
    return Sniff::magic;
  }
  return head.find("flamegraph") < head.size() || head.find("samples, ") < head.size() ||
                 head.find("<g class=\"func_g\"><title>") < head.size()
             ? Sniff::likely
             : Sniff::no;
}

Result<Profile> read_svg(ByteSource& source, const ReadOptions& options) {
  constexpr std::uint64_t kMost = std::uint64_t{2} << 30;
  HPROF_ASSIGN(const std::vector<std::byte> all,
               read_all(source, std::min(kMost, options.limits.max_bytes)));
  return Builder{boxes(as_text(all))}.run();
}

}  // namespace hprof::formats
