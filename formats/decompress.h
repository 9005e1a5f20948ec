// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/formats/registry.h>

#include <memory>

namespace hprof::formats {

/// A source whose first bytes can be looked at before they are taken. Lifetime: borrows `inner`.
class PeekSource final : public ByteSource {
 public:
  explicit PeekSource(ByteSource& inner) : inner_(inner) {}

  /// The first `count` bytes, or fewer if there are no more. Call before next().
  Result<Bytes> peek(std::size_t count);

  Result<Bytes> next() override;
  [[nodiscard]] Bytes rest() const override;

 private:
  ByteSource& inner_;
  std::vector<std::byte> head_;
  bool head_taken_ = false;
};

/// The content of `source` with gzip, zstd or xz taken off.
class UnwrappedSource final : public ByteSource {
 public:
  /// Takes off two layers at most. Errors: malformed_input for a third one, a damaged stream, more
  /// than `limits.max_bytes`, or two layers that swell beyond what one could (a bomb).
  /// Lifetime: borrows `source`. `notes` hears of a second layer, and may be null.
  static Result<std::unique_ptr<UnwrappedSource>> open(ByteSource& source, const ReadLimits& limits,
                                                       Notes* notes);

  Result<Bytes> peek(std::size_t count) { return top_->peek(count); }
  Result<Bytes> next() override;
  [[nodiscard]] Bytes rest() const override { return top_->rest(); }

 private:
  UnwrappedSource() = default;

  std::vector<std::unique_ptr<ByteSource>> layers_;
  PeekSource* top_ = nullptr;
};

}  // namespace hprof::formats
