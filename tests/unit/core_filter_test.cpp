// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/profile/diff.h>
#include <hprof/core/profile/filter.h>
#include <hprof/core/profile/function_names.h>
#include <hprof/core/profile/granularity.h>
#include <hprof/core/profile/merge.h>
#include <hprof/core/profile/units.h>

#include <doctest/doctest.h>

#include <array>
#include <map>
#include <string>

using namespace hprof;  // NOLINT(google-build-using-namespace)

namespace {

// "a;b;c", root first, with a value.
void add(Profile& p, std::string_view stack, std::int64_t value,
         std::span<const Label> labels = {}, MappingId mapping = 0) {
  StackId id = 0;
  while (!stack.empty()) {
    const std::size_t end = std::min(stack.find(';'), stack.size());
    const FunctionId f = p.intern_function(stack.substr(0, end));
    const std::array<Line, 1> lines = {Line{.function = f}};
    id = p.intern_stack(id, p.intern_location(mapping, 0, lines));
    stack.remove_prefix(std::min(stack.size(), end + 1));
  }
  p.add_sample(id, p.intern_labels(labels), std::array<std::int64_t, 1>{value});
}

Profile make(std::initializer_list<std::pair<const char*, std::int64_t>> stacks) {
  Profile p;
  p.add_sample_type("cpu", "nanoseconds");
  for (const auto& [stack, value] : stacks) add(p, stack, value);
  return p;
}

using Folded = std::map<std::string, std::int64_t>;

Folded folded(const Profile& p) {
  Folded out;
  std::vector<LocationId> stack;
  for (std::uint32_t row = 0; row < p.sample_count(); ++row) {
    p.stack_leaf_first(p.sample_stack(row), stack);
    std::string text;
    for (std::size_t i = stack.size(); i > 0; --i) {
      for (std::size_t line = frame_count(p, stack[i - 1]); line > 0; --line) {
        if (!text.empty()) text += ';';
        text += frame_name(p, stack[i - 1], line - 1);
      }
    }
    out[text] += p.value(0, row);
  }
  return out;
}

Folded filtered(FilterOptions options) {
  Profile p = make({{"A;B;C;B", 1}, {"A;D", 2}, {"E", 4}});
  REQUIRE(filter_profile(p, options, nullptr).has_value());
  return folded(p);
}

}  // namespace

TEST_CASE("frame filters keep whole samples or cut frames out of them") {
  CHECK(filtered({}) == Folded{{"A;B;C;B", 1}, {"A;D", 2}, {"E", 4}});
  CHECK(filtered({.focus = "^C$"}) == Folded{{"A;B;C;B", 1}});
  CHECK(filtered({.ignore = "A"}) == Folded{{"E", 4}});
  CHECK(filtered({.hide = "B|E"}) == Folded{{"A;C", 1}, {"A;D", 2}});
  CHECK(filtered({.show = "A|E"}) == Folded{{"A", 3}, {"E", 4}});
  CHECK(filtered({.show_from = "B"}) == Folded{{"B;C;B", 1}});
  CHECK(filtered({.prune_from = "B"}) == Folded{{"A;B;C;B", 1}, {"A;D", 2}, {"E", 4}});
  CHECK(filtered({.prune_from = "C"}) == Folded{{"A;B;C", 1}, {"A;D", 2}, {"E", 4}});
}

TEST_CASE("drop_frames cuts from the first match behind a frame that stays") {
  Profile p = make({{"main;malloc;inner", 1}, {"malloc;main;x", 2}, {"main;keepmalloc", 4}});
  p.header.drop_frames = p.intern(".*malloc|inner");
  p.header.keep_frames = p.intern("keep.*");
  REQUIRE(filter_profile(p, {.prune = true}, nullptr).has_value());
  CHECK(folded(p) == Folded{{"main", 1}, {"malloc;main;x", 2}, {"main;keepmalloc", 4}});
  p.header.drop_frames = p.intern("(");
  const Result<void> bad = filter_profile(p, {.prune = true}, nullptr);
  REQUIRE_FALSE(bad.has_value());
  CHECK(bad.error().kind == ErrorKind::malformed_input);
}

