// SPDX-License-Identifier: Apache-2.0
#include "symbolize/file_job.h"

#include "symbolize/demangle.h"

#include <fmt/format.h>

#include <unordered_map>

namespace hprof::symbolize {

void FileJob::open() {
  const Module& module = *job_.module;
  auto parsed = ElfImage::parse(module.bytes());
  if (parsed) {
    image_ = *std::move(parsed);
  } else if (substitute_ = finder_.find_image(module, job_.build_id); substitute_) {
    image_ = substitute_->image;
  }
  const ElfImage* image = image_ ? &*image_ : nullptr;
  DebugFilePtr debug = finder_.find_debug(module, image, job_.build_id);
  const ElfImage* layout = image;
  if (layout == nullptr && debug) layout = &debug->image;
  if (layout == nullptr) {
    job_.poverty = module.unreadable.empty() ? parsed.error().message : module.unreadable;
    return;
  }
  job_.settle_addresses([&](std::uint64_t offset) { return layout->address_of_offset(offset); });
  source_ = debug ? debug->identity : "in file";
  take_known();
  if (job_.wanted.empty()) return;
  names_ = FileNames::open(module, image, std::move(debug), finder_);
  tasks_ = names_->plan(job_.addresses, job_.wanted);
}

// The names in the cache are demangled in one style; a file without a build-id is not cached.
std::string FileJob::cache_key() const {
  std::string id = job_.build_id;
  constexpr std::uint32_t kGoBuildId = 4;
  if (id.empty() && image_) {
    // A Go build-id is long text of four hashes; two of them name the content.
    const Bytes note = image_->note("Go", kGoBuildId);
    if (!note.empty()) id = fmt::format("go{:016x}", hash_text(as_text(note)));
  }
  return id.empty() ? id : fmt::format("{}-{}", id, to_underlying(style_));
}

void FileJob::take_known() {
  const KnownNames known = cache_.load(cache_key(), source_);
  for (std::uint32_t i = 0; i < job_.addresses.size(); ++i) {
    const auto found = known.find(job_.addresses[i]);
    if (found != known.end()) {
      job_.frames[i] = found->second;
    } else {
      job_.wanted.push_back(i);
    }
  }
}

void FileJob::demangle_names() {
  std::unordered_map<std::string_view, std::string> known;
  for (const std::uint32_t i : job_.wanted) {
    for (Frame& frame : job_.frames[i]) {
      if (!frame.name.empty()) continue;
      const auto [row, fresh] = known.try_emplace(frame.system_name);
      if (fresh) row->second = demangle(frame.system_name, style_);
      frame.name = row->second;
    }
  }
}

void FileJob::close(bool complete) {
  demangle_names();
  if (names_) job_.poverty = names_->poverty();
  if (complete && names_ && !names_->is_incomplete() && cache_.enabled()) {
    KnownNames found;
    for (const std::uint32_t i : job_.wanted) found.emplace(job_.addresses[i], job_.frames[i]);
    cache_.save(cache_key(), source_, found);
  }
  names_.reset();
}

}  // namespace hprof::symbolize
