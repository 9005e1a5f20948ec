// SPDX-License-Identifier: Apache-2.0
#include "callgrind_reader.h"

#include "callgrind_graph.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

namespace hprof::formats {
namespace {

std::string_view trim(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r");
  if (start == std::string_view::npos) return {};
  return text.substr(start, text.find_last_not_of(" \t\r") - start + 1);
}

std::string_view take_word(std::string_view& text) {
  text = trim(text);
  const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

std::optional<std::int64_t> to_count(std::string_view word) {
  std::int64_t value = 0;
  int base = 10;
  if (word.starts_with("0x")) {
    word.remove_prefix(2);
    base = 16;
  }
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value, base);
  if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return value;
}

// "(1) name" defines, "(1)" refers, a plain name is itself.
class Names {
 public:
  std::string resolve(std::string_view text) {
    text = trim(text);
    const std::size_t close = text.starts_with('(') ? text.find(')') : std::string_view::npos;
    const auto id = close == std::string_view::npos ? std::nullopt
                                                    : to_count(text.substr(1, close - 1));
    if (!id) return std::string{text};
    const std::string_view name = trim(text.substr(close + 1));
    if (!name.empty()) known_[*id] = name;
    return known_[*id];
  }

 private:
  std::map<std::int64_t, std::string> known_;
};

class Parser {
 public:
  Result<Profile> run(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      ++line_;
      HPROF_TRY(one(trim(text.substr(0, end))));
      text.remove_prefix(std::min(text.size(), end + 1));
    }
    if (graph_.events.empty()) return malformed("no 'events:' line");
    return graph_.to_profile();
  }

 private:
  Error malformed(std::string_view what) const {
    return {ErrorKind::malformed_input, fmt::format("callgrind: line {}: {}", line_, what), {}};
  }

  Result<void> one(std::string_view line) {
    if (line.empty() || line.starts_with('#')) return {};
    const char first = line[0];
    const bool is_cost = (first >= '0' && first <= '9') || first == '+' || first == '-' || first == '*';
    if (is_cost) return cost(line);
    const std::size_t equals = line.find('=');
    const std::size_t colon = line.find(':');
    if (equals != std::string_view::npos && equals < colon) {
      return assignment(line.substr(0, equals), line.substr(equals + 1));
    }
    if (colon == std::string_view::npos) return malformed("neither a header, a name nor a cost");
    header(line.substr(0, colon), line.substr(colon + 1));
    return {};
  }

  void header(std::string_view key, std::string_view value) {
    if (key == "events" && graph_.events.empty()) {
      while (!trim(value).empty()) graph_.events.emplace_back(take_word(value));
    } else if (key == "positions") {
      positions_ = 0;
      while (!trim(value).empty()) {
        take_word(value);
        ++positions_;
      }
    }
  }

  Result<void> assignment(std::string_view key, std::string_view value) {
    if (key == "fl" || key == "fi" || key == "fe") {
      const std::string file = files_.resolve(value);
      // fi and fe are files of inlined code; the function stays where it is.
      if (key == "fl") file_ = file;
    } else if (key == "ob") {
      object_ = objects_.resolve(value);
    } else if (key == "fn") {
      caller_ = graph_.function({functions_.resolve(value), file_, object_});
    } else if (key == "cfi" || key == "cfl") {
      called_file_ = files_.resolve(value);
    } else if (key == "cob") {
      called_object_ = objects_.resolve(value);
    } else if (key == "cfn") {
      called_name_ = functions_.resolve(value);
    } else if (key == "calls") {
      in_call_ = true;
    }
    return {};
  }

  Result<void> cost(std::string_view line) {
    for (std::size_t i = 0; i < positions_; ++i) {
      if (take_word(line).empty()) return malformed("a position is missing");
    }
    std::vector<std::int64_t> costs;
    while (!trim(line).empty()) {
      const auto value = to_count(take_word(line));
      if (!value) return malformed("a cost is no number");
      costs.push_back(*value);
    }
    if (costs.size() > graph_.events.size()) {
      return malformed(fmt::format("{} costs for {} events", costs.size(), graph_.events.size()));
    }
    if (!caller_) return malformed("a cost before any function");
    if (!in_call_) {
      graph_.add_self(*caller_, costs);
      return {};
    }
    const CallgrindGraph::FunctionKey key{called_name_.value_or(std::string{}),
                                          called_file_.value_or(file_),
                                          called_object_.value_or(object_)};
    graph_.add_call(*caller_, graph_.function(key), costs);
    in_call_ = false;
    called_file_.reset();
    called_object_.reset();
    called_name_.reset();
    return {};
  }

  CallgrindGraph graph_;
  std::size_t line_ = 0;
  std::size_t positions_ = 1;
  Names files_;
  Names functions_;
  Names objects_;
  std::string file_;
  std::string object_;
  std::optional<std::uint32_t> caller_;
  std::optional<std::string> called_file_;
  std::optional<std::string> called_object_;
  std::optional<std::string> called_name_;
  bool in_call_ = false;
};

}  // namespace

Sniff sniff_callgrind(const SniffInput& input) {
  const std::string_view head = as_text(input.head);
  if (head.starts_with("# callgrind format")) return Sniff::magic;
  const bool events = head.starts_with("events:") || head.find("\nevents:") < head.size();
  const bool functions = head.find("\nfn=") < head.size();
  return events && functions ? Sniff::likely : Sniff::no;
}

Result<Profile> read_callgrind(ByteSource& source, const ReadOptions& options) {
  constexpr std::uint64_t kMost = std::uint64_t{4} << 30;
  HPROF_ASSIGN(const std::vector<std::byte> all,
               read_all(source, std::min(kMost, options.limits.max_bytes)));
  return Parser{}.run(as_text(all));
}

}  // namespace hprof::formats
