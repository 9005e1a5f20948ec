// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_clock.h"
#include "tests/support/temp_folder.h"

#include <hprof/core/services/dump_engine.h>
#include <hprof/core/services/dump_service.h>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>

#include <sstream>

using namespace hprof;
using namespace std::chrono_literals;
using std::chrono::nanoseconds;

namespace {

/// "start duration total", so that a test can add up what is in the folder.
class PlainWriter final : public ProfileWriter {
 public:
  explicit PlainWriter(std::string mark = {}) : mark_(std::move(mark)) {}
  Result<void> write(const Profile& profile, ByteSink& sink) const override {
    return sink.write(fmt::format("{}{} {} {}", mark_, profile.header.time_nanos,
                                  profile.header.duration_nanos, profile.total(0)));
  }

 private:
  std::string mark_;
};

/// A kind that shows one moment: how often it was asked.
class SnapshotSource final : public ProfileSource {
 public:
  Result<RawProfile> cut() override {
    if (++count_ == fails_at) return Error{ErrorKind::failed, "busy", {}};
    RawProfile raw;
    raw.profile.add_sample_type("goroutine", "count");
    const std::int64_t values[] = {count_};
    raw.profile.add_sample(0, 0, values);
    return raw;
  }
  std::int64_t fails_at = 0;

 private:
  std::int64_t count_ = 0;
};

struct Window {
  std::int64_t start = 0;
  std::int64_t duration = 0;
  std::int64_t total = 0;
};

/// A sampled process, an engine that dumps it and a clock for both.
struct Rig {
  std::shared_ptr<test::FakeClock> clock = std::make_shared<test::FakeClock>();
  test::TempFolder temp;
  std::string folder = temp.path("dumps");
  PlainWriter proto;
  PlainWriter text1{"text1 "};
  std::vector<std::string> lines;
  std::shared_ptr<SampleStore> store = std::make_shared<SampleStore>(
      StoreOptions{{{"samples", "count"}}, {"cpu", "nanoseconds"}, 1, 0}, clock);
  DumpEngine engine{*clock, {&proto, {&text1, nullptr}}, nullptr,
                    [this](LogLevel, std::string_view line) { lines.emplace_back(line); }};
  std::int64_t samples = 0;

  Rig() { store->set_covered_until(clock->monotonic); }

  [[nodiscard]] DumpConfig config(std::vector<DumpKind> kinds = {{"cpu", 600s, 0, {}}}) const {
    DumpConfig out;
    out.folder = folder;
    out.kinds = std::move(kinds);
    out.floor = {};
    return out;
  }
  [[nodiscard]] DumpTarget target(int pid = 4242) const {
    return {pid, "prog", [s = store](const std::string& kind) -> Result<std::unique_ptr<ProfileSource>> {
              if (kind == "goroutine") return std::unique_ptr<ProfileSource>{new SnapshotSource};
              if (kind == "heap") return Error{ErrorKind::unsupported, "no allocator", "use jemalloc"};
              return std::unique_ptr<ProfileSource>{new StoreSource{s}};
            }};
  }
  void begin(const DumpConfig& c) {
    const Result<void> configured = engine.configure(c);
    REQUIRE_MESSAGE(configured, (configured ? "" : configured.error().message));
    REQUIRE(engine.add_target(target()));
  }
  /// Lets time pass in steps, one sample in each, and the engine look around after each.
  void run(nanoseconds time, nanoseconds step = 10s) {
    for (nanoseconds passed{0}; passed < time; passed += step) {
      // A sampler looks at its rings several times a second; silence would mean it is not running.
      for (nanoseconds part{0}; part < step; part += 500ms) {
        clock->pass(500ms);
        store->set_covered_until(clock->monotonic);
      }
      sample();
      engine.run_due();
    }
  }
  void sample() {
    const SampleFrame frame{0x1000, nullptr, "work"};
    const std::int64_t values[] = {1};
    StackSample one;
    one.thread = {4242, 4242, "prog", "prog"};
    one.frames = {&frame, 1};
    one.values = values;
    store->add(one);
    store->set_covered_until(clock->monotonic);
    ++samples;
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> out;
    const Result<std::vector<DumpFile>> files = find_dump_files(folder, {});
    if (files) {
      for (const DumpFile& file : *files) out.push_back(file.name.format());
    }
    return out;
  }
  [[nodiscard]] std::string text(const std::string& name) const {
    std::ifstream in{folder + "/" + name};
    std::stringstream all;
    all << in.rdbuf();
    return all.str();
  }
  [[nodiscard]] std::vector<Window> windows() const {
    std::vector<Window> out;
    for (const std::string& name : names()) {
      Window w;
      std::stringstream{text(name)} >> w.start >> w.duration >> w.total;
      out.push_back(w);
    }
    std::ranges::sort(out, {}, &Window::start);
    return out;
  }
};

std::int64_t sum(const std::vector<Window>& windows, std::int64_t Window::*member) {
  std::int64_t total = 0;
  for (const Window& w : windows) total += w.*member;
  return total;
}

void check_no_gap(const std::vector<Window>& windows) {
  for (std::size_t i = 1; i < windows.size(); ++i) {
    CHECK(windows[i].start == windows[i - 1].start + windows[i - 1].duration);
  }
}

}  // namespace

