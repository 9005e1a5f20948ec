// SPDX-License-Identifier: Apache-2.0
#include "decompress.h"

#include "decoding_source.h"

#include <fmt/format.h>

#include <algorithm>

namespace hprof::formats {
namespace {

constexpr int kMaxLayers = 2;
// One deflate layer swells at most 1032:1. Two layers that do more hold nothing but filler.
constexpr std::uint64_t kBombRatio = 1032;
constexpr std::uint64_t kBombFloor = std::uint64_t{64} << 20;

struct Wrapper {
  std::string_view magic;
  const char* name;
  std::unique_ptr<ByteSource> (*open)(ByteSource&);
};

constexpr Wrapper kWrappers[] = {
    {"\x1f\x8b", "gzip", make_gzip_source},
    {"\x28\xb5\x2f\xfd", "zstd", make_zstd_source},
    {std::string_view{"\xfd"
                      "7zXZ\0",
                      6},
     "xz", make_xz_source},
};

const Wrapper* find_wrapper(Bytes head) {
  for (const Wrapper& wrapper : kWrappers) {
    if (as_text(head).starts_with(wrapper.magic)) return &wrapper;
  }
  return nullptr;
}

// Counts what goes through; `compressed` counts the outermost bytes.
class CountingSource final : public ByteSource {
 public:
  CountingSource(ByteSource& inner, std::uint64_t limit) : inner_(inner), limit_(limit) {}

  // Bytes in memory may be decoded in place, without next().
  [[nodiscard]] std::uint64_t seen() const { return count_ + inner_.rest().size(); }
  void watch_for_bomb(const CountingSource& outer) { outer_ = &outer; }

  Result<Bytes> next() override {
    HPROF_ASSIGN(const Bytes chunk, inner_.next());
    count_ += chunk.size();
    HPROF_TRY(check(count_));
    return chunk;
  }
  [[nodiscard]] Bytes rest() const override {
    const Bytes all = inner_.rest();
    // Too much is left to next(), which can say so.
    return all.size() > limit_ - std::min(limit_, count_) ? Bytes{} : all;
  }

 private:
  Result<void> check(std::uint64_t count) const {
    if (count > limit_) {
      return Error{ErrorKind::malformed_input, fmt::format("more than {} bytes of data", limit_), {}};
    }
    if (outer_ != nullptr && count > kBombFloor && count / kBombRatio > outer_->seen()) {
      return Error{ErrorKind::malformed_input,
                   fmt::format("{} compressed bytes swell to more than {}: a decompression bomb",
                               outer_->seen(), count),
                   {}};
    }
    return {};
  }

  ByteSource& inner_;
  std::uint64_t limit_;
  std::uint64_t count_ = 0;
  const CountingSource* outer_ = nullptr;
};

}  // namespace

Result<Bytes> PeekSource::peek(std::size_t count) {
  const Bytes whole = inner_.rest();
  if (head_.empty() && !whole.empty()) return whole.first(std::min(count, whole.size()));
  while (head_.size() < count) {
    HPROF_ASSIGN(const Bytes chunk, inner_.next());
    if (chunk.empty()) break;
    head_.insert(head_.end(), chunk.begin(), chunk.end());
  }
  return Bytes{head_}.first(std::min(count, head_.size()));
}

Result<Bytes> PeekSource::next() {
  if (!head_.empty() && !head_taken_) {
    head_taken_ = true;
    return Bytes{head_};
  }
  head_ = {};
  return inner_.next();
}

Bytes PeekSource::rest() const { return head_.empty() ? inner_.rest() : Bytes{}; }

Result<std::unique_ptr<UnwrappedSource>> UnwrappedSource::open(ByteSource& source,
                                                               const ReadLimits& limits,
                                                               Notes* notes) {
  std::unique_ptr<UnwrappedSource> self{new UnwrappedSource};
  const auto add = [&](std::unique_ptr<ByteSource> layer) {
    self->layers_.push_back(std::move(layer));
    return self->layers_.back().get();
  };
  // The outermost bytes may be many: the limit is on what comes out.
  auto outer = std::make_unique<CountingSource>(source, ~std::uint64_t{0});
  const CountingSource* const outermost = outer.get();
  auto peek = std::make_unique<PeekSource>(*add(std::move(outer)));
  self->top_ = peek.get();
  add(std::move(peek));
  std::string names;
  for (int layer = 0;; ++layer) {
    HPROF_ASSIGN(const Bytes head, self->top_->peek(6));
    const Wrapper* wrapper = find_wrapper(head);
    if (wrapper == nullptr) return self;
    names += fmt::format("{}{}", layer == 0 ? "" : " in ", wrapper->name);
    if (layer == kMaxLayers) {
      return Error{ErrorKind::malformed_input,
                   fmt::format("compressed more than {} times ({})", kMaxLayers, names), {}};
    }
    if (layer == 1 && notes != nullptr) notes->push_back("the input is compressed twice: " + names);
    ByteSource* decoder = add(wrapper->open(*self->top_));
    auto counted = std::make_unique<CountingSource>(*decoder, limits.max_bytes);
    if (layer > 0) counted->watch_for_bomb(*outermost);
    auto next = std::make_unique<PeekSource>(*add(std::move(counted)));
    self->top_ = next.get();
    add(std::move(next));
  }
}

Result<Bytes> UnwrappedSource::next() { return top_->next(); }

}  // namespace hprof::formats
