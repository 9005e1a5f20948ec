// SPDX-License-Identifier: Apache-2.0
#include "perf_builder.h"

#include "event_columns.h"
#include "perf_layout.h"

#include <hprof/core/capture/unwinder.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hprof::formats::perf {
namespace {

constexpr std::int64_t kFirstDate = 1'000'000'000'000'000'000;

std::string_view until_nul(Bytes bytes) {
  const std::string_view text = as_text(bytes);
  return text.substr(0, text.find('\0'));
}

// Where perf's register numbers stand in UserRegisters; kCount: nowhere.
std::size_t register_slot(unsigned perf_number) {
#if defined(__aarch64__)
  return perf_number < UserRegisters::kCount ? perf_number : UserRegisters::kCount;
#else
  // Source: arch/x86/include/uapi/asm/perf_regs.h: ax bx cx dx si di bp sp ip flags cs .. r8 at 16.
  static constexpr std::array<std::size_t, 9> kLow{0, 3, 2, 1, 4, 5, 6, 7, 16};
  if (perf_number < kLow.size()) return kLow[perf_number];
  if (perf_number >= 16 && perf_number < 24) return perf_number - 8;
  return UserRegisters::kCount;
#endif
}

UserRegisters registers_of(const Sample& sample, const Attr& attr) {
  UserRegisters registers;
  std::size_t at = 0;
  for (unsigned bit = 0; bit < 64; ++bit) {
    if ((attr.regs_user >> bit & 1) == 0) continue;
    if (at >= sample.regs.size()) break;
    const std::uint64_t value = sample.regs[at++];
    const std::size_t slot = register_slot(bit);
    if (slot < UserRegisters::kCount) registers.value[slot] = value;
  }
  return registers;
}

}  // namespace

Builder::Builder(const ReadOptions& options, std::endian order)
    : options_(options), order_(order), processes_(options.open_module) {}

void Builder::add_attr(Attr attr) {
  const auto index = static_cast<std::uint32_t>(attrs_.size());
  for (const std::uint64_t id : attr.ids) attr_of_id_.emplace(id, index);
  attr_weighted_.push_back((attr.sample_type & kPeriod) != 0 || (!attr.freq && attr.period != 0));
  attr_samples_.push_back(0);
  attrs_.push_back(std::move(attr));
}

void Builder::name_event(std::uint64_t id, std::string name) {
  const auto found = attr_of_id_.find(id);
  if (found != attr_of_id_.end()) attrs_[found->second].name = std::move(name);
}

std::optional<std::uint32_t> Builder::event_of(Bytes body) const {
  if (attrs_.empty()) return std::nullopt;
  if (attrs_.size() == 1) return 0;
  // The place of the id is the same for all events of one file, else perf could not read it either.
  const auto id = sample_event_id(body, attrs_[0], order_);
  if (!id || *id == 0) return 0;
  const auto found = attr_of_id_.find(*id);
  if (found == attr_of_id_.end()) return std::nullopt;
  return found->second;
}

std::optional<std::uint64_t> Builder::time_of(const Record& record) const {
  if (attrs_.empty() || record.type >= kUserFirst) return std::nullopt;
  std::optional<std::uint64_t> time;
  if (record.type == kSample) {
    const auto event = event_of(record.body);
    if (event) time = sample_time(record.body, attrs_[*event], order_);
  } else {
    time = record_time(record.body, attrs_[0], order_);
  }
  if (time && (*time == 0 || *time == ~std::uint64_t{0})) return std::nullopt;
  return time;
}

void Builder::apply(const Record& record) {
  ByteReader in{record.body, order_};
  switch (record.type) {
    case kSample: return sample(record);
    case kMmap:
    case kMmap2: return mmap(record);
    case kComm: return comm(record);
    case kFork: return fork(record);
    case kLost:
      in.u64();  // id
      profile_.counters.lost += in.u64();
      return;
    case kLostSamples: profile_.counters.lost += in.u64(); return;
    case kThrottle: ++profile_.counters.throttled; return;
    default: return;  // of no meaning for a profile, or not known yet: its size lets us pass
  }
}

