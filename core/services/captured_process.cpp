// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/services/captured_process.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <thread>
#include <utility>

namespace hprof {
namespace {

using Steady = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLook{20};
constexpr std::array<std::string_view, 8> kLaterKinds{"allocs", "block",  "goroutine",    "heap",
                                                      "mutex",  "offcpu", "threadcreate", "wall"};

/// A profile that holds nothing but one address, to have it named.
RawProfile one_address(const MappedRange& range, std::uint64_t address) {
  RawProfile raw;
  const MappingId mapping =
      raw.profile.add_mapping({.start = range.start,
                               .limit = range.end,
                               .file_offset = range.file_offset,
                               .filename = raw.profile.intern(range.module->path)});
  raw.modules = {nullptr, range.module};
  raw.profile.intern_location(mapping, address);
  return raw;
}

}  // namespace

void SharedSymbolizer::symbolize(RawProfile& raw) {
  const std::lock_guard lock{mutex_};
  symbolizer_->symbolize(raw, [](const SymbolizeProgress&) { return true; });
}

CapturedProcess::CapturedProcess(int pid, std::shared_ptr<CaptureService> capture,
                                 std::shared_ptr<SharedSymbolizer> symbolizer,
                                 std::shared_ptr<const ProfileWriter> writer, ProcFs proc)
    : pid_(pid),
      capture_(std::move(capture)),
      symbolizer_(std::move(symbolizer)),
      writer_(std::move(writer)),
      command_line_(proc.read(pid, "cmdline").value_or(std::string{})),
      modules_(std::move(proc)) {
  if (command_line_.ends_with('\0')) command_line_.pop_back();
}

std::string CapturedProcess::command_line() const {
  return command_line_;
}

std::vector<ServedKind> CapturedProcess::kinds() const {
  return {{.name = "profile",
           .description = "CPU profile. You can specify the duration in the seconds GET parameter."
                          " After you get the profile file, use the go tool pprof command to"
                          " investigate the profile.",
           .sampled = true}};
}

std::string CapturedProcess::why_not(std::string_view kind) const {
  if (std::ranges::find(kLaterKinds, kind) == kLaterKinds.end()) return {};
  return fmt::format("{}: this version of hprof measures CPU time only; ask for profile", kind);
}

Result<std::string> CapturedProcess::over(std::string_view kind, std::chrono::nanoseconds time,
                                          const Abandoned& abandoned) {
  HPROF_CHECK(kind == "profile");
  const std::unique_ptr<ProfileSource> source = capture_->open_source();
  const auto end = Steady::now() + time;
  while (Steady::now() < end && !capture_->ended() && !abandoned()) {
    std::this_thread::sleep_for(
        std::min<Steady::duration>(kLook, std::max<Steady::duration>(end - Steady::now(), {})));
  }
  HPROF_ASSIGN(RawProfile raw, source->cut());
  if (capture_->ended() && raw.profile.sample_count() == 0) {
    return Error{ErrorKind::target_gone, fmt::format("process {} has ended", pid_), {}};
  }
  symbolizer_->symbolize(raw);
  StringSink sink;
  HPROF_TRY(writer_->write(raw.profile, sink));
  return sink.take();
}

Result<std::string> CapturedProcess::now(std::string_view kind, int /*debug*/) {
  return Error{ErrorKind::unsupported, why_not(kind), {}};
}

std::string CapturedProcess::symbol(std::uint64_t address) {
  const Result<AddressSpace> space = modules_.read_address_space(pid_);
  const MappedRange* range = space ? space->find(address) : nullptr;
  if (range == nullptr || range->module == nullptr) return {};
  RawProfile raw = one_address(*range, address);
  symbolizer_->symbolize(raw);
  const std::span<const Line> lines = raw.profile.lines(1);
  // The function that holds the address, not one inlined into it: as runtime.FuncForPC.
  if (lines.empty()) return {};
  return std::string{raw.profile.string(raw.profile.function(lines.back().function).name)};
}

}  // namespace hprof
