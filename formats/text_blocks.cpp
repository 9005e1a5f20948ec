// SPDX-License-Identifier: Apache-2.0
#include "text_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace hprof::formats {
namespace {

/// The blocks that wait for one thread.
class Lane {
 public:
  struct Item {
    std::uint64_t index = 0;
    std::string text;
  };

  /// Waits while the lane is full, so that memory stays bounded.
  void push(Item item) {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [&] { return items_.size() < kDepth; });
    items_.push_back(std::move(item));
    changed_.notify_all();
  }
  void close() {
    const std::lock_guard lock{mutex_};
    closed_ = true;
    changed_.notify_all();
  }
  /// False when the lane is closed and empty.
  bool pop(Item& item) {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [&] { return closed_ || !items_.empty(); });
    if (items_.empty()) return false;
    item = std::move(items_.front());
    items_.pop_front();
    changed_.notify_all();
    return true;
  }

 private:
  static constexpr std::size_t kDepth = 3;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> items_;
  bool closed_ = false;
};

/// Collects chunks and cuts blocks off their front.
class Cutter {
 public:
  Cutter(ByteSource& source, const BlockOptions& options, const BlockCut& cut)
      : source_(source), options_(options), cut_(cut) {}

  /// The next block, empty at the end. Lifetime: until the next call.
  Result<std::string_view> next() {
    buffer_.erase(0, given_);
    given_ = 0;
    for (;;) {
      if (buffer_.size() >= wanted_ || at_end_) {
        const std::size_t end = at_end_ ? buffer_.size() : cut_(buffer_);
        if (end != 0 || at_end_) {
          wanted_ = options_.block_size;
          given_ = end;
          return std::string_view{buffer_}.substr(0, end);
        }
        if (buffer_.size() > options_.max_record) {
          return Error{ErrorKind::malformed_input,
                       fmt::format("a record at offset {} is longer than {} bytes",
                                   total_ - buffer_.size(), options_.max_record),
                       {}};
        }
        wanted_ = buffer_.size() * 2;
      }
      HPROF_TRY(fill());
    }
  }

 private:
  Result<void> fill() {
    HPROF_ASSIGN(const Bytes chunk, source_.next());
    at_end_ = chunk.empty();
    if (chunk.size() > options_.max_bytes - total_) {
      return Error{ErrorKind::malformed_input,
                   fmt::format("more than {} bytes of text", options_.max_bytes), {}};
    }
    total_ += chunk.size();
    buffer_.append(as_text(chunk));
    return {};
  }

  ByteSource& source_;
  const BlockOptions& options_;
  const BlockCut& cut_;
  std::string buffer_;
  std::size_t given_ = 0;
  std::size_t wanted_ = options_.block_size;
  std::uint64_t total_ = 0;
  bool at_end_ = false;
};

}  // namespace

std::size_t cut_at_line(std::string_view text) {
  const std::size_t end = text.rfind('\n');
  return end == std::string_view::npos ? 0 : end + 1;
}

unsigned reader_threads(unsigned wanted) {
  if (wanted != 0) return std::min(wanted, 64U);
  return std::clamp(std::thread::hardware_concurrency(), 1U, 16U);
}

Result<void> for_each_block(ByteSource& source, const BlockOptions& options, const BlockCut& cut,
                            const std::function<void(unsigned, const TextBlock&)>& work) {
  Cutter cutter{source, options, cut};
  std::vector<Lane> lanes(options.threads > 1 ? options.threads : 0);
  std::vector<std::jthread> threads;
  const auto run = [&](unsigned lane) {
    Lane::Item item;
    while (lanes[lane].pop(item)) work(lane, {item.index, item.text});
  };
  Result<void> result;
  for (std::uint64_t index = 0;; ++index) {
    auto block = cutter.next();
    if (!block) {
      result = std::move(block).error();
      break;
    }
    if (block->empty()) break;
    if (lanes.empty()) {
      work(0, {index, *block});
      continue;
    }
    const auto lane = static_cast<unsigned>(index % lanes.size());
    // Threads start when there is work for them: a small file needs one.
    if (threads.size() <= lane) threads.emplace_back(run, lane);
    lanes[lane].push({index, std::string{*block}});
  }
  for (Lane& lane : lanes) lane.close();
  threads.clear();
  return result;
}

}  // namespace hprof::formats