TEST_CASE("a day of ten-minute windows has no gap, no overlap, no drift and every sample") {
  Rig rig;
  const std::int64_t began = rig.clock->wall;
  rig.begin(rig.config());
  // 7 s do not divide 600: every cut is late by another bit, and none adds up.
  rig.run(24h, 7s);
  REQUIRE(rig.engine.finish());
  const std::vector<Window> windows = rig.windows();
  CHECK(windows.size() == 145);  // 144 and what was left at the end
  CHECK(windows.front().start == began);
  check_no_gap(windows);
  CHECK(sum(windows, &Window::duration) == rig.clock->wall - began);
  CHECK(sum(windows, &Window::total) == rig.samples);
  CHECK(windows[143].start - began < nanoseconds{143 * 600s + 7s}.count());
  CHECK(rig.names()[0] == fmt::format("cpu.{}.4242.pb.gz", began / 1'000'000'000));
}

TEST_CASE("interval 0 writes one file at the end") {
  Rig rig;
  rig.begin(rig.config({{"cpu", 0s, 0, {}}}));
  CHECK_FALSE(rig.engine.next_due_ns());
  rig.run(1h, 60s);
  CHECK(rig.names().empty());
  REQUIRE(rig.engine.finish());
  REQUIRE(rig.windows().size() == 1);
  CHECK(rig.windows()[0].duration == nanoseconds{1h}.count());
}

TEST_CASE("a stepped wall clock neither loses a sample nor bends a window's length") {
  Rig rig;
  rig.begin(rig.config());
  rig.run(25min);
  rig.clock->step_wall(-2h);
  rig.run(25min);
  rig.clock->step_wall(5h);
  rig.run(25min);
  REQUIRE(rig.engine.finish());
  CHECK(rig.windows().size() == 8);
  CHECK(sum(rig.windows(), &Window::duration) == nanoseconds{75min}.count());
  CHECK(sum(rig.windows(), &Window::total) == rig.samples);
}

TEST_CASE("after a long sleep one long window is written, and the old rhythm goes on") {
  Rig rig;
  rig.begin(rig.config());
  rig.clock->pass(35min);
  rig.sample();
  rig.engine.run_due();
  CHECK(rig.names().size() == 1);
  CHECK(*rig.engine.next_due_ns() == rig.clock->monotonic + nanoseconds{5min}.count());
}

TEST_CASE("retention is exact: the newest files stay") {
  Rig rig;
  DumpConfig config = rig.config();
  config.kinds[0].limits.count = 5;
  rig.begin(config);
  rig.run(200min);
  const std::vector<Window> windows = rig.windows();
  CHECK(windows.size() == 5);
  check_no_gap(windows);
  CHECK(windows.back().start + windows.back().duration == rig.clock->wall);
  CHECK(rig.engine.status().files_removed == 15);
}

TEST_CASE("below the free-space floor the history keeps its length, and it is said once") {
  Rig rig;
  rig.begin(rig.config());
  rig.run(30min);
  DumpConfig config = rig.config();
  config.floor = {101, 0};  // nothing has that much
  REQUIRE(rig.engine.configure(config));
  rig.run(60min);
  CHECK(rig.windows().size() == 3);
  CHECK(rig.windows().back().start + rig.windows().back().duration == rig.clock->wall);
  CHECK(rig.lines.size() == 1);
  CHECK(rig.lines[0].find("takes the place of the oldest") != std::string::npos);
  REQUIRE(rig.engine.configure(rig.config()));
  rig.run(10min);
  CHECK(rig.lines.size() == 2);
}

TEST_CASE("two cuts in one second do not overwrite each other") {
  Rig rig;
  rig.begin(rig.config());
  for (int i = 0; i < 3; ++i) {
    rig.clock->pass(1ms);
    rig.sample();
    rig.engine.cut_all();
  }
  const std::string base = fmt::format("cpu.{}.4242", 1'700'000'000);
  CHECK(rig.names() == std::vector<std::string>{base + ".pb.gz", base + "-2.pb.gz", base + "-3.pb.gz"});
  CHECK(sum(rig.windows(), &Window::total) == 3);
}

TEST_CASE("while nothing can be written windows wait, join and lose nothing; two lines say so") {
  Rig rig;
  const std::int64_t began = rig.clock->wall;
  rig.begin(rig.config());
  rig.run(20min);
  CHECK(rig.names().size() == 2);
  std::filesystem::rename(rig.folder, rig.temp.path("aside"));
  rig.temp.write("dumps", "in the way");
  rig.run(30min);
  REQUIRE(rig.lines.size() == 1);
  CHECK(rig.lines[0].find("windows wait in memory") != std::string::npos);
  CHECK(rig.engine.status().lanes[0].waiting);
  CHECK_FALSE(rig.engine.status().last_error.empty());
  std::filesystem::remove(rig.folder);
  std::filesystem::rename(rig.temp.path("aside"), rig.folder);
  rig.run(20min);
  REQUIRE(rig.engine.finish());
  CHECK(rig.lines.size() == 2);
  const std::vector<Window> windows = rig.windows();
  CHECK(windows.size() == 5);  // 2 before, one of 40 minutes, one of 10, an empty one at the end
  check_no_gap(windows);
  CHECK(windows[2].duration == nanoseconds{40min}.count());
  CHECK(sum(windows, &Window::duration) == rig.clock->wall - began);
  CHECK(sum(windows, &Window::total) == rig.samples);
}

TEST_CASE("a folder that vanished is made again, with its mode") {
  Rig rig;
  rig.folder = rig.temp.path("a/b/c");
  rig.begin(rig.config());
  std::filesystem::remove_all(rig.temp.path("a"));
  rig.run(10min);
  CHECK(rig.names().size() == 1);
  CHECK(rig.lines.empty());
  struct stat info = {};
  REQUIRE(::stat(rig.folder.c_str(), &info) == 0);
  CHECK((info.st_mode & 07777) == 0750);
  REQUIRE(::stat((rig.folder + "/" + rig.names()[0]).c_str(), &info) == 0);
  CHECK((info.st_mode & 07777 & ~0640U) == 0);
}

TEST_CASE("what cannot be written at the end is an error that says what is lost") {
  Rig rig;
  rig.begin(rig.config());
  rig.run(5min);
  std::filesystem::remove(rig.folder);
  rig.temp.write("dumps", "in the way");
  const Result<void> done = rig.engine.finish();
  REQUIRE_FALSE(done);
  CHECK(done.error().message.find("the last cpu window of 4242 (prog) is lost") == 0);
}

TEST_CASE("a new configuration keeps open windows, ends old kinds and begins new ones") {
  Rig rig;
  rig.begin(rig.config({{"cpu", 600s, 0, {}}, {"wall", 600s, 0, {}}}));
  rig.run(5min);
  REQUIRE(rig.engine.configure(rig.config({{"cpu", 120s, 0, {}}, {"offcpu", 60s, 0, {}}})));
  CHECK(rig.names().size() == 1);  // wall, for the last time
  rig.run(2min);
  REQUIRE(rig.engine.finish());
  std::int64_t cpu = 0;
  std::int64_t off_cpu = 0;
  std::int64_t wall = 0;
  for (const std::string& name : rig.names()) {
    Window w;
    std::stringstream{rig.text(name)} >> w.start >> w.duration >> w.total;
    (name[0] == 'c' ? cpu : name[0] == 'o' ? off_cpu : wall) += w.duration;
  }
  CHECK(cpu == nanoseconds{7min}.count());
  CHECK(wall == nanoseconds{5min}.count());
  CHECK(off_cpu == nanoseconds{2min}.count());
}

TEST_CASE("a configuration that makes no sense is refused and the old one stays") {
  Rig rig;
  rig.begin(rig.config());
  for (const DumpConfig& bad :
       {rig.config({}), rig.config({{"nosuch", 1s, 0, {}}}), rig.config({{"cpu", -1s, 0, {}}}),
        rig.config({{"cpu", 1s, 3, {}}}), rig.config({{"cpu", 1s, 0, {}}, {"cpu", 1s, 0, {}}})}) {
    const Result<void> done = rig.engine.configure(bad);
    REQUIRE_FALSE(done);
    CHECK(done.error().kind == ErrorKind::usage);
  }
  DumpConfig no_folder = rig.config();
  no_folder.folder.clear();
  CHECK_FALSE(rig.engine.configure(no_folder));
  DumpConfig impossible = rig.config();
  impossible.folder = "/proc/nowhere";
  CHECK_FALSE(rig.engine.configure(impossible));
  rig.run(10min);
  CHECK(rig.names().size() == 1);
}

TEST_CASE("a kind that cannot work says why at the start and the others go on") {
  Rig rig;
  REQUIRE(rig.engine.configure(rig.config({{"heap", 60s, 0, {}}, {"cpu", 60s, 0, {}}})));
  REQUIRE(rig.engine.add_target(rig.target()));
  REQUIRE(rig.lines.size() == 1);
  CHECK(rig.lines[0] == "4242 (prog): no heap profiles: no allocator; use jemalloc");
  rig.run(60s);
  CHECK(rig.names().size() == 1);

  Rig alone;
  REQUIRE(alone.engine.configure(alone.config({{"heap", 60s, 0, {}}})));
  const Result<void> done = alone.engine.add_target(alone.target());
  REQUIRE_FALSE(done);
  CHECK(done.error().kind == ErrorKind::unsupported);
  CHECK(done.error().message == "4242 (prog): cannot dump heap: no allocator");
  CHECK_FALSE(alone.engine.has_targets());
}

TEST_CASE("several targets have their own files; one that ends is written at once") {
  Rig rig;
  rig.begin(rig.config());
  REQUIRE(rig.engine.add_target(rig.target(77)));
  rig.run(5min);
  REQUIRE(rig.engine.remove_target(77));
  REQUIRE(rig.engine.remove_target(99));
  CHECK(rig.names().size() == 1);
  CHECK(rig.names()[0].find(".77.pb.gz") != std::string::npos);
  rig.run(5min);
  CHECK(rig.names().size() == 2);
  rig.engine.forget_target(4242);
  REQUIRE(rig.engine.finish());
  CHECK(rig.names().size() == 2);
}

TEST_CASE("debug levels give text where Go has one; windows stay pprof") {
  Rig rig;
  rig.begin(rig.config({{"cpu", 60s, 1, {}}, {"goroutine", 60s, 1, {}}}));
  rig.run(60s);
  REQUIRE(rig.names().size() == 2);
  CHECK(rig.names()[0].ends_with(".pb.gz"));
  CHECK(rig.names()[1].ends_with(".4242.txt"));
  CHECK(rig.text(rig.names()[1]).find("text1 ") == 0);
}

TEST_CASE("of snapshots that could not be written only the newest is kept") {
  Rig rig;
  rig.begin(rig.config({{"goroutine", 60s, 0, {}}}));
  std::filesystem::remove(rig.folder);
  rig.temp.write("dumps", "in the way");
  rig.run(3min);
  std::filesystem::remove(rig.folder);
  rig.run(1min);
  REQUIRE(rig.windows().size() == 1);
  CHECK(rig.windows()[0].total == 4);
}

TEST_CASE("a snapshot that fails is said and the next one is written") {
  Rig rig;
  REQUIRE(rig.engine.configure(rig.config({{"goroutine", 60s, 0, {}}})));
  DumpTarget target = rig.target();
  target.open_source = [](const std::string&) -> Result<std::unique_ptr<ProfileSource>> {
    auto source = std::make_unique<SnapshotSource>();
    source->fails_at = 1;
    return std::unique_ptr<ProfileSource>{std::move(source)};
  };
  REQUIRE(rig.engine.add_target(std::move(target)));
  rig.run(1min);
  REQUIRE(rig.lines.size() == 1);
  CHECK(rig.lines[0] == "4242 (prog): no goroutine profile this time: busy");
  rig.run(1min);
  CHECK(rig.names().size() == 1);
}

TEST_CASE("the status file tells counts, the last error and the next cut") {
  Rig rig;
  DumpConfig config = rig.config();
  config.status_file = rig.temp.path("status.json");
  rig.begin(config);
  rig.run(10min);
  std::ifstream in{config.status_file};
  std::stringstream all;
  all << in.rdbuf();
  const std::string text = all.str();
  CHECK(text.find("\"files_written\": 1") != std::string::npos);
  CHECK(text.find("\"last_error\": \"\"") != std::string::npos);
  CHECK(text.find("\"next_cut\": \"2023-11-14T22:33:20Z\"") != std::string::npos);
  CHECK(text.find("\"last_file\": \"" + rig.folder + "/cpu.1700000000.4242.pb.gz\"") !=
        std::string::npos);
}

TEST_CASE("stale temporary files of a killed writer go at the start, fresh and foreign ones stay") {
  Rig rig;
  REQUIRE(::mkdir(rig.folder.c_str(), 0750) == 0);
  const std::string stale = ".cpu.1.2.pb.gz.0123456789abcdef.tmp";
  const std::string fresh = ".cpu.2.2.pb.gz.0123456789abcdef.tmp";
  const std::string foreign = ".notes.0123456789abcdef.tmp";
  for (const std::string& name : {stale, fresh, foreign}) {
    std::ofstream{rig.folder + "/" + name} << "x";
  }
  const timespec long_ago[2] = {{1000, 0}, {1000, 0}};
  REQUIRE(::utimensat(AT_FDCWD, (rig.folder + "/" + stale).c_str(), long_ago, 0) == 0);
  REQUIRE(::utimensat(AT_FDCWD, (rig.folder + "/" + foreign).c_str(), long_ago, 0) == 0);
  REQUIRE(rig.engine.configure(rig.config()));
  CHECK_FALSE(std::filesystem::exists(rig.folder + "/" + stale));
  CHECK(std::filesystem::exists(rig.folder + "/" + fresh));
  CHECK(std::filesystem::exists(rig.folder + "/" + foreign));
}

TEST_CASE("a running service cuts on its own, on demand and at the end") {
  const test::TempFolder temp;
  const SystemClock clock;
  const PlainWriter proto;
  auto store = std::make_shared<SampleStore>(
      StoreOptions{{{"samples", "count"}}, {"cpu", "nanoseconds"}, 1, 0});
  DumpConfig config;
  config.folder = temp.path("dumps");
  config.kinds = {{"cpu", 50ms, 0, {}}};
  config.floor = {};
  DumpService::Parts parts;
  parts.clock = &clock;
  parts.formats.proto = &proto;
  std::atomic<int> beats = 0;
  parts.heartbeat = [&beats] { ++beats; };
  DumpService service{config, parts};
  REQUIRE(service.start());
  REQUIRE(service.start());
  const auto began = std::chrono::steady_clock::now();
  REQUIRE(service.add_target({1, "x", [&store](const std::string&) {
                                return Result<std::unique_ptr<ProfileSource>>{
                                    std::make_unique<StoreSource>(store)};
                              }}));
  while (service.dump_status().files_written < 5) std::this_thread::sleep_for(5ms);
  CHECK(std::chrono::steady_clock::now() - began >= 250ms);
  const auto before = service.dump_status().files_written;
  service.cut_now();
  CHECK(service.dump_status().files_written >= before + 1);
  config.kinds[0].interval = 1h;
  REQUIRE(service.configure(config));
  CHECK(service.status().find(" files in " + config.folder) != std::string::npos);
  const auto last = service.dump_status().files_written;
  CHECK(service.state() == ServiceState::running);
  REQUIRE(service.stop());
  REQUIRE(service.stop());
  CHECK(service.state() == ServiceState::stopped);
  CHECK(service.dump_status().files_written == last + 1);
  CHECK(beats > 0);
}