TEST_CASE("labels select samples by text, by key and by numeric range") {
  const auto with = [](FilterOptions options) {
    Profile p;
    p.add_sample_type("cpu", "nanoseconds");
    add(p, "a", 1, std::array{p.text_label("thread", "worker 1"), p.number_label("bytes", 4096, "bytes")});
    add(p, "b", 2, std::array{p.text_label("thread", "main"), p.number_label("bytes", 10, "kilobytes")});
    add(p, "c", 4);
    REQUIRE(filter_profile(p, options, nullptr).has_value());
    return folded(p);
  };
  CHECK(with({.tag_focus = "worker"}) == Folded{{"a", 1}});
  CHECK(with({.tag_focus = "thread:main"}) == Folded{{"b", 2}});
  CHECK(with({.tag_focus = "thread=main,worker"}) == Folded{{"a", 1}, {"b", 2}});
  CHECK(with({.tag_ignore = "thread=main"}) == Folded{{"a", 1}, {"c", 4}});
  CHECK(with({.tag_focus = "4kb"}) == Folded{{"a", 1}});
  // A key has one unit, the first seen: 10 of the others' kilobytes count as 10 bytes.
  CHECK(with({.tag_focus = "bytes=1kb:8kb"}) == Folded{{"a", 1}});
  CHECK(with({.tag_ignore = "bytes=10"}).size() == 3);
  CHECK(with({.tag_ignore = "bytes=10b"}) == Folded{{"a", 1}, {"c", 4}});
  CHECK(with({.tag_focus = "other=1kb:8kb"}).empty());
  CHECK(with({.tag_root = {"thread"}}) == Folded{{"worker 1;a", 1}, {"main;b", 2}, {"[unknown];c", 4}});
  CHECK(with({.tag_leaf = {"thread", "bytes"}}).at("b;main;10kB") == 2);
}

TEST_CASE("a filter says what is wrong with its pattern, and when it matches nothing") {
  Profile p = make({{"A", 1}});
  const Result<void> bad = filter_profile(p, {.focus = "("}, nullptr);
  REQUIRE_FALSE(bad.has_value());
  CHECK(bad.error().kind == ErrorKind::usage);
  CHECK(bad.error().message.find("--focus") == 0);
  std::vector<std::string> notes;
  REQUIRE(filter_profile(p, {.ignore = "nothing"}, &notes).has_value());
  CHECK(notes == std::vector<std::string>{"--ignore matches nothing"});
}

TEST_CASE("merging adds equal stacks, keeps common types and the finest unit") {
  Profile a;
  a.add_sample_type("cpu", "milliseconds");
  a.add_sample_type("other", "count");
  a.add_sample_type("samples", "count");
  const StackId s = a.intern_stack(0, a.intern_location(0, 0x10));
  a.add_sample(s, 0, std::array<std::int64_t, 3>{3, 9, 1});
  a.header.time_nanos = 500;
  a.header.duration_nanos = 10;
  a.header.comments = {a.intern("x")};
  Profile b;
  b.add_sample_type("samples", "count");
  b.add_sample_type("cpu", "nanoseconds");
  const StackId t = b.intern_stack(0, b.intern_location(0, 0x10));
  b.add_sample(t, 0, std::array<std::int64_t, 2>{2, 7});
  b.add_sample(t, 0, std::array<std::int64_t, 2>{0, 0});
  b.header.duration_nanos = 5;
  b.header.comments = {b.intern("x"), b.intern("y")};
  ProfileMerger merger;
  REQUIRE(merger.add(a).has_value());
  REQUIRE(merger.add(b).has_value());
  CHECK(merger.notes().size() == 1);
  const Result<Profile> sum = merger.finish();
  REQUIRE(sum.has_value());
  REQUIRE(sum->sample_types().size() == 2);
  CHECK(sum->string(sum->sample_types()[0].type) == "cpu");
  CHECK(sum->string(sum->sample_types()[0].unit) == "nanoseconds");
  REQUIRE(sum->sample_count() == 1);
  CHECK(sum->value(0, 0) == 3000007);
  CHECK(sum->value(1, 0) == 3);
  CHECK(sum->header.time_nanos == 500);  // a later 0 does not win
  CHECK(sum->header.duration_nanos == 15);
  CHECK(sum->header.comments.size() == 2);
}

