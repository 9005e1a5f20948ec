// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/stream.h>

#include <google/protobuf/io/zero_copy_stream.h>

#include <optional>
#include <vector>

namespace hprof::formats {

/// A ByteSink as protobuf's coded streams want it. The first failure of the sink ends the stream and
/// is kept. Lifetime: borrows the sink; call flush() after the coded stream is gone.
class SinkStream final : public google::protobuf::io::ZeroCopyOutputStream {
 public:
  explicit SinkStream(ByteSink& sink) : sink_(sink), buffer_(std::size_t{1} << 16) {}

  bool Next(void** data, int* size) override {
    if (!flush().has_value()) return false;
    *data = buffer_.data();
    *size = static_cast<int>(buffer_.size());
    used_ = buffer_.size();
    return true;
  }
  void BackUp(int count) override { used_ -= static_cast<std::size_t>(count); }
  [[nodiscard]] std::int64_t ByteCount() const override {
    return written_ + static_cast<std::int64_t>(used_);
  }

  Result<void> flush() {
    if (error_) return *error_;
    if (used_ == 0) return {};
    Result<void> done = sink_.write(Bytes{buffer_.data(), used_});
    if (!done) return error_.emplace(done.error());
    written_ += static_cast<std::int64_t>(used_);
    used_ = 0;
    return {};
  }

 private:
  ByteSink& sink_;
  std::vector<std::byte> buffer_;
  std::size_t used_ = 0;
  std::int64_t written_ = 0;
  std::optional<Error> error_;
};

}  // namespace hprof::formats
