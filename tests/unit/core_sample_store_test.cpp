// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/capture/sample_store.h>

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <map>
#include <thread>

using namespace hprof;

namespace {

class HandClock final : public Clock {
 public:
  [[nodiscard]] std::int64_t monotonic_ns() const override { return now; }
  [[nodiscard]] std::int64_t wall_ns() const override { return 1'000'000 + now; }
  std::int64_t now = 100;
};

StoreOptions cpu_options() {
  StoreOptions options;
  options.types = {{"samples", "count"}, {"cpu", "nanoseconds"}};
  options.period_type = {"cpu", "nanoseconds"};
  options.period = 10;
  return options;
}

ModulePtr module_named(const std::string& path) {
  auto module = std::make_shared<Module>();
  module->kind = ModuleKind::file;
  module->path = path;
  return module;
}

/// Adds a sample with these addresses, leaf first, all in one range.
void add(SampleStore& store, const MappedRange& range, std::vector<std::uint64_t> addresses,
         SampleThread thread = {7, 8, "app", "worker"}, bool truncated = false) {
  std::vector<SampleFrame> frames;
  for (const std::uint64_t address : addresses) frames.push_back({address, &range, {}});
  const std::array<std::int64_t, 2> values{1, 10};
  store.add({thread, frames, truncated, {}, values});
}

/// "root > ... > leaf {labels}" -> samples, as the profile says.
std::map<std::string, std::int64_t> rows(const Profile& p) {
  std::map<std::string, std::int64_t> out;
  std::vector<LocationId> stack;
  for (std::uint32_t row = 0; row < p.sample_count(); ++row) {
    p.stack_leaf_first(p.sample_stack(row), stack);
    std::string text;
    for (auto at = stack.rbegin(); at != stack.rend(); ++at) {
      text += (text.empty() ? "" : " > ") + frame_name(p, *at, 0);
    }
    for (const Label& label : p.labels(p.sample_labels(row))) {
      text += " " + std::string{p.string(label.key)} + "=";
      text += label.is_number ? std::to_string(label.number) : std::string{p.string(label.text)};
    }
    out[text] += p.value(0, row);
  }
  return out;
}

}  // namespace

TEST_CASE("equal stacks of a thread are one row, and modules follow their mappings") {
  SampleStore store{cpu_options()};
  SampleStore::Cursor cursor = store.open_cursor();
  const MappedRange range{0x1000, 0x2000, 0x500, module_named("/bin/app")};
  add(store, range, {0x1100, 0x1200});
  add(store, range, {0x1100, 0x1200});
  add(store, range, {0x1101, 0x1200});
  const RawProfile raw = store.cut(cursor);
  const Profile& p = raw.profile;
  CHECK(p.sample_count() == 2);
  CHECK(p.total(0) == 3);
  CHECK(p.total(1) == 30);
  CHECK(p.header.period == 10);
  CHECK(p.string(p.header.default_sample_type) == "cpu");
  REQUIRE(p.mapping_count() == 1);
  CHECK(p.mapping(1).file_offset == 0x500);
  REQUIRE(raw.modules.size() == 2);
  CHECK(raw.modules[1] == range.module);
  CHECK(rows(p).begin()->first == "[app+0x700] > [app+0x600] thread=worker tid=8");
}

TEST_CASE("each cursor sees each sample once, whatever the others do") {
  SampleStore store{cpu_options()};
  const MappedRange range{0x1000, 0x2000, 0, module_named("/bin/app")};
  SampleStore::Cursor a = store.open_cursor();
  add(store, range, {0x1100});
  SampleStore::Cursor b = store.open_cursor();
  add(store, range, {0x1100});
  CHECK(store.cut(a).profile.total(0) == 2);
  CHECK(store.peek(b).profile.total(0) == 1);
  CHECK(store.cut(b).profile.total(0) == 1);
  CHECK(store.cut(b).profile.sample_count() == 0);
  add(store, range, {0x1100});
  CHECK(store.cut(a).profile.total(0) == 1);
  CHECK(store.cut(b).profile.total(0) == 1);
  CHECK(store.sample_count() == 3);
}

TEST_CASE("windows of a cursor follow each other without gap, ending where samples end") {
  auto clock = std::make_shared<HandClock>();
  SampleStore store{cpu_options(), clock};
  SampleStore::Cursor cursor = store.open_cursor();
  clock->now = 150;
  store.set_covered_until(150);  // the sampler starts later than the reader
  clock->now = 1000;
  store.set_covered_until(900);
  const Profile first = store.cut(cursor).profile;
  CHECK(first.header.time_nanos == 1'000'150);
  CHECK(first.header.duration_nanos == 750);
  clock->now = 2000;
  store.set_covered_until(2000);
  const Profile second = store.cut(cursor).profile;
  CHECK(second.header.time_nanos == first.header.time_nanos + first.header.duration_nanos);
  CHECK(second.header.duration_nanos == 1100);
}

TEST_CASE("with several processes each is a root and has a label, with one it is neither") {
  SampleStore store{cpu_options()};
  SampleStore::Cursor cursor = store.open_cursor();
  const MappedRange range{0x1000, 0x2000, 0, module_named("/bin/app")};
  add(store, range, {0x1100}, {7, 7, "one", "one"});
  CHECK(rows(store.peek(cursor).profile).begin()->first == "[app+0x100] thread=one tid=7");
  add(store, range, {0x1100}, {9, 9, "two", "two"});
  const auto found = rows(store.cut(cursor).profile);
  CHECK(found.at("one > [app+0x100] thread=one tid=7 pid=7") == 1);
  CHECK(found.at("two > [app+0x100] thread=two tid=9 pid=9") == 1);
}

