// SPDX-License-Identifier: Apache-2.0
#include "byte_window.h"

#include <fmt/format.h>

#include <algorithm>

namespace hprof::formats {

Result<void> ByteWindow::fill() {
  HPROF_ASSIGN(const Bytes chunk, source_.next());
  at_end_ = chunk.empty();
  buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(front_));
  front_ = 0;
  buffer_.insert(buffer_.end(), chunk.begin(), chunk.end());
  return {};
}

Result<Bytes> ByteWindow::peek(std::size_t count) {
  while (buffer_.size() - front_ < count && !at_end_) HPROF_TRY(fill());
  return Bytes{buffer_}.subspan(front_);
}

Result<void> ByteWindow::skip(std::uint64_t count) {
  for (;;) {
    const auto here = static_cast<std::size_t>(std::min<std::uint64_t>(count, buffer_.size() - front_));
    front_ += here;
    offset_ += here;
    count -= here;
    if (count == 0 || at_end_) return {};
    HPROF_TRY(fill());
  }
}

Result<Bytes> ByteWindow::rest(std::uint64_t limit) {
  while (!at_end_) {
    HPROF_TRY(fill());
    if (buffer_.size() - front_ > limit) {
      return Error{ErrorKind::malformed_input,
                   fmt::format("more than {} bytes from offset {} on", limit, offset_), {}};
    }
  }
  return Bytes{buffer_}.subspan(front_);
}

}  // namespace hprof::formats
