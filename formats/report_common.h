// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "call_graph.h"

#include <hprof/formats/registry.h>

#include <string>
#include <vector>

namespace hprof::formats {

enum class RowOrder { by_flat, by_cum };

/// What the reports of one value column share: the graph, its rows in order, and how values look.
/// Lifetime: borrows the profile and the options.
class Report {
 public:
  Report(const Profile& profile, const WriteOptions& options, RowOrder order);

  [[nodiscard]] const FrameNames& names() const { return names_; }
  [[nodiscard]] const CallGraph& graph() const { return graph_; }
  /// Shown functions, options.top_count at most.
  [[nodiscard]] const std::vector<NameId>& rows() const { return rows_; }
  /// A value in the unit of the report: "1.10s".
  [[nodiscard]] std::string value(std::int64_t value) const;
  [[nodiscard]] std::string percent(std::int64_t value) const;
  /// "File: …", "Type: …", "Duration: …" lines.
  [[nodiscard]] std::vector<std::string> profile_lines() const;
  /// "Showing nodes accounting for …" lines.
  [[nodiscard]] std::vector<std::string> coverage_lines() const;
  /// "(inline)" or "(partial-inline)" by name, for functions that were inlined; else "".
  [[nodiscard]] std::vector<std::string_view> inline_marks() const;
  [[nodiscard]] std::string_view unit() const { return output_unit_; }
  [[nodiscard]] std::string_view sample_unit() const { return sample_unit_; }

 private:
  void order_rows(RowOrder order);
  void choose_unit();

  const Profile& profile_;
  const WriteOptions& options_;
  FrameNames names_;
  CallGraph graph_;
  std::vector<NameId> rows_;
  std::size_t row_total_ = 0;
  std::string sample_unit_;
  std::string output_unit_;
};

/// Header lines of any report; `unit` is the unit for the total ("auto" chooses one).
std::vector<std::string> profile_lines(const Profile& profile, std::size_t sample_type,
                                       std::int64_t total, std::string_view unit);

/// "2024-05-01 12:00:00 UTC" of nanoseconds since 1970.
std::string utc_text(std::int64_t time_nanos);

}  // namespace hprof::formats
