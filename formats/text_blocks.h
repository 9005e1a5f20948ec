// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/stream.h>

#include <cstdint>
#include <functional>
#include <string_view>

namespace hprof::formats {

/// A part of a text that holds whole records only.
struct TextBlock {
  std::uint64_t index = 0;  ///< 0, 1, 2 … in the order of the text
  std::string_view text;
};

/// Where the last whole record of `text` ends, 0 if there is no such place.
using BlockCut = std::function<std::size_t(std::string_view text)>;

/// Cuts at the last line end.
std::size_t cut_at_line(std::string_view text);

struct BlockOptions {
  unsigned threads = 1;
  std::size_t block_size = std::size_t{1} << 20;  ///< wanted; a block is longer where it must be
  std::size_t max_record = std::size_t{64} << 20;
  std::uint64_t max_bytes = ~std::uint64_t{0};
};

/// Reads `source` to its end and hands it to `work(thread, block)` in blocks, block i on thread
/// i % threads, each thread's blocks in order; with one thread on the caller's. Memory: a few blocks
/// for each thread.
/// Errors: the source's; malformed_input where a record is longer than max_record, or the whole
/// than max_bytes.
Result<void> for_each_block(ByteSource& source, const BlockOptions& options, const BlockCut& cut,
                            const std::function<void(unsigned, const TextBlock&)>& work);

/// `wanted`, or as many threads as the process may use at once if that is 0.
unsigned reader_threads(unsigned wanted);

}  // namespace hprof::formats
