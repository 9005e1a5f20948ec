// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/base/mapped_file.h>

#include <fmt/format.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <array>
#include <atomic>
#include <utility>

namespace hprof {
namespace {

// The signal handler may not lock or allocate, so live ranges stand in a fixed table of atomics.
// Where the table is full the range is unguarded: worse luck for that file only.
struct GuardSlot {
  std::atomic<std::uintptr_t> begin{0};
  std::atomic<std::uintptr_t> end{0};
};
constinit std::array<GuardSlot, 4096> guard_slots{};
constinit std::atomic<std::size_t> guard_slots_used{0};

void guard(const std::byte* data, std::size_t size) {
  const auto begin = reinterpret_cast<std::uintptr_t>(data);
  for (std::size_t i = 0; i < guard_slots.size(); ++i) {
    std::uintptr_t expected = 0;
    if (guard_slots[i].begin.load(std::memory_order_relaxed) == 0 &&
        guard_slots[i].begin.compare_exchange_strong(expected, begin)) {
      guard_slots[i].end.store(begin + size);
      std::size_t used = guard_slots_used.load();
      while (used < i + 1 && !guard_slots_used.compare_exchange_weak(used, i + 1)) {
      }
      return;
    }
  }
}

void unguard(const std::byte* data) {
  const auto begin = reinterpret_cast<std::uintptr_t>(data);
  for (std::size_t i = 0; i < guard_slots_used.load(); ++i) {
    if (guard_slots[i].begin.load() == begin) {
      guard_slots[i].end.store(0);
      guard_slots[i].begin.store(0);
      return;
    }
  }
}

void on_sigbus(int number, siginfo_t* info, void* /*context*/) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  for (std::size_t i = 0; i < guard_slots_used.load(); ++i) {
    const std::uintptr_t begin = guard_slots[i].begin.load();
    const std::uintptr_t end = guard_slots[i].end.load();
    if (begin == 0 || address < begin || address >= end) continue;
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    void* at = reinterpret_cast<void*>(address / page * page);
    void* mapped = ::mmap(at, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (mapped != MAP_FAILED) return;
  }
  ::signal(number, SIG_DFL);
  ::raise(number);
}

}  // namespace

void install_sigbus_guard() {
  struct sigaction action {};
  action.sa_sigaction = on_sigbus;
  action.sa_flags = SA_SIGINFO;
  ::sigaction(SIGBUS, &action, nullptr);
}

Result<MappedFile> MappedFile::open(const std::string& path) {
  UniqueFd fd{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (!fd.valid()) return system_error(errno, fmt::format("cannot open {}", path));
  return map(fd.get(), path);
}

Result<MappedFile> MappedFile::map(int fd, std::string_view name) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) return system_error(errno, fmt::format("cannot read {}", name));
  if (!S_ISREG(status.st_mode)) {
    return Error{ErrorKind::unsupported, fmt::format("{} is not a regular file", name), {}};
  }
  if (status.st_size == 0) return MappedFile{};
  const auto size = static_cast<std::size_t>(status.st_size);
  void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (data == MAP_FAILED) return system_error(errno, fmt::format("cannot map {}", name));
  guard(static_cast<const std::byte*>(data), size);
  return MappedFile{static_cast<const std::byte*>(data), size};
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

MappedFile::~MappedFile() {
  if (data_ == nullptr) return;
  unguard(data_);
  // munmap wants a pointer to non-const; the bytes themselves were never writable.
  ::munmap(const_cast<std::byte*>(data_), size_);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

}  // namespace hprof