// MMAP: pid tid addr len pgoff path. MMAP2: ... pgoff, 24 bytes of inode or build id, prot, flags, path.
void Builder::mmap(const Record& record) {
  if ((record.misc & kMiscMmapData) != 0) return;
  ByteReader in{record.body, order_};
  Processes::Mapped mapped;
  mapped.pid = static_cast<std::int32_t>(in.u32());
  in.u32();
  mapped.start = in.u64();
  mapped.size = in.u64();
  mapped.file_offset = in.u64();
  if (record.type == kMmap2) {
    const Bytes identity = in.take(24);
    const std::uint32_t protection = in.u32();
    in.u32();
    if (in.ok() && (record.misc & kMiscBuildId) != 0) {
      const auto size = std::min<std::size_t>(20, std::to_integer<unsigned>(identity[0]));
      mapped.build_id = hex_of(identity.subspan(4, size));
    }
    constexpr std::uint32_t kProtExec = 4;
    // Kernels before 5.? leave it 0 for some; then believe in code.
    if (protection != 0 && (protection & kProtExec) == 0) return;
  }
  mapped.path = until_nul(in.take(in.remaining()));
  if (!in.ok()) {
    ++bad;
    return;
  }
  mapped.kernel = mapped.pid == -1 || (record.misc & kCpumodeMask) == kCpumodeKernel;
  if ((record.misc & kCpumodeMask) > kCpumodeUser) return;  // of a guest or hypervisor
  if (!mapped.build_id.empty()) features.build_ids.emplace(mapped.path, mapped.build_id);
  processes_.map(mapped);
}

void Builder::comm(const Record& record) {
  ByteReader in{record.body, order_};
  const auto pid = static_cast<std::int32_t>(in.u32());
  const auto tid = static_cast<std::int32_t>(in.u32());
  const std::string_view name = until_nul(in.take(in.remaining()));
  if (!in.ok()) return static_cast<void>(++bad);
  processes_.comm(pid, tid, name, (record.misc & kMiscCommExec) != 0);
}

void Builder::fork(const Record& record) {
  ByteReader in{record.body, order_};
  const auto pid = static_cast<std::int32_t>(in.u32());
  const auto parent_pid = static_cast<std::int32_t>(in.u32());
  const auto tid = static_cast<std::int32_t>(in.u32());
  const auto parent_tid = static_cast<std::int32_t>(in.u32());
  if (!in.ok()) return static_cast<void>(++bad);
  processes_.fork(pid, parent_pid, tid, parent_tid);
}

void Builder::sample(const Record& record) {
  const auto event = event_of(record.body);
  const auto parsed = event ? parse_sample(record.body, attrs_[*event], order_) : std::nullopt;
  if (!parsed) return static_cast<void>(++bad);
  ++samples;
  const Attr& attr = attrs_[*event];
  if (!options_.event.empty() && !event_matches(attr.display_name(), options_.event)) return;
  if (!in_time(parsed->time)) return;
  if (parsed->time) {
    first_time_ = std::min(first_time_.value_or(*parsed->time), *parsed->time);
    last_time_ = std::max(last_time_, *parsed->time);
  }
  chain(*parsed, attr, record.misc);
  ++attr_samples_[*event];
  const std::uint64_t weight = parsed->period.value_or(attr.freq ? 1 : attr.period);
  rows_.add(profile_.intern_stack_leaf_first(frames_), who(parsed->pid, parsed->tid), *event,
            static_cast<std::int64_t>(weight));
}

void Builder::chain(const Sample& sample, const Attr& attr, std::uint16_t misc) {
  frames_.clear();
  const std::uint16_t mode = misc & kCpumodeMask;
  const bool copied = (attr.sample_type & kStackUser) != 0 && sample.regs_abi != 0;
  const bool lbr = (attr.branch_type & kBranchCallStack) != 0 && sample.branches.size() != 0;
  bool kernel = mode == kCpumodeKernel;
  bool other = mode != kCpumodeKernel && mode != kCpumodeUser && mode != 0;
  bool leaf = true;
  for (std::size_t i = 0; i < sample.callchain.size(); ++i) {
    const std::uint64_t ip = sample.callchain[i];
    if (ip >= kContextMax) {
      kernel = ip == kContextKernel;
      other = ip != kContextKernel && ip != kContextUser;
      // Where control crossed into the kernel the user's pc is exact too.
      leaf = true;
      continue;
    }
    if (other || (!kernel && (copied || lbr))) continue;
    push(ip, kernel, sample, leaf);
    leaf = false;
  }
  if (copied) {
    ++dwarf;
    if (push_unwound(sample, attr)) return;
    ++unrooted_;
  } else if (lbr) {
    push_lbr(sample);
    return;
  }
  if (frames_.empty() && !other) push(sample.ip, mode == kCpumodeKernel, sample, true);
}

