// SPDX-License-Identifier: Apache-2.0
#include "symbolize/unwind/module_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace hprof::symbolize {
namespace {

/// Entry code is some instructions; glibc's loader goes on behind it (_dl_start_user).
constexpr std::uint64_t kEntryBytes = 96;

// Two builds may carry one build id (a forged one, a patched file): the headers differ then.
std::string identity(const Module& module) {
  constexpr std::size_t kHeaderBytes = 4096;
  const Bytes bytes = module.bytes();
  std::string build_id = module.build_id;
  if (build_id.empty()) {
    const auto image = ElfImage::parse(bytes);
    if (image) build_id = image->build_id();
  }
  if (build_id.empty()) return {};
  const std::string_view head = as_text(bytes.first(std::min(bytes.size(), kHeaderBytes)));
  return fmt::format("{}:{}:{:x}", build_id, bytes.size(), std::hash<std::string_view>{}(head));
}

}  // namespace

ModuleTables::ModuleTables(ModulePtr module) : module_(std::move(module)) {
  const bool has_image = module_->kind == ModuleKind::file || module_->kind == ModuleKind::vdso;
  if (!has_image) return;
  auto image = ElfImage::parse(module_->bytes());
  if (!image || !image->is_64()) return;
  image_.emplace(*std::move(image));
  cfi_.emplace(*image_);
  auto go = find_go_tables(*image_);
  if (go) go_.emplace(*std::move(go));
}

std::optional<std::uint64_t> ModuleTables::vaddr_of_offset(std::uint64_t offset) const {
  return image_ ? image_->address_of_offset(offset) : std::nullopt;
}

bool ModuleTables::at_entry(std::uint64_t vaddr) const {
  return image_ && vaddr >= image_->entry() && vaddr - image_->entry() < kEntryBytes;
}

ModuleTables& ModuleRegistry::get(const ModulePtr& module) {
  const auto known = by_module_.find(module.get());
  if (known != by_module_.end()) return *known->second.tables;
  const std::string id = identity(*module);
  std::shared_ptr<ModuleTables> tables;
  if (!id.empty()) tables = by_identity_[id].lock();
  if (tables == nullptr) tables = std::make_shared<ModuleTables>(module);
  if (!id.empty()) by_identity_[id] = tables;
  return *by_module_.emplace(module.get(), Held{module, std::move(tables)}).first->second.tables;
}

bool ModuleRegistry::forget_unused() {
  const std::size_t before = by_module_.size();
  for (auto at = by_module_.begin(); at != by_module_.end();) {
    // Held by us as the key, and once more where the tables were made from it.
    const long own = at->second.tables->made_from(at->second.module) ? 2 : 1;
    at = at->second.module.use_count() <= own ? by_module_.erase(at) : std::next(at);
  }
  std::erase_if(by_identity_, [](const auto& one) { return one.second.expired(); });
  return by_module_.size() != before;
}

void ModuleRegistry::clear() {
  by_module_.clear();
  by_identity_.clear();
}

std::size_t ModuleRegistry::memory() const {
  std::size_t sum = 0;
  for (const auto& [module, held] : by_module_) {
    if (const CfiTables* cfi = std::as_const(*held.tables).cfi()) sum += cfi->memory();
  }
  return sum;
}

}  // namespace hprof::symbolize