TEST_CASE("profiles without a common sample type, or of other periods, are refused by name") {
  Profile a;
  a.add_sample_type("cpu", "nanoseconds");
  Profile b;
  b.add_sample_type("heap", "bytes");
  ProfileMerger merger;
  REQUIRE(merger.add(a).has_value());
  const Result<void> bad = merger.add(b);
  REQUIRE_FALSE(bad.has_value());
  CHECK(bad.error().message.find("cpu/nanoseconds against heap/bytes") != std::string::npos);
  Profile c = a;
  c.header.period_type = {c.intern("cpu"), c.intern("nanoseconds")};
  Profile d = a;
  d.header.period_type = {d.intern("space"), d.intern("bytes")};
  ProfileMerger periods;
  REQUIRE(periods.add(a).has_value());
  REQUIRE(periods.add(c).has_value());
  CHECK_FALSE(periods.add(d).has_value());
}

TEST_CASE("merging moves addresses with their mapping, whatever its load address") {
  const auto at = [](std::uint64_t start) {
    Profile p;
    p.add_sample_type("cpu", "count");
    const MappingId m = p.add_mapping({.start = start,
                                       .limit = start + 0x2000,
                                       .filename = p.intern("/bin/app"),
                                       .build_id = p.intern("aa")});
    p.add_sample(p.intern_stack(0, p.intern_location(m, start + 0x123)), 0,
                 std::array<std::int64_t, 1>{1});
    return p;
  };
  const Profile a = at(0x400000);
  const Profile b = at(0x7f0000000000);
  const std::array<const Profile*, 2> both = {&a, &b};
  const Result<Profile> sum = merge_profiles(both);
  REQUIRE(sum.has_value());
  CHECK(sum->sample_count() == 1);
  CHECK(sum->value(0, 0) == 2);
  CHECK(sum->location(1).address == 0x400123);
}

TEST_CASE("locations that differ in the column of an outer line stay apart") {
  const auto with_column = [](std::int64_t column) {
    Profile p;
    p.add_sample_type("cpu", "count");
    const std::array<Line, 2> lines = {Line{p.intern_function("f"), 1, column},
                                       Line{p.intern_function("g"), 2, 0}};
    p.add_sample(p.intern_stack(0, p.intern_location(0, 0, lines)), 0,
                 std::array<std::int64_t, 1>{1});
    return p;
  };
  const Profile a = with_column(1);
  const Profile b = with_column(2);
  const std::array<const Profile*, 2> both = {&a, &b};
  CHECK(merge_profiles(both)->sample_count() == 2);
}

TEST_CASE("a difference cancels or keeps both sides apart") {
  const Profile before = make({{"A;B", 10}, {"A;C", 5}});
  const Profile after = make({{"A;B", 10}, {"A;D", 15}});
  CHECK(folded(*diff_profiles(after, before, DiffKind::subtract, false)) ==
        Folded{{"A;C", -5}, {"A;D", 15}});
  const Result<Profile> both = diff_profiles(after, before, DiffKind::compare, false);
  CHECK(both->sample_count() == 4);
  CHECK(percent_total(*both, 0) == 15);
  CHECK(folded(*diff_profiles(after, before, DiffKind::subtract, true)) ==
        Folded{{"A;B", -4}, {"A;C", -5}, {"A;D", 9}});
}