void Builder::push(std::uint64_t ip, bool kernel, const Sample& sample, bool leaf) {
  if (frames_.size() >= options_.limits.max_frames) return;
  const std::uint64_t address = leaf || ip == 0 ? ip : ip - 1;
  frames_.push_back(location(kernel ? processes_.kernel() : processes_.user(sample.pid), address));
}

// The branch recorder in call-stack mode: each entry is a call that has not returned, newest first;
// `from` is the call instruction itself.
void Builder::push_lbr(const Sample& sample) {
  const auto& space = processes_.user(sample.pid);
  if (frames_.empty()) frames_.push_back(location(space, sample.ip));
  for (std::size_t i = 0; i + 2 < sample.branches.size(); i += 3) {
    if (frames_.size() >= options_.limits.max_frames) return;
    frames_.push_back(location(space, sample.branches[i]));
  }
}

bool Builder::push_unwound(const Sample& sample, const Attr& attr) {
  constexpr std::uint64_t kAbi64 = 2;
  if (options_.unwinder == nullptr || sample.regs_abi != kAbi64) {
    // Without an unwinder the innermost frame is all that is sure.
    if (frames_.empty()) push(sample.ip, false, sample, true);
    return false;
  }
  const UserRegisters registers = registers_of(sample, attr);
  const auto& space = processes_.user(sample.pid);
  unwound_.clear();
  const std::size_t room = options_.limits.max_frames - std::min<std::size_t>(options_.limits.max_frames, frames_.size());
  const UnwindEnd end = options_.unwinder->unwind(
      space.ranges, registers, {registers.sp(), sample.stack}, nullptr, room, unwound_);
  for (const std::uint64_t address : unwound_) frames_.push_back(location(space, address));
  if (frames_.empty()) push(sample.ip, false, sample, true);
  if (end == UnwindEnd::truncated) ++profile_.counters.truncated;
  return true;
}

LocationId Builder::location(const Processes::Space& space, std::uint64_t address) {
  const std::uint64_t hash = combine_hash(space.epoch, address);
  const std::uint32_t found = known_index_.find(hash, [&](std::uint32_t id) {
    return known_[id].epoch == space.epoch && known_[id].address == address;
  });
  if (found != InternTable::kNotFound) return known_[found].location;
  const MappedRange* range = space.ranges.find(address);
  const LocationId made = profile_.intern_location(range == nullptr ? 0 : mapping(*range), address);
  known_index_.insert(hash, static_cast<std::uint32_t>(known_.size()), [&](std::uint32_t id) {
    return combine_hash(known_[id].epoch, known_[id].address);
  });
  known_.push_back({space.epoch, address, made});
  return made;
}

MappingId Builder::mapping(const MappedRange& range) {
  // Parts of one file at one place are one mapping whatever process they are in.
  MappingId& id = mappings_[{range.start ^ (range.file_offset << 1), range.module.get()}];
  if (id != 0 && profile_.mapping(id).start == range.start && profile_.mapping(id).limit == range.end) {
    return id;
  }
  return id = profile_.intern_mapping({.start = range.start,
                                       .limit = range.end,
                                       .file_offset = range.file_offset,
                                       .filename = profile_.intern(range.module->path),
                                       .build_id = profile_.intern(range.module->build_id)});
}

LabelSetId Builder::who(std::int32_t pid, std::int32_t tid) {
  const auto key = static_cast<std::uint64_t>(static_cast<std::uint32_t>(pid)) << 32 |
                   static_cast<std::uint32_t>(tid);
  Who& known = who_[key];
  if (known.labels != 0 && known.epoch == processes_.name_epoch()) return known.labels;
  if (pid == -1 && tid == -1) return 0;  // samples without TID
  const std::array<Label, 3> labels{profile_.text_label("thread", processes_.name(pid, tid)),
                                    profile_.number_label("tid", tid),
                                    profile_.number_label("pid", pid)};
  known = {processes_.name_epoch(), profile_.intern_labels(labels)};
  return known.labels;
}

