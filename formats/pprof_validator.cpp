// SPDX-License-Identifier: Apache-2.0
#include <hprof/formats/pprof.h>

#include "decompress.h"
#include "pprof_checker.h"
#include "utf8.h"

#include <hprof/core/profile/regex.h>

#include <fmt/format.h>

#include <set>

namespace hprof::formats {
namespace {

class Warnings {
 public:
  explicit Warnings(const Profile& profile) : p_(profile) {}

  Notes run() {
    header();
    mappings();
    locations();
    labels();
    texts();
    return std::move(out_);
  }

 private:
  template <typename... Args>
  void warn(fmt::format_string<Args...> format, Args&&... args) {
    out_.push_back(fmt::format(format, std::forward<Args>(args)...));
  }

  void header() {
    const ProfileHeader& h = p_.header;
    const std::string_view wanted = p_.string(h.default_sample_type);
    if (h.default_sample_type != 0 && !p_.find_sample_type(wanted)) {
      warn("default_sample_type '{}' names no sample type", wanted);
    }
    for (const StringId id : {h.drop_frames, h.keep_frames}) {
      if (const auto regex = Regex::compile(p_.string(id)); !regex) {
        warn("frames to drop or keep: {}", regex.error().message);
      }
    }
    if (h.period < 0) warn("negative period {}", h.period);
    if (h.duration_nanos < 0) warn("negative duration {}", h.duration_nanos);
    if (h.doc_url != 0 && p_.string(h.doc_url).find("://") == std::string_view::npos) {
      warn("doc_url '{}' is not absolute", p_.string(h.doc_url));
    }
  }

  void mappings() {
    for (MappingId id = 1; id <= p_.mapping_count(); ++id) {
      const Mapping& m = p_.mapping(id);
      if (m.start >= m.limit && (m.start != 0 || m.limit != 0)) {
        warn("mapping {}: start {:#x} is not below limit {:#x}", id, m.start, m.limit);
      }
      for (MappingId other = 1; other < id; ++other) {
        const Mapping& n = p_.mapping(other);
        if (m.start < n.limit && n.start < m.limit) warn("mappings {} and {} overlap", other, id);
      }
    }
  }

  void locations() {
    for (LocationId id = 1; id <= p_.location_count(); ++id) {
      const Location& l = p_.location(id);
      const Mapping& m = p_.mapping(l.mapping);
      const bool has_range = l.mapping != 0 && m.limit != 0;
      if (has_range && l.address != 0 && (l.address < m.start || l.address >= m.limit)) {
        warn("location {}: address {:#x} lies outside its mapping", id, l.address);
      }
    }
  }

  void labels() {
    for (LabelSetId set = 1; set <= p_.label_set_count(); ++set) {
      std::set<std::pair<StringId, bool>> keys;
      for (const Label& label : p_.labels(set)) {
        const std::string_view key = p_.string(label.key);
        if (label.text != 0 && label.number != 0) warn("label {}: both text and number", key);
        if (!label.is_number && label.unit != 0) warn("label {}: a unit without a number", key);
        if (key.starts_with("pprof::") && key != "pprof::base") warn("label {}: reserved key", key);
        if (key.empty()) warn("a label without a key");
        if (!keys.emplace(label.key, label.is_number).second) warn("label {}: several values", key);
      }
    }
  }

  void texts() {
    for (StringId id = 1; id < p_.strings().size(); ++id) {
      if (!is_utf8(p_.string(id))) warn("string {} is not UTF-8", id);
    }
  }

  const Profile& p_;
  Notes out_;
};

}  // namespace

Result<Notes> validate_pprof(Bytes bytes) {
  MemorySource source{bytes};
  Notes notes;
  HPROF_ASSIGN(const std::unique_ptr<UnwrappedSource> raw,
               UnwrappedSource::open(source, {}, &notes));
  HPROF_ASSIGN(const std::vector<std::byte> all, read_all(*raw, ReadLimits{}.max_bytes));
  PprofChecker checker;
  HPROF_TRY(checker.feed(all));
  HPROF_ASSIGN(const std::uint64_t samples, checker.finish());
  ReadOptions options;
  options.notes = &notes;
  HPROF_ASSIGN(const Profile profile, decode_pprof(all, options));
  HPROF_CHECK(profile.sample_count() == samples);
  const Notes more = Warnings{profile}.run();
  notes.insert(notes.end(), more.begin(), more.end());
  return notes;
}

}  // namespace hprof::formats