TEST_CASE("sums beyond 64 bits wrap and are noted") {
  const Profile p = make({{"A", INT64_MAX}});
  ProfileMerger merger;
  REQUIRE(merger.add(p).has_value());
  REQUIRE(merger.add(p).has_value());
  CHECK(merger.finish()->value(0, 0) == -2);
  CHECK(merger.notes().size() == 1);
}

TEST_CASE("granularity leaves just the detail asked for") {
  const auto at = [](AggregateOptions options) {
    Profile p;
    p.add_sample_type("cpu", "count");
    const MappingId m = p.add_mapping({.start = 0x1000, .limit = 0x2000, .filename = p.intern("/lib/x.so")});
    const FunctionId f = p.intern_function({.name = p.intern("f(int)"), .filename = p.intern("f.c")});
    const FunctionId g = p.intern_function({.name = p.intern("g"), .filename = p.intern("g.c")});
    for (std::int64_t line = 1; line <= 2; ++line) {
      const std::array<Line, 2> lines = {Line{f, line, 7}, Line{g, 5, 0}};
      const StackId root = p.intern_stack(0, p.intern_location(m, 0x1100));
      const LocationId leaf = p.intern_location(m, 0x1000 + static_cast<std::uint64_t>(line), lines);
      p.add_sample(p.intern_stack(root, leaf), 0, std::array<std::int64_t, 1>{1});
    }
    aggregate(p, options);
    return compact(p);
  };
  CHECK(at({}).sample_count() == 2);
  CHECK(at({.granularity = Granularity::lines}).sample_count() == 2);
  const Profile functions = at({.granularity = Granularity::functions});
  CHECK(functions.sample_count() == 1);
  CHECK(folded(functions) == Folded{{"[x.so+0x100];g;f(int)", 2}});
  CHECK(folded(at({.granularity = Granularity::files})) == Folded{{"[x.so+0x100];g.c;f.c", 2}});
  CHECK(folded(at({.granularity = Granularity::modules})) == Folded{{"x.so", 2}});
  CHECK(folded(at({.no_inlines = true})) == Folded{{"[x.so+0x100];g", 2}});
  CHECK(folded(at({.granularity = Granularity::functions, .short_names = true})) ==
        Folded{{"[x.so+0x100];g;f", 2}});
  CHECK(parse_granularity("files").value() == Granularity::files);
  CHECK_FALSE(parse_granularity("nothing").has_value());
}

TEST_CASE("short names lose parameter lists only") {
  CHECK(short_function_name("ns::f<int>(char, long) const") == "ns::f<int>");
  CHECK(short_function_name("f(void (*)(int)) [clone .cold]") == "f");
  CHECK(short_function_name("operator()") == "operator()");
  CHECK(short_function_name("a::operator()(int) const") == "a::operator()");
  CHECK(short_function_name("(anonymous namespace)::f(int)") == "(anonymous namespace)::f");
  CHECK(short_function_name("main.(*T).Method") == "main.(*T).Method");
  CHECK(short_function_name("plain") == "plain");
  CHECK(simplified_function_name(".f(int)") == "f");
  CHECK(simplified_function_name("(anonymous namespace)::f(int)") == "(anonymous namespace)::f");
  CHECK(simplified_function_name("a::operator()(int)") == "a::operator()");
}

TEST_CASE("quantities are scaled within their family") {
  CHECK(scaled_label(1536, "bytes", "auto") == "1.50kB");
  CHECK(scaled_label(-2000000, "nanoseconds", "auto") == "-2ms");
  CHECK(scaled_label(7, "count", "auto") == "7");
  CHECK(scale(2, "seconds", "ms").value == 2000);
  CHECK(unit_ratio("ms", "ns") == 1e6);
  CHECK(units_convertible("kb", "bytes"));
  CHECK_FALSE(units_convertible("ns", "bytes"));
}