std::optional<std::int64_t> Builder::bound(std::int64_t wanted) {
  if (wanted < kFirstDate || !features.clock) return wanted;
  return wanted - static_cast<std::int64_t>(features.clock->wall_ns) +
         static_cast<std::int64_t>(features.clock->perf_ns);
}

bool Builder::in_time(std::optional<std::uint64_t> time) {
  if (!options_.since_ns && !options_.until_ns) return true;
  if (!time) return false;
  const auto at = static_cast<std::int64_t>(*time);
  for (const auto& limit : {options_.since_ns, options_.until_ns}) {
    if (limit && *limit >= kFirstDate && at < kFirstDate && !features.clock) outside_clock = true;
  }
  return (!options_.since_ns || at >= *bound(*options_.since_ns)) &&
         (!options_.until_ns || at < *bound(*options_.until_ns));
}

void Builder::fill_header(Profile& profile) const {
  const std::array<std::pair<std::string_view, const std::string*>, 5> facts{{
      {"cmdline", &features.cmdline},
      {"hostname", &features.hostname},
      {"os release", &features.os_release},
      {"perf version", &features.version},
      {"arch", &features.arch},
  }};
  for (const auto& [key, value] : facts) {
    if (!value->empty()) {
      profile.header.comments.push_back(profile.intern(fmt::format("perf: {}: {}", key, *value)));
    }
  }
  if (!first_time_) return;
  profile.header.duration_nanos = static_cast<std::int64_t>(last_time_ - *first_time_);
  if (features.clock) {
    profile.header.time_nanos = static_cast<std::int64_t>(*first_time_ - features.clock->perf_ns +
                                                          features.clock->wall_ns);
  } else if (*first_time_ >= static_cast<std::uint64_t>(kFirstDate)) {
    profile.header.time_nanos = static_cast<std::int64_t>(*first_time_);
  }
}

Profile Builder::finish() {
  for (std::size_t i = 0; i < attrs_.size(); ++i) {
    for (const std::uint64_t id : attrs_[i].ids) {
      const auto named = features.event_names.find(id);
      if (named != features.event_names.end()) attrs_[i].name = named->second;
    }
    if (attrs_[i].name.empty() && features.event_order.size() == attrs_.size()) {
      attrs_[i].name = features.event_order[i];
    }
  }
  // Events without a sample (perf adds a "dummy" to hear of mappings) would be empty columns.
  std::vector<EventColumn> events;
  std::vector<std::uint32_t> column_of(attrs_.size(), 0);
  for (std::size_t i = 0; i < attrs_.size(); ++i) {
    if (attr_samples_[i] == 0) continue;
    const std::string name = attrs_[i].display_name();
    const auto same = std::ranges::find(events, name, &EventColumn::name);
    column_of[i] = static_cast<std::uint32_t>(same - events.begin());
    if (same == events.end()) events.push_back({name, false});
    if (attr_weighted_[i]) events[column_of[i]].weighted = true;
  }
  for (MappingId id = 1; id <= profile_.mapping_count(); ++id) {
    Mapping& mapping = profile_.mapping(id);
    if (mapping.build_id != 0) continue;
    const auto found = features.build_ids.find(std::string{profile_.string(mapping.filename)});
    if (found != features.build_ids.end()) mapping.build_id = profile_.intern(found->second);
  }
  EventColumns columns{events, profile_};
  for (const EventRow& row : rows_.rows()) {
    profile_.accumulate(row.stack, row.labels, columns.row(column_of[row.event], row.count, row.weight));
  }
  profile_.counters.skipped += bad;
  profile_.counters.truncated += unrooted_;
  fill_header(profile_);
  if (options_.notes != nullptr) {
    if (unrooted_ != 0) {
      options_.notes->push_back(
          fmt::format("perf.data: {} samples carry a copy of the user stack that could not be unwound; "
                      "they keep their innermost frame",
                      unrooted_));
    }
    if (events.size() > 1) {
      std::string names;
      for (const EventColumn& event : events) names += (names.empty() ? "" : ", ") + event.name;
      options_.notes->push_back(fmt::format("{} events, each a sample type of its own: {}", events.size(), names));
    }
  }
  return std::move(profile_);
}

}  // namespace hprof::formats::perf
