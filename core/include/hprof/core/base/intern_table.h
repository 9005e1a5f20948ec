// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace hprof {

/// Mixes 64 bits well enough for open addressing (the finalizer of SplitMix64).
constexpr std::uint64_t mix_hash(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ULL;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}
constexpr std::uint64_t combine_hash(std::uint64_t seed, std::uint64_t value) {
  return mix_hash(seed * 0x9e3779b97f4a7c15ULL + value);
}
std::uint64_t hash_text(std::string_view text);

/// A hash index from the content of records, which the owner keeps in a vector, to their ids.
/// It holds ids and hash halves only; equality is the caller's.
class InternTable {
 public:
  static constexpr std::uint32_t kNotFound = 0xffffffff;

  template <typename Equal>
  [[nodiscard]] std::uint32_t find(std::uint64_t hash, Equal&& equal) const {
    if (slots_.empty()) return kNotFound;
    const auto tag = static_cast<std::uint32_t>(hash >> 32);
    for (std::size_t i = hash & mask_;; i = (i + 1) & mask_) {
      const Slot& slot = slots_[i];
      if (slot.id == kNotFound) return kNotFound;
      if (slot.tag == tag && equal(slot.id)) return slot.id;
    }
  }

  /// Adds an id that find() did not find under `hash`. `hash_of(id)` is asked when the table grows.
  template <typename HashOf>
  void insert(std::uint64_t hash, std::uint32_t id, HashOf&& hash_of) {
    if ((count_ + 1) * 2 > slots_.size()) grow(hash_of);
    place(hash, id);
    ++count_;
  }

  void clear() {
    slots_.clear();
    mask_ = 0;
    count_ = 0;
  }

 private:
  struct Slot {
    std::uint32_t tag = 0;
    std::uint32_t id = kNotFound;
  };

  void place(std::uint64_t hash, std::uint32_t id) {
    std::size_t i = hash & mask_;
    while (slots_[i].id != kNotFound) i = (i + 1) & mask_;
    slots_[i] = {static_cast<std::uint32_t>(hash >> 32), id};
  }

  template <typename HashOf>
  void grow(HashOf&& hash_of) {
    std::vector<Slot> old = std::move(slots_);
    slots_.assign(old.empty() ? 64 : old.size() * 2, Slot{});
    mask_ = slots_.size() - 1;
    for (const Slot& slot : old) {
      if (slot.id != kNotFound) place(hash_of(slot.id), slot.id);
    }
  }

  std::vector<Slot> slots_;
  std::size_t mask_ = 0;
  std::size_t count_ = 0;
};

}  // namespace hprof
