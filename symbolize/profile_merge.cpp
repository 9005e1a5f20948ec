// SPDX-License-Identifier: Apache-2.0
#include "symbolize/profile_merge.h"

namespace hprof::symbolize {
namespace {

Line intern_frame(const Frame& frame, Profile& profile) {
  Function function;
  function.system_name = profile.intern(frame.system_name);
  function.name = frame.name.empty() ? function.system_name : profile.intern(frame.name);
  function.filename = profile.intern(frame.file);
  function.start_line = frame.start_line;
  return {
      .function = profile.intern_function(function), .line = frame.line, .column = frame.column};
}

void set_flags(std::span<const Frame> frames, Mapping& mapping) {
  mapping.has_functions = true;
  if (frames.size() > 1) mapping.has_inline_frames = true;
  for (const Frame& frame : frames) {
    if (!frame.file.empty()) mapping.has_filenames = true;
    if (frame.line != 0) mapping.has_line_numbers = true;
  }
}

}  // namespace

void merge_names(const ModuleJob& job, bool no_inlines, Profile& profile) {
  std::vector<std::vector<Line>> lines(job.frames.size());
  for (const ModuleJob::Place& place : job.places) {
    if (place.index == ModuleJob::kNoIndex || job.frames[place.index].empty()) continue;
    std::span<const Frame> frames = job.frames[place.index];
    if (no_inlines) frames = frames.last(1);
    std::vector<Line>& out = lines[place.index];
    if (out.empty()) {
      for (const Frame& frame : frames) out.push_back(intern_frame(frame, profile));
    }
    profile.set_lines(place.location, out);
    const MappingId mapping = profile.location(place.location).mapping;
    if (mapping != 0) set_flags(frames, profile.mapping(mapping));
  }
}

}  // namespace hprof::symbolize
