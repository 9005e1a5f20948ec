// SPDX-License-Identifier: Apache-2.0
#include "symbolize/file_names.h"

namespace hprof::symbolize {

std::unique_ptr<FileNames> FileNames::open(const ElfImage& image) {
  return std::unique_ptr<FileNames>(new FileNames(image));
}

const SymbolIndex& FileNames::symbols() const {
  std::call_once(symbols_once_, [this] { symbols_ = SymbolIndex::build(image_, nullptr); });
  return symbols_;
}

std::vector<NamingTask> FileNames::plan(std::span<const std::uint64_t> addresses) const {
  NamingTask task;
  for (std::uint32_t i = 0; i < addresses.size(); ++i) task.indexes.push_back(i);
  std::vector<NamingTask> tasks;
  if (!task.indexes.empty()) tasks.push_back(std::move(task));
  return tasks;
}

void FileNames::run(const NamingTask& task, std::span<const std::uint64_t> addresses,
                    std::span<Frames> out) const {
  for (const std::uint32_t i : task.indexes) {
    const CodeSymbol* symbol = symbols().find(addresses[i]);
    if (symbol == nullptr) continue;
    Frame frame;
    frame.system_name = symbol->name;
    out[i] = {std::move(frame)};
  }
}

std::string FileNames::poverty() const {
  return symbols().has_full_table() ? "its tables do not cover them"
                                    : "stripped, no separate debug info";
}

}  // namespace hprof::symbolize
