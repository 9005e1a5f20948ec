// SPDX-License-Identifier: Apache-2.0
#include "sample_consumer.h"

#include <algorithm>
#include <array>

namespace hprof {
namespace {

// The upper half of the address space, on every architecture we know.
constexpr std::uint64_t kKernelStart = std::uint64_t{1} << 63;
// Stacks are followed this far even if only max_frames of them are kept: the root is worth it.
constexpr std::size_t kMaxDepth = 32768;
// Ids of threads that are told apart in the statistics; beyond, the count stands still.
constexpr std::size_t kMaxThreadsSeen = std::size_t{1} << 20;

}  // namespace

SampleConsumer::SampleConsumer(ConsumerOptions options, ProcessTable& processes,
                               ModuleRegistry& modules, Unwinder& unwinder, SampleStore& store)
    : options_(std::move(options)),
      processes_(processes),
      unwinder_(unwinder),
      store_(store),
      kernel_range_{kKernelStart, ~std::uint64_t{0}, 0, modules.kernel()} {}

void SampleConsumer::on_lost(std::uint64_t count) {
  counts_.lost += count;
  store_.add_lost(count);
}

void SampleConsumer::on_throttle() {
  ++counts_.throttled;
  store_.add_throttled(1);
}

void SampleConsumer::add_kernel_frames(const KernelChain& chain) {
  if (chain.size() == 0) return;
  if (!kernel_addresses_) {
    frames_.push_back({0, nullptr, "[kernel]"});
    return;
  }
  for (std::size_t i = 0; i < chain.size(); ++i) {
    // The first is where the kernel was, the others are return addresses.
    frames_.push_back({chain[i] - (i == 0 ? 0 : 1), &kernel_range_, {}});
  }
}

UnwindEnd SampleConsumer::add_user_frames(FollowedProcess& process, const SampleRecord& sample,
                                          std::int64_t now_ns) {
  addresses_.clear();
  UnwindEnd end = UnwindEnd::truncated;
  processes_.find_range(process, sample.registers.pc(), now_ns);
  if (sample.is_32_bit) {
    addresses_.push_back(sample.registers.pc());
  } else {
    end = unwinder_.unwind(process.space, sample.registers, sample.stack, &process.memory,
                           std::max(kMaxDepth, options_.max_frames), addresses_);
  }
  for (const std::uint64_t address : addresses_) {
    frames_.push_back({address, process.space.find(address), {}});
  }
  return end;
}

void SampleConsumer::elide_middle() {
  if (frames_.size() <= options_.max_frames) return;
  const std::size_t leaf = options_.max_frames / 2;
  const std::size_t root = options_.max_frames - leaf;
  const auto first = frames_.begin() + static_cast<std::ptrdiff_t>(leaf);
  const auto last = frames_.end() - static_cast<std::ptrdiff_t>(root);
  *first = {0, nullptr, "[frames elided]"};
  // At the limit only one frame is too much, and it is the one the mark has replaced.
  if (last - first > 1) frames_.erase(first + 1, last);
}

void SampleConsumer::on_sample(const SampleRecord& sample, std::int64_t weight,
                               std::int64_t now_ns) {
  FollowedProcess* process = processes_.find(sample.pid, now_ns);
  if (process == nullptr || process->waits_for_exec) return;
  const std::string& thread = processes_.thread_name(*process, sample.tid);
  if (!options_.threads.passes(sample.tid, thread)) return;
  frames_.clear();
  add_kernel_frames(sample.kernel);
  UnwindEnd end = UnwindEnd::root;
  if (sample.has_user_registers) end = add_user_frames(*process, sample, now_ns);
  if (frames_.empty()) frames_.push_back({0, nullptr, "[unknown]"});
  elide_middle();
  const std::array<std::int64_t, 2> values{1, weight};
  const bool truncated = end == UnwindEnd::truncated;
  store_.add({{sample.pid, sample.tid, process->comm, thread}, frames_, truncated, {}, values});
  ++counts_.samples;
  counts_.weight += weight;
  if (truncated) ++counts_.truncated;
  if (threads_seen_.size() < kMaxThreadsSeen) threads_seen_.insert(sample.tid);
}

}  // namespace hprof
