// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/base/intern_table.h>

#include <string.h>

namespace hprof {

std::uint64_t hash_text(std::string_view text) {
  std::uint64_t hash = text.size() * 0x9e3779b97f4a7c15ULL;
  const char* at = text.data();
  std::size_t left = text.size();
  for (; left >= 8; at += 8, left -= 8) {
    std::uint64_t word = 0;
    memcpy(&word, at, 8);
    hash = (hash ^ word) * 0xff51afd7ed558ccdULL;
    hash ^= hash >> 32;
  }
  std::uint64_t tail = 0;
  if (left != 0) memcpy(&tail, at, left);
  return mix_hash(hash ^ tail);
}

}  // namespace hprof
