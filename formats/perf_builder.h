// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "event_rows.h"
#include "perf_attr.h"
#include "perf_features.h"
#include "perf_processes.h"
#include "perf_sample.h"

#include <hprof/formats/registry.h>

#include <map>
#include <unordered_map>
#include <vector>

namespace hprof::formats::perf {

/// One record without its eight bytes of header. Lifetime: borrows the file's bytes.
struct Record {
  std::uint32_t type = 0;
  std::uint16_t misc = 0;
  Bytes body;
};

/// Makes a profile of records given in the order of time.
class Builder {
 public:
  Builder(const ReadOptions& options, std::endian order);

  /// Tells of the events; known before their first sample.
  void add_attr(Attr attr);
  [[nodiscard]] bool has_attrs() const { return !attrs_.empty(); }
  [[nodiscard]] const std::vector<Attr>& attrs() const { return attrs_; }
  void name_event(std::uint64_t id, std::string name);
  /// The event of a SAMPLE record, nullopt if nobody told of its id.
  [[nodiscard]] std::optional<std::uint32_t> event_of(Bytes body) const;
  /// The time of a record, nullopt where it has none.
  [[nodiscard]] std::optional<std::uint64_t> time_of(const Record& record) const;

  void apply(const Record& record);

  Features features;
  std::uint64_t samples = 0;    ///< SAMPLE records that could be read
  std::uint64_t bad = 0;        ///< records that could not
  std::uint64_t dwarf = 0;      ///< samples whose user stack was copied
  bool outside_clock = false;   ///< a date was asked for, the file has no dates

  Profile finish();

 private:
  struct KnownLocation {
    std::uint64_t epoch = 0;
    std::uint64_t address = 0;
    LocationId location = 0;
  };
  struct Who {
    std::uint64_t epoch = 0;
    LabelSetId labels = 0;
  };

  void sample(const Record& record);
  void mmap(const Record& record);
  void comm(const Record& record);
  void fork(const Record& record);
  void chain(const Sample& sample, const Attr& attr, std::uint16_t misc);
  void push(std::uint64_t ip, bool kernel, const Sample& sample, bool leaf);
  void push_lbr(const Sample& sample);
  bool push_unwound(const Sample& sample, const Attr& attr);
  LocationId location(const Processes::Space& space, std::uint64_t address);
  MappingId mapping(const MappedRange& range);
  LabelSetId who(std::int32_t pid, std::int32_t tid);
  bool in_time(std::optional<std::uint64_t> time);
  std::optional<std::int64_t> bound(std::int64_t wanted);
  void fill_header(Profile& profile) const;

  ReadOptions options_;
  std::endian order_;
  Processes processes_;
  Profile profile_;
  EventRows rows_;
  std::vector<Attr> attrs_;
  std::vector<std::uint64_t> attr_samples_;
  std::vector<bool> attr_weighted_;
  std::unordered_map<std::uint64_t, std::uint32_t> attr_of_id_;
  std::vector<KnownLocation> known_;
  InternTable known_index_;
  std::map<std::pair<std::uint64_t, const Module*>, MappingId> mappings_;
  std::unordered_map<std::uint64_t, Who> who_;
  std::vector<LocationId> frames_;
  std::vector<std::uint64_t> unwound_;
  std::optional<std::uint64_t> first_time_;
  std::uint64_t last_time_ = 0;
  std::uint64_t unrooted_ = 0;
};

}  // namespace hprof::formats::perf
