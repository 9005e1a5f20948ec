// SPDX-License-Identifier: Apache-2.0
#include "symbolize/file_names.h"

#include <algorithm>

namespace hprof::symbolize {

std::unique_ptr<FileNames> FileNames::open(const Module& module, const ElfImage* image,
                                           DebugFilePtr debug, const DebugFinder& finder) {
  auto names = std::unique_ptr<FileNames>(new FileNames(module, image, std::move(debug), finder));
  if (image != nullptr) names->go_ = GoNames::open(*image);
  return names;
}

// Its own debug info first: a separate file may be there only for its symbol table.
void FileNames::open_debug_info() {
  if (info_) return;
  if (image_ != nullptr) info_ = DebugInfo::open(*image_, module_.path, module_, finder_);
  if (!info_ && debug_) info_ = DebugInfo::open(debug_->image, debug_->path, module_, finder_);
}

const CodeSymbol* FileNames::symbol_at(std::uint64_t address) const {
  std::call_once(symbols_once_, [this] {
    const ElfImage* debug = debug_ ? &debug_->image : nullptr;
    symbols_ = SymbolIndex::build(image_ != nullptr ? *image_ : *debug,
                                  image_ != nullptr ? debug : nullptr);
  });
  return symbols_.find(address);
}

std::vector<NamingTask> FileNames::plan(std::span<const std::uint64_t> addresses,
                                        std::span<const std::uint32_t> wanted) {
  std::map<std::uint32_t, NamingTask> by_unit;
  std::vector<std::uint32_t> others;
  for (const std::uint32_t i : wanted) {
    if (go_ && go_->covers(addresses[i])) {
      by_unit[NamingTask::kGo].indexes.push_back(i);
    } else {
      others.push_back(i);
    }
  }
  // Debug info is only opened (and inflated) for what Go's tables do not know.
  if (!others.empty()) open_debug_info();
  for (const std::uint32_t i : others) {
    by_unit[info_ ? info_->unit_of(addresses[i]) : DebugInfo::kNoUnit].indexes.push_back(i);
  }
  std::vector<NamingTask> tasks;
  for (auto& [unit, task] : by_unit) {
    task.unit = unit;
    tasks.push_back(std::move(task));
  }
  return tasks;
}

void FileNames::run(const NamingTask& task, std::span<const std::uint64_t> addresses,
                    std::span<Frames> out) const {
  const auto symbol_of = [this](std::uint64_t address) { return symbol_at(address); };
  if (task.unit == NamingTask::kGo) {
    for (const std::uint32_t i : task.indexes) out[i] = go_->name(addresses[i]);
    return;
  }
  if (task.unit != DebugInfo::kNoUnit) {
    std::vector<std::uint64_t> mine;
    for (const std::uint32_t i : task.indexes) mine.push_back(addresses[i]);
    std::vector<Frames> found = info_->name(task.unit, mine, symbol_of);
    for (std::size_t i = 0; i < mine.size(); ++i) out[task.indexes[i]] = std::move(found[i]);
    return;
  }
  for (const std::uint32_t i : task.indexes) {
    const CodeSymbol* symbol = symbol_at(addresses[i]);
    if (symbol == nullptr) continue;
    Frame frame;
    frame.system_name = symbol->name;
    out[i] = {std::move(frame)};
  }
}

std::string FileNames::poverty() const {
  if (info_) {
    const std::string missing = info_->missing_part();
    return missing.empty() ? "not covered by its debug info" : missing + " is missing";
  }
  return symbols_.has_full_table() ? "not covered by its symbol table"
                                   : "stripped, no separate debug info";
}

}  // namespace hprof::symbolize
