// SPDX-License-Identifier: Apache-2.0
#include "flamegraph_svg.h"

#include "assets.h"
#include "call_tree.h"
#include "frame_colors.h"
#include "losses.h"
#include "text_output.h"
#include "units.h"
#include "xml_text.h"

#include <algorithm>
#include <cmath>

namespace hprof::formats {
namespace {

// Pixels. The script knows them by the geometry it finds, not by these numbers.
constexpr std::uint32_t kWidth = 1200;
constexpr std::uint32_t kSide = 10;
constexpr std::uint32_t kTop = 52;
constexpr std::uint32_t kBottom = 42;
constexpr std::uint32_t kFrameHeight = 16;
constexpr double kCharacterWidth = 7.1;
constexpr double kDefaultMinShare = 0.0001;

class SvgWriter {
 public:
  SvgWriter(const Profile& profile, ByteSink& sink, const WriteOptions& options)
      : options_(options),
        names_(profile, options.short_names),
        tree_(CallTree::build(profile, names_, tree_options(profile, options))),
        colors_(color_by_module(profile, names_)),
        out_(sink) {
    if (options.sample_type < profile.sample_types().size()) {
      const ValueType& type = profile.sample_types()[options.sample_type];
      type_ = profile.string(type.type);
      unit_ = profile.string(type.unit);
    }
    for (const std::int64_t delta : tree_.deltas()) {
      largest_delta_ = std::max(largest_delta_, std::abs(static_cast<double>(delta)));
    }
  }

  Result<void> write() {
    put_head();
    next_x_.assign(tree_.max_depth() + std::size_t{2}, 0);
    for (std::uint32_t i = 0; i < tree_.nodes().size(); ++i) put_frame(i);
    out_.put("</svg>\n</svg>\n");
    if (tree_.left_out() > 0) {
      add_note(options_, fmt::format("svg output leaves out {} frames narrower than {} % of the total",
                                     tree_.left_out(), min_share(options_) * 100));
    }
    return out_.finish();
  }

 private:
  static double min_share(const WriteOptions& options) {
    return options.min_width > 0 ? options.min_width : kDefaultMinShare;
  }

  static TreeOptions tree_options(const Profile& profile, const WriteOptions& options) {
    return {.sample_type = options.sample_type,
            .order = TreeOrder::by_name,
            .reverse = options.reverse,
            .difference = has_negative(profile, options),
            .min_share = min_share(options)};
  }

  [[nodiscard]] std::uint32_t height() const {
    return kTop + kBottom + (tree_.max_depth() + 1) * kFrameHeight;
  }

  void put_head() {
    out_.format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
        "<svg version=\"1.1\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "onload=\"hprof_init(evt)\" xmlns=\"http://www.w3.org/2000/svg\" "
        "xmlns:fg=\"http://github.com/jonhoo/inferno\">\n<style type=\"text/css\">\n",
        kWidth, height());
    out_.put(assets::flamegraph_svg_css());
    out_.put("</style>\n<script type=\"text/ecmascript\"><![CDATA[\n");
    out_.put(assets::flamegraph_svg_js());
    out_.format("]]></script>\n<rect class=\"background\" width=\"100%\" height=\"{}\"/>\n", height());
    out_.put("<text id=\"title\" x=\"50%\" y=\"22\">");
    put_xml(out_, options_.title.empty() ? std::string_view{"Flame Graph"} : options_.title);
    out_.format("</text>\n<text id=\"subtitle\" x=\"50%\" y=\"40\">{}</text>\n", subtitle());
    out_.format(
        "<text id=\"reset\" class=\"button hidden\" x=\"{0}\" y=\"22\">Reset zoom</text>\n"
        "<text id=\"case\" class=\"button\" x=\"{1}\" y=\"22\">ic</text>\n"
        "<text id=\"search\" class=\"button\" x=\"{2}\" y=\"22\">Search</text>\n"
        "<text id=\"details\" x=\"{0}\" y=\"{3}\"> </text>\n"
        "<text id=\"matched\" x=\"{2}\" y=\"{3}\"> </text>\n",
        kSide, kWidth - kSide - 100, kWidth - kSide, height() - 16);
    out_.format(
        "<svg id=\"frames\" x=\"{}\" width=\"{}\" total_samples=\"{}\" fg:frameheight=\"{}\" "
        "fg:inverted=\"{}\">\n",
        kSide, kWidth - 2 * kSide, tree_.total(), kFrameHeight, options_.inverted ? 1 : 0);
  }

  [[nodiscard]] std::string subtitle() const {
    std::string text = value_text(tree_.total(), type_, unit_);
    if (!tree_.deltas().empty()) {
      text += ", red: more, blue: less";
    } else if (unit_ != "count") {
      text += fmt::format(" {}", type_);
    }
    if (options_.reverse) text += ", merged from the leaf";
    return xml(text);
  }

  static std::string xml(std::string_view text) {
    StringSink sink;
    TextOutput out{sink};
    put_xml(out, text);
    return out.finish() ? sink.take() : std::string{};
  }

