// SPDX-License-Identifier: Apache-2.0
#include "perf_script_line.h"

#include <algorithm>
#include <charconv>

namespace hprof::formats {
namespace {

constexpr std::string_view kBlank = " \t\r";

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

template <typename T>
std::optional<T> number(std::string_view text, int base = 10) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// A run of non-blanks and where it stands.
struct Token {
  std::size_t begin = 0;
  std::size_t end = 0;
  [[nodiscard]] std::string_view in(std::string_view line) const {
    return line.substr(begin, end - begin);
  }
};

std::optional<Token> token_after(std::string_view line, std::size_t at) {
  while (at < line.size() && is_blank(line[at])) ++at;
  if (at == line.size()) return std::nullopt;
  std::size_t end = at;
  while (end < line.size() && !is_blank(line[end])) ++end;
  return Token{at, end};
}

std::optional<Token> token_before(std::string_view line, std::size_t at) {
  while (at > 0 && is_blank(line[at - 1])) --at;
  if (at == 0) return std::nullopt;
  std::size_t begin = at;
  while (begin > 0 && !is_blank(line[begin - 1])) --begin;
  return Token{begin, at};
}

// "6544038.708352:" or with nanoseconds; ns since the clock's zero.
std::optional<std::int64_t> parse_time(std::string_view token) {
  if (token.size() < 4 || token.back() != ':' || !is_digit(token.front())) return std::nullopt;
  token.remove_suffix(1);
  const std::size_t dot = token.find('.');
  if (dot == std::string_view::npos || token.size() - dot > 10) return std::nullopt;
  const auto seconds = number<std::int64_t>(token.substr(0, dot));
  const auto fraction = number<std::int64_t>(token.substr(dot + 1));
  if (!seconds || !fraction || *fraction < 0 || *seconds > 9'000'000'000) return std::nullopt;
  std::int64_t scaled = *fraction;
  for (std::size_t digits = token.size() - dot - 1; digits < 9; ++digits) scaled *= 10;
  return *seconds * 1'000'000'000 + scaled;
}

/// "12" or "12/13".
bool parse_ids(std::string_view token, ScriptHeader& header) {
  const std::size_t slash = token.find('/');
  const auto first = number<std::int64_t>(token.substr(0, slash));
  if (!first) return false;
  if (slash == std::string_view::npos) {
    header.tid = *first;
    return true;
  }
  const auto second = number<std::int64_t>(token.substr(slash + 1));
  if (!second) return false;
  header.pid = *first;
  header.tid = *second;
  return true;
}

bool is_cpu(std::string_view token) {
  return token.size() > 2 && token.front() == '[' && token.back() == ']' &&
         std::all_of(token.begin() + 1, token.end() - 1, is_digit);
}

// The ids are the last field before the cpu or time, so a comm may hold anything, numbers too.
bool parse_who(std::string_view line, std::size_t end, ScriptHeader& header) {
  std::optional<Token> ids = token_before(line, end);
  if (ids && !is_cpu(ids->in(line)) && !parse_ids(ids->in(line), header)) {
    ids = token_before(line, ids->begin);  // a field of flags, as "d..1."
  }
  if (ids && is_cpu(ids->in(line))) ids = token_before(line, ids->begin);
  if (!ids || !parse_ids(ids->in(line), header)) return false;
  header.who = trim(line.substr(0, ids->end));
  header.comm = trim(line.substr(0, ids->begin));
  return true;
}

// [period] event: rest. An event may hold colons ("syscalls:sys_enter_ioctl:"); its token ends in one.
void parse_event(std::string_view line, std::size_t at, ScriptHeader& header) {
  std::optional<Token> token = token_after(line, at);
  if (!token) return;
  if (const auto period = number<std::int64_t>(token->in(line))) {
    header.period = period;
    at = token->end;
    token = token_after(line, at);
    if (!token) return;
  }
  const std::string_view event = token->in(line);
  if (!event.ends_with(':')) {
    header.rest = trim(line.substr(at));
    return;
  }
  header.event = event.substr(0, event.size() - 1);
  header.rest = trim(line.substr(token->end));
}

// Without a time column: the first number behind a word splits comm and event.
std::optional<ScriptHeader> parse_timeless_header(std::string_view line) {
  ScriptHeader header;
  std::optional<Token> token = token_after(line, 0);
  if (!token) return std::nullopt;
  while ((token = token_after(line, token->end))) {
    if (!parse_ids(token->in(line), header)) continue;
    header.who = trim(line.substr(0, token->end));
    header.comm = trim(line.substr(0, token->begin));
    std::size_t at = token->end;
    const std::optional<Token> cpu = token_after(line, at);
    if (cpu && is_cpu(cpu->in(line))) at = cpu->end;
    parse_event(line, at, header);
    // Something must show that this is no sentence: an event, or nothing more on the line.
    if (header.event.empty() && !header.rest.empty()) return std::nullopt;
    return header;
  }
  return std::nullopt;
}

}  // namespace

std::optional<ScriptHeader> parse_script_header(std::string_view line) {
  ScriptHeader header;
  // Times end in ':' behind a digit: look at those places only.
  for (std::size_t colon = line.find(':'); colon != std::string_view::npos;
       colon = line.find(':', colon + 1)) {
    if (colon == 0 || !is_digit(line[colon - 1])) continue;
    if (colon + 1 < line.size() && !is_blank(line[colon + 1])) continue;
    const std::optional<Token> token = token_before(line, colon + 1);
    header.time_ns = parse_time(token->in(line));
    if (!header.time_ns || !parse_who(line, token->begin, header)) continue;
    parse_event(line, colon + 1, header);
    return header;
  }
  return parse_timeless_header(line);
}

std::optional<ScriptFrame> parse_script_frame(std::string_view line) {
  line = trim(line);
  std::size_t at = 0;
  while (at < line.size() && is_hex(line[at])) ++at;
  if (at == 0 || at > 16 || at == line.size() || !is_blank(line[at])) return std::nullopt;
  ScriptFrame frame;
  frame.address = *number<std::uint64_t>(line.substr(0, at), 16);
  std::string_view symbol = line.substr(at);
  if (line.back() == ')') {
    // The module is the last balanced group: its path may hold parentheses and blanks itself.
    int depth = 0;
    std::size_t open = line.size();
    while (open > at) {
      --open;
      if (line[open] == ')') ++depth;
      if (line[open] == '(' && --depth == 0) break;
    }
    if (depth != 0) open = line.rfind(" (") + 1;
    if (open <= at || !is_blank(line[open - 1])) return std::nullopt;
    symbol = line.substr(at, open - at);
    frame.module = line.substr(open + 1, line.size() - open - 2);
  }
  symbol = trim(symbol);
  const auto strip_offset = [](std::string_view& text) -> std::optional<std::uint64_t> {
    const std::size_t plus = text.rfind("+0x");
    if (plus == std::string_view::npos) return std::nullopt;
    const auto offset = number<std::uint64_t>(text.substr(plus + 3), 16);
    if (offset) text = text.substr(0, plus);
    return offset;
  };
  strip_offset(symbol);
  frame.symbol = symbol;
  if (frame.module == "inlined") {
    frame.inlined = true;
    frame.module = {};
  } else {
    frame.module_offset = strip_offset(frame.module);
  }
  return frame;
}

std::optional<ScriptSource> parse_script_source(std::string_view line) {
  if (line.empty() || !is_blank(line.front())) return std::nullopt;
  line = trim(line);
  if (line.ends_with(']')) {
    const std::size_t open = line.rfind('[');
    if (open == std::string_view::npos || open == 0) return std::nullopt;
    const std::string_view hex = line.substr(open + 1, line.size() - open - 2);
    if (hex.empty() || !std::ranges::all_of(hex, is_hex)) return std::nullopt;
    return ScriptSource{line.substr(0, open), 0};
  }
  const std::size_t colon = line.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  const auto number_of = number<std::int64_t>(line.substr(colon + 1));
  if (!number_of || *number_of < 0) return std::nullopt;
  return ScriptSource{line.substr(0, colon), *number_of};
}

}  // namespace hprof::formats
