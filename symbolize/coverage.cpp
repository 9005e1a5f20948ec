// SPDX-License-Identifier: Apache-2.0
#include "symbolize/coverage.h"

#include <fmt/format.h>

#include <algorithm>

namespace hprof::symbolize {
namespace {

std::string_view base_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

// A few stray addresses in a well named module are not worth a line.
constexpr std::size_t kWorthTelling = 20;  // at least 1 in 20 unnamed

}  // namespace

void Coverage::add(const ModuleJob& job) {
  if (job.places.empty()) return;
  Row& row = rows_[job.module->path];
  for (const ModuleJob::Place& place : job.places) {
    ++row.total;
    if (place.index == ModuleJob::kNoIndex || job.frames[place.index].empty()) ++row.unnamed;
  }
  if (!job.poverty.empty()) row.why = job.poverty;
  row.build_id = job.build_id;
}

std::vector<std::string> Coverage::notes() const {
  std::vector<std::pair<std::string, Row>> poor;
  for (const auto& [path, row] : rows_) {
    if (row.unnamed != 0 && row.unnamed * kWorthTelling >= row.total) poor.emplace_back(path, row);
  }
  std::ranges::stable_sort(
      poor, [](const auto& a, const auto& b) { return a.second.unnamed > b.second.unnamed; });
  std::vector<std::string> out;
  for (const auto& [path, row] : poor) {
    std::string line = fmt::format("{}: {} of {} addresses without a name", base_name(path),
                                   row.unnamed, row.total);
    if (!row.why.empty()) line += ": " + row.why;
    if (!row.build_id.empty()) line += fmt::format(" (build-id {:.16})", row.build_id);
    out.push_back(std::move(line));
  }
  return out;
}

}  // namespace hprof::symbolize