TEST_CASE("truncated stacks begin with a mark and are counted; extra labels are kept") {
  SampleStore store{cpu_options()};
  SampleStore::Cursor cursor = store.open_cursor();
  const MappedRange range{0x1000, 0x2000, 0, module_named("/bin/app")};
  add(store, range, {0x1100}, {7, 8, "app", "worker"}, true);
  const SampleFrame kernel{0, nullptr, "[kernel]"};
  const SampleLabel state{"state", "running"};
  const std::array<std::int64_t, 2> values{1, 10};
  store.add({{7, 8, "app", "worker"}, {&kernel, 1}, false, {&state, 1}, values});
  store.add_lost(3);
  store.add_throttled(2);
  const Profile p = store.cut(cursor).profile;
  CHECK(rows(p).at("[truncated] > [app+0x100] thread=worker tid=8") == 1);
  CHECK(rows(p).at("[kernel] thread=worker tid=8 state=running") == 1);
  CHECK(p.counters.truncated == 1);
  CHECK(p.counters.lost == 3);
  CHECK(p.counters.throttled == 2);
  CHECK(store.cut(cursor).profile.counters.lost == 0);
}

TEST_CASE("memory stays flat over windows of ever new stacks") {
  SampleStore store{cpu_options()};
  SampleStore::Cursor cursor = store.open_cursor();
  SampleStore::Cursor slow = store.open_cursor();
  std::size_t early = 0;
  std::uint64_t next = 0;
  for (int window = 0; window < 40; ++window) {
    const MappedRange range{0, std::uint64_t{1} << 40, 0, module_named("/bin/app")};
    for (int i = 0; i < 3000; ++i) add(store, range, {next++, next});
    CHECK(store.cut(cursor).profile.total(0) == 3000);
    if (window % 4 == 3) CHECK(store.cut(slow).profile.total(0) == 12000);
    if (window == 9) early = store.memory_bytes();
  }
  CHECK(store.memory_bytes() < 2 * early);
}

TEST_CASE("modules are let go once every cursor has taken their rows") {
  SampleStore store{cpu_options()};
  SampleStore::Cursor cursor = store.open_cursor();
  std::weak_ptr<const Module> module;
  {
    const MappedRange range{0, 1 << 20, 0, module_named("/bin/gone")};
    module = range.module;
    for (std::uint64_t i = 0; i < 1500; ++i) add(store, range, {i});
  }
  CHECK_FALSE(module.expired());
  CHECK(store.cut(cursor).profile.total(0) == 1500);
  CHECK(module.expired());
}

TEST_CASE("beyond the memory limit known stacks still count and new ones share one frame") {
  StoreOptions options = cpu_options();
  options.max_memory = 200'000;
  SampleStore store{options};
  SampleStore::Cursor cursor = store.open_cursor();
  const MappedRange range{0, std::uint64_t{1} << 40, 0, module_named("/bin/app")};
  for (std::uint64_t i = 0; i < 20'000; ++i) add(store, range, {i, i + 1});
  const std::size_t full = store.memory_bytes();
  for (int i = 0; i < 100; ++i) add(store, range, {0, 1});
  const Profile p = store.cut(cursor).profile;
  CHECK(p.total(0) == 20'100);
  CHECK(full < 400'000);
  const auto found = rows(p);
  CHECK(found.at("[app+0x1] > [app+0x0] thread=worker tid=8") == 101);
  CHECK(found.at("[memory limit]") > 10'000);
  add(store, range, {5, 6});
  CHECK(rows(store.cut(cursor).profile).begin()->first != "[memory limit]");
}

TEST_CASE("a store without readers keeps nothing, and cursors may outlive it") {
  SampleStore::Cursor cursor;
  {
    SampleStore store{cpu_options()};
    const MappedRange range{0x1000, 0x2000, 0, module_named("/bin/app")};
    add(store, range, {0x1100});
    CHECK(store.sample_count() == 1);
    cursor = store.open_cursor();
    CHECK(store.cut(cursor).profile.sample_count() == 0);
  }
  cursor = {};
}

TEST_CASE("one writer and several readers at once lose and double nothing") {
  SampleStore store{cpu_options()};
  SampleStore::Cursor a = store.open_cursor();
  SampleStore::Cursor b = store.open_cursor();
  const auto drain = [&store](SampleStore::Cursor& cursor, const std::atomic<bool>& done) {
    std::int64_t total = 0;
    while (!done) total += store.cut(cursor).profile.total(0);
    return total + store.cut(cursor).profile.total(0);
  };
  std::atomic<bool> done = false;
  std::int64_t seen_a = 0;
  std::int64_t seen_b = 0;
  std::thread reader_a{[&] { seen_a = drain(a, done); }};
  std::thread reader_b{[&] { seen_b = drain(b, done); }};
  const MappedRange range{0, 1 << 20, 0, module_named("/bin/app")};
  for (std::uint64_t i = 0; i < 20'000; ++i) add(store, range, {i % 1000, i % 7});
  done = true;
  reader_a.join();
  reader_b.join();
  CHECK(seen_a == 20'000);
  CHECK(seen_b == 20'000);
}
