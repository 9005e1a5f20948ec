// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/capture/cpu_sampler.h>

#include <cmath>
#include <memory>
#include <set>
#include <string>

namespace hprof::capture_test {

/// Leaf only: for tests that ask which code ran, not who called it.
class LeafUnwinder final : public Unwinder {
 public:
  UnwindEnd unwind(const AddressSpace& /*space*/, const UserRegisters& registers,
                   const StackCopy& /*stack*/, MemoryReader* /*live*/, std::size_t /*max_frames*/,
                   std::vector<std::uint64_t>& frames) override {
    frames.push_back(registers.pc());
    return UnwindEnd::root;
  }
};

/// What one run of a sampler gave.
struct Recording {
  RawProfile raw;
  SamplerStats stats;
  CaptureReport report;
  CpuSampler::State end = CpuSampler::State::running;

  /// The kernel's account and the samples agree, up to chance (4 sigma) and `tolerance`.
  [[nodiscard]] bool sees_all_cpu(double tolerance) const {
    const double seen = stats.cpu_seen_percent() / 100;
    const double sigma = 1 / std::sqrt(static_cast<double>(std::max<std::uint64_t>(1, stats.samples)));
    return seen > 1 - tolerance - 4 * sigma && seen < 1 + tolerance + 4 * sigma;
  }
  /// Samples whose leaf lies in a mapping of this file.
  [[nodiscard]] std::int64_t samples_in(const std::string& file) const {
    const Profile& p = raw.profile;
    std::int64_t total = 0;
    for (std::uint32_t row = 0; row < p.sample_count(); ++row) {
      const LocationId leaf = p.stack(p.sample_stack(row)).location;
      const MappingId mapping = p.location(leaf).mapping;
      if (mapping != 0 && p.string(p.mapping(mapping).filename) == file) total += p.value(0, row);
    }
    return total;
  }
  /// The texts (or numbers, as text) that a label has in any sample.
  [[nodiscard]] std::set<std::string> label_values(std::string_view key) const {
    const Profile& p = raw.profile;
    std::set<std::string> out;
    for (std::uint32_t row = 0; row < p.sample_count(); ++row) {
      for (const Label& label : p.labels(p.sample_labels(row))) {
        if (p.string(label.key) != key) continue;
        out.insert(label.is_number ? std::to_string(label.number)
                                   : std::string{p.string(label.text)});
      }
    }
    return out;
  }
};

inline Result<Recording> record(const SamplerOptions& options, const SamplerTargets& targets,
                                std::chrono::milliseconds duration,
                                const std::function<bool()>& stop = {}) {
  LeafUnwinder unwinder;
  HPROF_ASSIGN(std::unique_ptr<CpuSampler> sampler, CpuSampler::open(options, targets, unwinder));
  SampleStore::Cursor cursor = sampler->store().open_cursor();
  Recording out;
  HPROF_ASSIGN(out.end, run_sampler(*sampler, duration, stop));
  out.raw = sampler->store().cut(cursor);
  out.stats = sampler->stats();
  out.report = sampler->report();
  return out;
}

/// Options for one engine and rate.
inline SamplerOptions sampler_options(CaptureEngine engine, double rate) {
  SamplerOptions options;
  options.engine = engine;
  options.rate = rate;
  return options;
}

}  // namespace hprof::capture_test
