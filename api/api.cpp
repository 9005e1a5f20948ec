// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/base/atomic_file.h>
#include <hprof/core/base/stream.h>
#include <hprof/core/base/unique_fd.h>
#include <hprof/core/capture/cpu_sampler.h>
#include <hprof/formats/registry.h>
#include <hprof/hprof.h>
#include <hprof/symbolize/symbolizer.h>
#include <hprof/symbolize/table_unwinder.h>

#include <fmt/format.h>

#include <errno.h>
#include <fcntl.h>

namespace hprof {

Result<Profile> record_cpu(const CpuRequest& request) {
  const std::unique_ptr<Unwinder> unwinder = symbolize::make_unwinder();
  SamplerOptions options;
  options.rate = request.rate;
  SamplerTargets targets;
  targets.pids = request.pids;
  targets.children = request.children;
  HPROF_ASSIGN(const std::unique_ptr<CpuSampler> sampler,
               CpuSampler::open(options, targets, *unwinder));
  SampleStore::Cursor cursor = sampler->store().open_cursor();
  HPROF_TRY(sampler->start());
  HPROF_TRY(run_sampler(*sampler, request.duration, [] { return false; }));
  RawProfile raw = sampler->store().cut(cursor);
  if (request.symbolize) {
    symbolize::make_symbolizer()->symbolize(raw, [](const SymbolizeProgress&) { return true; });
  }
  return std::move(raw.profile);
}

Result<void> save_profile(const Profile& profile, const std::string& path) {
  const formats::Format* format = formats::format_for_output(path);
  if (format == nullptr) {
    return Error{ErrorKind::usage, fmt::format("{}: its extension names no format", path),
                 fmt::format("known formats: {}", formats::known_formats(true))};
  }
  formats::WriteOptions options;
  options.sample_type = profile.default_sample_type_index();
  HPROF_ASSIGN(AtomicFile file, AtomicFile::create(path));
  HPROF_TRY(format->write(profile, file, options));
  return file.commit();
}

Result<Profile> load_profile(const std::string& path) {
  const UniqueFd file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!file.valid()) return system_error(errno, fmt::format("{}: cannot read", path));
  FdSource source{file.get()};
  auto profile = formats::read_profile(source, path, nullptr, {});
  if (!profile) return profile.error().within(path);
  return profile;
}

}  // namespace hprof
