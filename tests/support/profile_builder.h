// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/profile/profile.h>

#include <initializer_list>
#include <string_view>
#include <vector>

namespace hprof::testing {

/// Adds a sample whose stack is "root;…;leaf" names, one location each, to an existing profile.
inline void add_stack(Profile& profile, std::string_view stack, std::vector<std::int64_t> values,
                      LabelSetId labels = 0) {
  StackId id = 0;
  while (!stack.empty()) {
    const std::size_t end = std::min(stack.find(';'), stack.size());
    const Line line{profile.intern_function(stack.substr(0, end)), 0, 0};
    id = profile.intern_stack(id, profile.intern_location(0, 0, {&line, 1}));
    stack.remove_prefix(std::min(end + 1, stack.size()));
  }
  profile.accumulate(id, labels, values);
}

struct NamedStack {
  std::string_view stack;
  std::int64_t value;
};

/// A profile of names only with the one column samples/count.
inline Profile profile_of(std::initializer_list<NamedStack> stacks) {
  Profile profile;
  profile.add_sample_type("samples", "count");
  for (const NamedStack& s : stacks) add_stack(profile, s.stack, {s.value});
  return profile;
}

/// The profile that google/pprof's report tests are made from: three files, four locations with
/// inlined frames, four samples of cpu time with labels.
inline Profile inlined_profile() {
  Profile p;
  p.add_sample_type("samples", "count");
  p.add_sample_type("cpu", "milliseconds");
  p.header.period_type = {p.intern("cpu"), p.intern("milliseconds")};
  p.header.period = 1;
  p.header.duration_nanos = 10'000'000'000;
  const MappingId m = p.add_mapping({.start = 0x1000,
                                     .limit = 0x4000,
                                     .filename = p.intern("/path/to/testbinary"),
                                     .has_functions = true,
                                     .has_filenames = true,
                                     .has_line_numbers = true,
                                     .has_inline_frames = true});
  const auto function = [&](std::string_view name, std::string_view file) {
    const StringId id = p.intern(name);
    return p.intern_function({.name = id, .system_name = id, .filename = p.intern(file)});
  };
  const FunctionId line1000 = function("line1000", "testdata/file1000.src");
  const FunctionId line2000 = function("line2000", "testdata/file2000.src");
  const FunctionId line2001 = function("line2001", "testdata/file2000.src");
  const FunctionId line3000 = function("line3000", "testdata/file3000.src");
  const FunctionId line3001 = function("line3001", "testdata/file3000.src");
  const FunctionId line3002 = function("line3002", "testdata/file3000.src");
  const auto location = [&](std::uint64_t address, std::vector<Line> lines) {
    return p.intern_location(m, address, lines);
  };
  const LocationId l1000 = location(0x1000, {{line1000, 1, 0}});
  const LocationId l2000 = location(0x2000, {{line2001, 9, 0}, {line2000, 4, 0}});
  const LocationId l3000 =
      location(0x3000, {{line3002, 2, 0}, {line3001, 5, 0}, {line3000, 6, 0}});
  const LocationId l3001 = location(0x3001, {{line3001, 8, 0}, {line3000, 9, 0}});
  const LocationId l3002 = location(0x3002, {{line3002, 5, 0}, {line3000, 9, 0}});
  const auto sample = [&](std::vector<LocationId> stack, std::vector<std::int64_t> values,
                          std::vector<Label> labels) {
    p.add_sample(p.intern_stack_leaf_first(stack), p.intern_labels(labels), values);
  };
  sample({l1000, l2000, l3000}, {1000, 1000},
         {p.text_label("key1", "tag1"), p.text_label("key2", "tag1")});
  sample({l1000, l3001}, {100, 100}, {p.text_label("key1", "tag2"), p.text_label("key3", "tag2")});
  sample({l2000, l3002}, {10, 10}, {p.text_label("key1", "tag3"), p.text_label("key2", "tag2")});
  sample({l3000}, {10, 10}, {p.text_label("key1", "tag4"), p.text_label("key2", "tag1")});
  return p;
}

}  // namespace hprof::testing
