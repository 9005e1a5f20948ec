// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/target/process_memory.h>

#include <sys/uio.h>
#include <unistd.h>

namespace hprof {
namespace {

std::size_t read_once(int pid, std::uint64_t address, std::span<std::byte> out) {
  const iovec local{out.data(), out.size()};
  const iovec remote{reinterpret_cast<void*>(address), out.size()};
  const ssize_t got = ::process_vm_readv(pid, &local, 1, &remote, 1, 0);
  return got <= 0 ? 0 : static_cast<std::size_t>(got);
}

}  // namespace

std::size_t ProcessMemory::read(std::uint64_t address, std::span<std::byte> out) {
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  std::size_t done = 0;
  while (done < out.size()) {
    const std::uint64_t at = address + done;
    if (at < address) break;
    const std::span<std::byte> rest = out.subspan(done);
    std::size_t got = read_once(pid_, at, rest);
    // A failed read may still have a good page in front: process_vm_readv(2) promises partial
    // reads only between the pieces of a vector.
    const auto to_page_end = static_cast<std::size_t>(page - at % page);
    if (got == 0 && rest.size() > to_page_end) got = read_once(pid_, at, rest.first(to_page_end));
    if (got == 0) break;
    done += got;
  }
  return done;
}

}  // namespace hprof