  // Preorder: a frame begins where its sibling before it ended, or with its parent.
  void put_frame(std::uint32_t index) {
    const TreeNode& node = tree_.nodes()[index];
    const std::int64_t x = next_x_[node.depth];
    next_x_[node.depth] = x + node.total;
    next_x_[node.depth + 1] = x;
    const double total = std::max(1.0, static_cast<double>(tree_.total()));
    const double share = index == 0 ? 1 : static_cast<double>(node.total) / total;
    const double left = static_cast<double>(x) / total;
    const std::uint32_t level = options_.inverted ? node.depth : tree_.max_depth() - node.depth;
    const std::uint32_t y = kTop + level * kFrameHeight;
    out_.put("<g><title>");
    put_title(index, share);
    out_.put("</title><rect x=\"");
    put_percent(left);
    out_.put("%\" y=\"");
    out_.number(y);
    out_.put("\" width=\"");
    put_percent(share);
    out_.put("%\" height=\"15\" fill=\"");
    put_color(color(index));
    out_.put("\" fg:x=\"");
    out_.number(x);
    out_.put("\" fg:w=\"");
    out_.number(node.total);
    out_.put("\"/>");
    put_label(index, left, share, y);
    out_.put("</g>\n");
  }

  [[nodiscard]] std::string_view name(std::uint32_t index) const {
    return index == 0 ? std::string_view{"all"} : names_.name(tree_.nodes()[index].name);
  }

  void put_title(std::uint32_t index, double share) {
    put_xml(out_, name(index));
    out_.put(" (");
    const std::int64_t value = tree_.nodes()[index].total;
    if (value != last_value_ || last_text_.empty()) {
      last_value_ = value;
      last_text_ = xml(value_text(value, type_, unit_));
    }
    out_.put(last_text_);
    out_.put(", ");
    put_hundredths(share * 100);
    out_.put('%');
    if (!tree_.deltas().empty()) {
      const std::int64_t delta = tree_.deltas()[index];
      out_.put(delta < 0 ? "; -" : "; +");
      const double total = std::max(1.0, static_cast<double>(tree_.total()));
      put_hundredths(std::abs(static_cast<double>(delta)) / total * 100);
      out_.put('%');
    }
    out_.put(')');
  }

  void put_label(std::uint32_t index, double left, double share, std::uint32_t y) {
    const double pixels = share * (kWidth - 2 * kSide) - 6;
    const auto characters = static_cast<std::size_t>(std::max(0.0, pixels / kCharacterWidth));
    if (characters < 3) return;  // the script adds it where a zoom makes room
    out_.put("<text x=\"");
    put_percent(left + 3.0 / (kWidth - 2 * kSide));
    out_.put("%\" y=\"");
    out_.number(y + 11);
    out_.put("\">");
    put_xml_cut(out_, name(index), characters);
    out_.put("</text>");
  }

  [[nodiscard]] Rgb color(std::uint32_t index) const {
    if (!tree_.deltas().empty()) {
      return difference_color(static_cast<double>(tree_.deltas()[index]) /
                              std::max(1.0, largest_delta_));
    }
    return index == 0 ? Rgb{220, 220, 220} : colors_[tree_.nodes()[index].name];
  }

  void put_color(Rgb color) {
    out_.put("rgb(");
    out_.number(color.red);
    out_.put(',');
    out_.number(color.green);
    out_.put(',');
    out_.number(color.blue);
    out_.put(')');
  }

  // A share in percent with four decimals; snprintf of doubles would be most of the time.
  void put_percent(double share) { put_fixed(share * 100, 4, 10000); }
  void put_hundredths(double value) { put_fixed(value, 2, 100); }

  void put_fixed(double value, int digits, std::uint64_t scale) {
    const double bounded = std::clamp(value, 0.0, 1e12);
    const auto scaled = static_cast<std::uint64_t>(bounded * static_cast<double>(scale) + 0.5);
    out_.number(scaled / scale);
    out_.put('.');
    std::uint64_t rest = scaled % scale;
    char text[8];
    for (int i = digits; i-- > 0; rest /= 10) text[i] = static_cast<char>('0' + rest % 10);
    out_.put(std::string_view{text, static_cast<std::size_t>(digits)});
  }

  const WriteOptions& options_;
  FrameNames names_;
  CallTree tree_;
  std::vector<Rgb> colors_;
  TextOutput out_;
  std::string_view type_ = "samples";
  std::string_view unit_ = "count";
  double largest_delta_ = 0;
  std::vector<std::int64_t> next_x_;  ///< by depth
  std::int64_t last_value_ = 0;       ///< of last_text_
  std::string last_text_;
};

}  // namespace

Result<void> write_flamegraph_svg(const Profile& profile, ByteSink& sink,
                                  const WriteOptions& options) {
  HPROF_TRY(check_sample_type(profile, options));
  return SvgWriter{profile, sink, options}.write();
}

}  // namespace hprof::formats
