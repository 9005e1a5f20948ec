// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/base/stream.h>

#include <fmt/format.h>

#include <errno.h>
#include <unistd.h>

#include <algorithm>

namespace hprof {

Result<Bytes> MemorySource::next() {
  const Bytes chunk = rest_.first(std::min(chunk_size_, rest_.size()));
  rest_ = rest_.subspan(chunk.size());
  return chunk;
}

Result<Bytes> FdSource::next() {
  for (;;) {
    const ssize_t got = ::read(fd_, buffer_.data(), buffer_.size());
    if (got >= 0) return Bytes{buffer_.data(), static_cast<std::size_t>(got)};
    if (errno != EINTR) return system_error(errno, "read failed");
  }
}

Result<void> StringSink::write(Bytes bytes) {
  text_.append(as_text(bytes));
  return {};
}

Result<std::vector<std::byte>> read_all(ByteSource& source, std::uint64_t limit) {
  std::vector<std::byte> all;
  for (;;) {
    HPROF_ASSIGN(const Bytes chunk, source.next());
    if (chunk.empty()) return all;
    if (chunk.size() > limit - std::min<std::uint64_t>(limit, all.size())) {
      return Error{ErrorKind::malformed_input, fmt::format("more than {} bytes of data", limit),
                   "raise --max-input to read it all the same"};
    }
    all.insert(all.end(), chunk.begin(), chunk.end());
  }
}

}  // namespace hprof
