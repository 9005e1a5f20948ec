// SPDX-License-Identifier: Apache-2.0
#include "massif.h"

#include "legacy_text.h"
#include "named_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace hprof::formats {
namespace {

constexpr std::string_view kName = "massif";

/// " n2: 1234 0x57: function (file:12)" or "(in /lib/x.so)"; depth by leading blanks.
struct Node {
  std::size_t depth = 0;
  std::uint64_t children = 0;
  std::int64_t bytes = 0;
  std::string_view text;
};

template <typename T>
bool take_number(std::string_view& text, T& value, int base = 10) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

std::optional<Node> parse_node(std::string_view line) {
  Node node;
  node.depth = line.find_first_not_of(' ');
  if (node.depth == std::string_view::npos) return std::nullopt;
  line.remove_prefix(node.depth);
  if (!line.starts_with('n')) return std::nullopt;
  line.remove_prefix(1);
  if (!take_number(line, node.children) || !line.starts_with(": ")) return std::nullopt;
  line.remove_prefix(2);
  if (!take_number(line, node.bytes) || !line.starts_with(' ')) return std::nullopt;
  node.text = line.substr(1);
  return node;
}

LocationId location_of(std::string_view text, NamedFrames& frames) {
  std::uint64_t address = 0;
  text.remove_prefix(2);  // "0x"
  if (!take_number(text, address, 16)) return frames.location({.name = text});
  if (text.starts_with(": ")) text.remove_prefix(2);
  NamedFrames::Frame frame{.name = text};
  const std::size_t open = text.rfind(" (");
  if (open != std::string_view::npos && text.ends_with(')')) {
    frame.name = text.substr(0, open);
    const std::string_view where = text.substr(open + 2, text.size() - open - 3);
    const std::size_t colon = where.rfind(':');
    if (where.starts_with("in ")) {
      frame.module = where.substr(3);
    } else if (colon != std::string_view::npos) {
      frame.file = where.substr(0, colon);
      frame.line = legacy_number(where.substr(colon + 1)).value_or(0);
    }
  }
  if (frame.name == "???") frame.name = {};
  return frames.location(frame, address);
}

/// The wanted tree: its text and the line before it.
struct Tree {
  std::string_view text;
  std::uint64_t line = 0;
  bool peak = false;
};

Tree find_tree(std::string_view text) {
  Tree tree;
  std::uint64_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    const bool peak = line.starts_with("heap_tree=peak");
    if (peak || (line.starts_with("heap_tree=detailed") && !tree.peak)) {
      tree = {text.substr(0, text.find("\n#-")), number, peak};
    }
  }
  return tree;
}

}  // namespace

Sniff sniff_massif(const SniffInput& input) {
  const std::string_view head = as_text(input.head);
  if (!head.starts_with("desc:")) return Sniff::no;
  return head.find("\ntime_unit:") != std::string_view::npos ? Sniff::magic : Sniff::no;
}

Result<Profile> read_massif(ByteSource& source, const ReadOptions& options) {
  HPROF_ASSIGN(const std::string text, read_legacy_text(source, options, kName));
  if (!text.starts_with("desc:")) return Error{ErrorKind::malformed_input, "massif: line 1: no header", {}};
  Profile profile;
  profile.add_sample_type("inuse_space", "bytes");
  const Tree tree = find_tree(text);
  NamedFrames frames{profile};
  struct Open {
    std::int64_t left = 0;  ///< bytes that no child has taken
    LocationId location = 0;
  };
  std::vector<Open> path;
  const auto close = [&](std::size_t depth) {
    while (path.size() > depth) {
      if (path.back().left != 0) {
        std::vector<LocationId> stack;
        for (std::size_t i = 1; i < path.size(); ++i) stack.push_back(path[i].location);
        profile.accumulate(profile.intern_stack_leaf_first(stack), 0, std::span{&path.back().left, 1});
      }
      path.pop_back();
    }
  };
  std::uint64_t number = tree.line;
  std::string_view rest = tree.text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    ++number;
    if (line.starts_with('#') || line.empty()) break;
    const auto node = parse_node(line);
    if (!node || node->depth > path.size() || node->depth > options.limits.max_frames) {
      return Error{ErrorKind::malformed_input,
                   fmt::format("massif: line {}: no node of the heap tree: '{}'", number, line.substr(0, 80)), {}};
    }
    close(node->depth);
    // "in 12 places, all below massif's threshold": these stay with their callers.
    const bool has_frame = node->text.starts_with("0x");
    if (!has_frame && node->depth != 0) continue;
    if (!path.empty()) path.back().left -= node->bytes;
    path.push_back({node->bytes, has_frame ? location_of(node->text, frames) : 0});
  }
  close(0);
  if (options.notes != nullptr && tree.line != 0 && !tree.peak) {
    options.notes->push_back("massif: no snapshot is marked as the peak; the last detailed one was taken");
  }
  return profile;
}

}  // namespace hprof::formats
