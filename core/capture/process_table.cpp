// SPDX-License-Identifier: Apache-2.0
#include "process_table.h"

#include <hprof/core/target/process_info.h>

namespace hprof {
namespace {

constexpr std::int64_t kRereadPause = 100'000'000;

}  // namespace

FollowedProcess& ProcessTable::follow(int pid, std::int64_t now_ns) {
  std::unique_ptr<FollowedProcess>& slot = processes_[pid];
  if (slot != nullptr) return *slot;
  slot = std::make_unique<FollowedProcess>(pid);
  ++ever_followed_;
  slot->comm = read_thread_name(modules_.proc(), pid, pid);
  read_maps(*slot, now_ns);
  return *slot;
}

FollowedProcess* ProcessTable::find(int pid, std::int64_t now_ns) {
  const auto at = processes_.find(pid);
  if (at != processes_.end()) return at->second.get();
  return follow_all_ && pid > 0 ? &follow(pid, now_ns) : nullptr;
}

void ProcessTable::read_maps(FollowedProcess& process, std::int64_t now_ns) {
  process.maps_read_ns = now_ns;
  Result<AddressSpace> space = modules_.read_address_space(process.pid);
  // A process that is ending has no maps any more; what was known of it is still true.
  if (space && !space->ranges().empty()) process.space = std::move(*space);
}

void ProcessTable::refresh(int pid, std::int64_t now_ns) {
  const auto at = processes_.find(pid);
  if (at == processes_.end()) return;
  FollowedProcess& process = *at->second;
  process.threads.clear();
  process.comm = read_thread_name(modules_.proc(), pid, pid);
  read_maps(process, now_ns);
}

void ProcessTable::on_mmap(const MmapRecord& record) {
  const auto at = processes_.find(record.pid);
  if (at == processes_.end() || !record.executable) return;
  MapsEntry entry;
  entry.start = record.start;
  entry.end = record.start + record.size;
  entry.executable = true;
  entry.file_offset = record.file_offset;
  entry.device_major = record.device_major;
  entry.device_minor = record.device_minor;
  entry.inode = record.inode;
  entry.path = record.path;
  at->second->space.map(
      {entry.start, entry.end, entry.file_offset, modules_.open(record.pid, entry)});
}

void ProcessTable::on_comm(const CommRecord& record) {
  const auto at = processes_.find(record.pid);
  if (at == processes_.end()) return;
  FollowedProcess& process = *at->second;
  if (record.is_exec) {
    // The new program's mappings follow as records of their own.
    process.space.clear();
    process.threads.clear();
    process.waits_for_exec = false;
  }
  process.threads[record.tid] = record.name;
  if (record.tid == record.pid) process.comm = record.name;
}

int ProcessTable::on_fork(const TaskRecord& record, std::int64_t now_ns) {
  const auto parent = processes_.find(record.parent_pid);
  if (parent == processes_.end()) {
    return follow_all_ && record.pid > 0 ? follow(record.pid, now_ns).pid : 0;
  }
  FollowedProcess& from = *parent->second;
  const std::string& name = thread_name(from, record.parent_tid);
  if (record.pid == record.parent_pid) {
    from.threads[record.tid] = name;
    return 0;
  }
  if (!follow_children_ && !follow_all_) return 0;
  // A pid that is known is that of an older process which has ended.
  std::unique_ptr<FollowedProcess>& slot = processes_[record.pid];
  slot = std::make_unique<FollowedProcess>(record.pid);
  ++ever_followed_;
  slot->comm = name;
  slot->threads[record.pid] = name;
  slot->space = from.space;
  slot->maps_read_ns = now_ns;
  return record.pid;
}

void ProcessTable::on_exit(const TaskRecord& record) {
  const auto at = processes_.find(record.pid);
  if (at == processes_.end()) return;
  at->second->threads.erase(record.tid);
  if (record.tid == record.pid) at->second->leader_ended = true;
}

const std::string& ProcessTable::thread_name(FollowedProcess& process, int tid) {
  const auto [at, is_new] = process.threads.try_emplace(tid);
  if (is_new) {
    at->second = read_thread_name(modules_.proc(), process.pid, tid);
    if (at->second.empty()) at->second = process.comm;
  }
  return at->second;
}

const MappedRange* ProcessTable::find_range(FollowedProcess& process, std::uint64_t address,
                                            std::int64_t now_ns) {
  const MappedRange* range = process.space.find(address);
  if (range != nullptr || now_ns - process.maps_read_ns < kRereadPause) return range;
  read_maps(process, now_ns);
  return process.space.find(address);
}

}  // namespace hprof
