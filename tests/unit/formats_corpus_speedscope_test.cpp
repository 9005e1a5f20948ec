// SPDX-License-Identifier: Apache-2.0
// speedscope's expected frames beside its samples: the share of each function's own weight.
#include "corpus_judges.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>

namespace hprof::test {
namespace {

namespace fs = std::filesystem;

using Weights = std::map<std::string, double>;

// Frames that V8 makes up are placed differently by every reader.
bool is_made_up(std::string_view name) {
  return name.empty() || name == "(root)" || name == "(program)" || name == "(idle)" ||
         name == "(garbage collector)" || name == "[unknown]" || name == "all";
}

// "(anonymous file:1)" of speedscope, and the arguments it puts behind names of trace events.
std::string plain(std::string name) {
  if (name.starts_with("(anonymous")) return "(anonymous)";
  const std::size_t arguments = name.find(" {\"");
  return arguments == std::string::npos ? name : name.substr(0, arguments);
}

std::string text_in_quotes(const std::string& line) {
  const std::size_t open = line.find('"', line.find(':'));
  const std::size_t close = line.rfind('"');
  return close > open ? line.substr(open + 1, close - open - 1) : std::string{};
}

void add_expected(const fs::path& path, Weights& out) {
  std::ifstream file{path};
  std::string line;
  std::string name;
  while (std::getline(file, line) && line.find("\"stacks\"") == std::string::npos) {
    if (line.find("      \"name\": ") == 0) name = text_in_quotes(line);
    if (line.find("      \"selfWeight\": ") == 0 && !is_made_up(name)) {
      out[plain(name)] += std::strtod(line.c_str() + line.find(':') + 1, nullptr);
    }
  }
}

// Weight by the innermost frame; of those in `known` only, where speedscope leaves native frames out.
Weights own_weights(const Profile& p, std::size_t column, const Weights* known) {
  Weights out;
  for (std::uint32_t row = 0; row < p.sample_count(); ++row) {
    StackId stack = p.sample_stack(row);
    while (known != nullptr && stack != 0 &&
           !known->contains(plain(frame_name(p, p.stack(stack).location, 0)))) {
      stack = p.stack(stack).parent;
    }
    if (stack == 0) continue;
    const std::string name = plain(frame_name(p, p.stack(stack).location, 0));
    if (!is_made_up(name)) out[name] += static_cast<double>(p.value(column, row));
  }
  return out;
}

double total(const Weights& weights) {
  double sum = 0;
  for (const auto& [name, weight] : weights) sum += weight;
  return sum;
}

}  // namespace

Verdict judge_speedscope(const fs::path& root, const std::string& name) {
  Weights want;
  for (int i = 1; fs::exists(root / fmt::format("{}.expected.{}.txt", name, i)); ++i) {
    add_expected(root / fmt::format("{}.expected.{}.txt", name, i), want);
    // Further files of callgrind are further events.
    if (name.find("callgrind") != std::string::npos) break;
  }
  const bool is_firefox = name.find("/Firefox/") != std::string::npos;
  const auto profile = read_any(root / name);
  if (!profile) return {Outcome::failed, profile.error().message};
  const std::size_t column = name.find("callgrind") != std::string::npos
                                 ? 0
                                 : profile->default_sample_type_index();
  const Weights got = own_weights(*profile, column, is_firefox ? &want : nullptr);
  const double want_total = total(want);
  const double got_total = total(got);
  if (want_total == 0 || got_total == 0) {
    return want_total == got_total ? Verdict{} : Verdict{Outcome::failed, "totals differ"};
  }
  for (const auto& [frame, weight] : want) {
    const auto found = got.find(frame);
    const double own = found == got.end() ? 0 : found->second;
    const double difference = std::abs(weight / want_total - own / got_total);
    if (difference > 0.01) {
      return {Outcome::failed, fmt::format("{}: own share {:.4f} instead of {:.4f}", frame,
                                           own / got_total, weight / want_total)};
    }
  }
  return {};
}

}  // namespace hprof::test
