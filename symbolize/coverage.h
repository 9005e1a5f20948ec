// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/module_job.h"

#include <map>
#include <string>
#include <vector>

namespace hprof::symbolize {

/// Counts, module by module, how many addresses found a name.
class Coverage {
 public:
  void add(const ModuleJob& job);
  /// One line for each module with poor coverage, the worst first:
  /// "libfoo.so: 340 of 352 addresses without a name: stripped, ... (build-id ab12cd34)".
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  struct Row {
    std::size_t total = 0;
    std::size_t unnamed = 0;
    std::string why;
    std::string build_id;
  };
  std::map<std::string, Row> rows_;  // by path
};

}  // namespace hprof::symbolize
