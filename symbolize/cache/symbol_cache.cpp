// SPDX-License-Identifier: Apache-2.0
#include "symbolize/cache/symbol_cache.h"

#include <hprof/core/base/mapped_file.h>
#include <hprof/core/base/unique_fd.h>

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <vector>

namespace hprof::symbolize {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".hpsym";
// One module's share; a module with more distinct hot addresses is symbolized anew beyond it.
constexpr std::size_t kMaxAddresses = 1 << 20;
constexpr std::uint64_t kMaxFileBytes = std::uint64_t{256} << 20;

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

// Not AtomicFile: losing this file in a power cut costs nothing, so it needs no fsync.
void write_and_rename(const std::string& path, std::string_view bytes) {
  std::string temporary = path + ".XXXXXX";
  const UniqueFd fd{::mkostemp(temporary.data(), O_CLOEXEC)};
  if (!fd.valid()) return;
  if (!write_all(fd.get(), bytes) || ::rename(temporary.c_str(), path.c_str()) != 0) {
    ::unlink(temporary.c_str());
  }
}

bool is_plain(const std::string& key) {
  return !key.empty() && key.size() <= 128 && std::ranges::all_of(key, [](char c) {
    return c == '-' || isalnum(static_cast<unsigned char>(c)) != 0;
  });
}

}  // namespace

SymbolCache::SymbolCache(std::string dir, std::uint64_t max_bytes)
    : dir_(std::move(dir)), max_bytes_(max_bytes) {}

std::string SymbolCache::default_dir() {
  // An environment variable is read here once, before any thread is started.
  const char* xdg = getenv("XDG_CACHE_HOME");  // NOLINT(concurrency-mt-unsafe)
  if (xdg != nullptr && xdg[0] == '/') return std::string(xdg) + "/hprof";
  const char* home = getenv("HOME");  // NOLINT(concurrency-mt-unsafe)
  return home != nullptr && home[0] == '/' ? std::string(home) + "/.cache/hprof" : std::string{};
}

std::string SymbolCache::path_of(const std::string& key) const {
  return dir_ + "/" + key + std::string(kSuffix);
}

KnownNames SymbolCache::load(const std::string& key, const std::string& source) const {
  if (!enabled() || !is_plain(key)) return {};
  const auto file = MappedFile::open(path_of(key));
  if (!file || file->bytes().size() > kMaxFileBytes) return {};
  // Its time of change says when it was last of use: evict() takes the oldest first.
  ::utimensat(AT_FDCWD, path_of(key).c_str(), nullptr, 0);
  return decode_names(as_text(file->bytes()), source);
}

void SymbolCache::save(const std::string& key, const std::string& source,
                       const KnownNames& names) const {
  if (!enabled() || !is_plain(key) || names.empty()) return;
  std::error_code ignored;
  fs::create_directories(fs::path(dir_).parent_path(), ignored);
  ::mkdir(dir_.c_str(), 0700);
  KnownNames all = load(key, source);  // another hprof may have added to it meanwhile
  for (const auto& [address, frames] : names) {
    if (all.size() >= kMaxAddresses) break;
    all.insert_or_assign(address, frames);
  }
  write_and_rename(path_of(key), encode_names(source, all));
  evict();
}

void SymbolCache::evict() const {
  struct Entry {
    fs::path path;
    std::uint64_t size = 0;
    fs::file_time_type used;
  };
  std::vector<Entry> entries;
  std::uint64_t total = 0;
  std::error_code error;
  for (fs::directory_iterator it{dir_, error}, end; !error && it != end; it.increment(error)) {
    std::error_code gone;
    if (it->path().filename().native().find(kSuffix) == std::string::npos) continue;
    Entry entry{it->path(), it->file_size(gone), it->last_write_time(gone)};
    if (gone) continue;
    total += entry.size;
    entries.push_back(std::move(entry));
  }
  if (total <= max_bytes_) return;
  std::ranges::sort(entries, {}, &Entry::used);
  for (const Entry& entry : entries) {
    if (total <= max_bytes_ / 5 * 4) break;
    std::error_code ignored;
    if (fs::remove(entry.path, ignored)) total -= entry.size;
  }
}

}  // namespace hprof::symbolize
