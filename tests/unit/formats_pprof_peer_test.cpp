// SPDX-License-Identifier: Apache-2.0
// Merge, diff and filters against google/pprof itself: `pprof -proto` with the same flags must give
// the same stacks, labels and values.
#include <hprof/core/base/mapped_file.h>
#include <hprof/core/profile/diff.h>
#include <hprof/core/profile/filter.h>
#include <hprof/core/profile/granularity.h>
#include <hprof/core/profile/merge.h>
#include <hprof/formats/pprof.h>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

using namespace hprof;  // NOLINT(google-build-using-namespace)

namespace {

namespace fs = std::filesystem;

// stack and labels as text, to values
using Canon = std::map<std::string, std::vector<std::int64_t>>;

std::string location_text(const Profile& p, LocationId id) {
  const Location& l = p.location(id);
  std::string out = fmt::format("{:#x}@{}", l.address,
                                l.mapping == 0 ? "" : p.string(p.mapping(l.mapping).filename));
  for (const Line& line : p.lines(id)) {
    const Function& f = p.function(line.function);
    out += fmt::format("|{}~{}~{}~{}:{}", p.string(f.name), p.string(f.system_name),
                       p.string(f.filename), f.start_line, line.line);
  }
  return out;
}

std::string label_text(const Profile& p, LabelSetId set) {
  std::multimap<std::string, std::string> parts;
  for (const Label& l : p.labels(set)) {
    // The reference drops labels that hold nothing but zeros.
    if (l.is_number ? l.number == 0 && l.unit == 0 : l.text == 0) continue;
    parts.emplace(p.string(l.key), l.is_number ? fmt::format("#{}{}", l.number, p.string(l.unit))
                                               : std::string{p.string(l.text)});
  }
  std::string out;
  for (const auto& [key, value] : parts) out += fmt::format("[{}={}]", key, value);
  return out;
}

Canon canonical(const Profile& p) {
  Canon out;
  std::vector<LocationId> stack;
  for (std::uint32_t row = 0; row < p.sample_count(); ++row) {
    p.stack_leaf_first(p.sample_stack(row), stack);
    std::string key = label_text(p, p.sample_labels(row));
    for (const LocationId id : stack) key += ";" + location_text(p, id);
    std::vector<std::int64_t>& values = out[key];
    values.resize(p.sample_types().size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += p.value(i, row);
  }
  std::erase_if(out, [](const auto& entry) {
    for (const std::int64_t value : entry.second) {
      if (value != 0) return false;
    }
    return true;
  });
  return out;
}

std::string peer_command() {
  if (std::system("command -v pprof >/dev/null 2>&1") == 0) return "pprof";
  if (std::system("go tool pprof -h >/dev/null 2>&1 || command -v go >/dev/null 2>&1") == 0) {
    return "go tool pprof";
  }
  return {};
}

Profile load(const std::string& path) {
  Result<MappedFile> file = MappedFile::open(path);
  REQUIRE_MESSAGE(file.has_value(), path);
  MemorySource source{file->bytes()};
  Result<Profile> p = formats::read_profile(source, path, nullptr, {});
  REQUIRE_MESSAGE(p.has_value(), path << ": " << p.error().message);
  return *std::move(p);
}

// An empty result of the peer means that it refused.
std::string run_peer(const std::string& peer, const std::string& flags) {
  const std::string out = (fs::temp_directory_path() / fmt::format("hprof-peer-{}.pb.gz",
                                                                   std::rand())).string();
  const std::string command = fmt::format("{} -proto -symbolize=none -output={} {} >/dev/null 2>&1",
                                          peer, out, flags);
  if (std::system(command.c_str()) != 0) return {};
  return out;
}

void compare(const Profile& ours, const std::string& peer, const std::string& flags) {
  const std::string out = run_peer(peer, flags);
  REQUIRE_MESSAGE(!out.empty(), flags);
  const Canon want = canonical(load(out));
  fs::remove(out);
  const Canon got = canonical(ours);
  CHECK_MESSAGE(got.size() == want.size(), flags);
  std::size_t shown = 0;
  for (const auto& [key, values] : want) {
    const auto found = got.find(key);
    const bool same = found != got.end() && found->second == values;
    if (!same && shown++ < 3) {
      CHECK_MESSAGE(same, flags << "\n" << key << (found == got.end() ? " is missing" : " differs"));
    }
  }
}

const std::vector<std::string>& corpus() {
  static const std::vector<std::string> files = [] {
    std::vector<std::string> out;
    for (const char* name :
         {"parca/fib.pb.gz", "parca/alloc_objects.pb.gz", "parca/profile-with-labels.pb.gz"}) {
      const std::string path = fmt::format("{}/corpus/{}", HPROF_SHARED, name);
      if (fs::exists(path)) out.push_back(path);
    }
    return out;
  }();
  return files;
}

struct Case {
  std::string flags;
  FilterOptions options;
};

std::vector<Case> cases() {
  std::vector<Case> out;
  const auto add = [&](std::string flags, auto set) {
    Case c;
    c.flags = std::move(flags);
    set(c.options);
    out.push_back(std::move(c));
  };
  add("", [](FilterOptions&) {});
  add("-focus=main", [](FilterOptions& o) { o.focus = "main"; });
  add("-ignore=runtime", [](FilterOptions& o) { o.ignore = "runtime"; });
  add("-focus=main -ignore=malloc", [](FilterOptions& o) { o.focus = "main", o.ignore = "malloc"; });
  add("-hide=runtime", [](FilterOptions& o) { o.hide = "runtime"; });
  add("-show=main", [](FilterOptions& o) { o.show = "main"; });
  add("'-show=main|runtime' '-hide=goexit|mstart'",
      [](FilterOptions& o) { o.show = "main|runtime", o.hide = "goexit|mstart"; });
  add("-show_from=main", [](FilterOptions& o) { o.show_from = "main"; });
  add("'-prune_from=malloc|main'", [](FilterOptions& o) { o.prune_from = "malloc|main"; });
  add("-tagroot=bytes,thread", [](FilterOptions& o) { o.tag_root = {"bytes", "thread"}; });
  add("-tagleaf=bytes,labelkey -tagroot=thread_id", [](FilterOptions& o) {
    o.tag_leaf = {"bytes", "labelkey"};
    o.tag_root = {"thread_id"};
  });
  add("-tagfocus=4kb:64kb", [](FilterOptions& o) { o.tag_focus = "4kb:64kb"; });
  add("-tagfocus=bytes=:1kb", [](FilterOptions& o) { o.tag_focus = "bytes=:1kb"; });
  add("-tagignore=16b:", [](FilterOptions& o) { o.tag_ignore = "16b:"; });
  add("-tagfocus=thread_id:2756,parca", [](FilterOptions& o) { o.tag_focus = "thread_id:2756,parca"; });
  add("-tagignore=thread_id=27561,2764", [](FilterOptions& o) { o.tag_ignore = "thread_id=27561,2764"; });
  add("-taghide=bytes", [](FilterOptions& o) { o.tag_hide = "bytes"; });
  add("-tagshow=thread_n", [](FilterOptions& o) { o.tag_show = "thread_n"; });
  return out;
}

}  // namespace

TEST_CASE("filters give what google/pprof gives") {
  const std::string peer = peer_command();
  if (peer.empty() || corpus().empty()) {
    MESSAGE("skipped: no pprof or go, or no corpus beside the checkout");
    return;
  }
  for (const std::string& path : corpus()) {
    const bool allocations = path.find("alloc") != std::string::npos;
    for (Case& c : cases()) {
      // The peer takes a moment to start: each filter where it has something to do.
      if (allocations != (c.flags.find('b') != std::string::npos)) continue;
      Profile p = load(path);
      c.options.prune = true;
      REQUIRE(filter_profile(p, c.options, nullptr).has_value());
      compare(p, peer, c.flags + " " + path);
    }
  }
}

TEST_CASE("dropping inlines gives what google/pprof gives") {
  const std::string peer = peer_command();
  if (peer.empty() || corpus().empty()) {
    MESSAGE("skipped: no pprof or go, or no corpus beside the checkout");
    return;
  }
  for (const std::string& path : corpus()) {
    Profile p = load(path);
    aggregate(p, {.no_inlines = true});
    compare(p, peer, "-noinlines " + path);
  }
}

TEST_CASE("merge and both diffs give what google/pprof gives") {
  const std::string peer = peer_command();
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(std::string{HPROF_SHARED} + "/corpus/parca/many", error)) {
    files.push_back(entry.path().string());
  }
  if (peer.empty() || files.size() < 4) {
    MESSAGE("skipped: no pprof or go, or no corpus beside the checkout");
    return;
  }
  std::sort(files.begin(), files.end());
  ProfileMerger merger;
  std::string list;
  for (const std::string& path : files) {
    REQUIRE(merger.add(load(path)).has_value());
    list += " " + path;
  }
  Result<Profile> sum = merger.finish();
  REQUIRE(sum.has_value());
  compare(*sum, peer, list);

  const Profile base = load(files[0]);
  const Profile next = load(files.back());
  const std::string pair = "=" + files[0] + " " + files.back();
  for (const bool normalize : {false, true}) {
    const std::string extra = normalize ? "-normalize " : "";
    const Result<Profile> minus = diff_profiles(next, base, DiffKind::subtract, normalize);
    REQUIRE(minus.has_value());
    compare(*minus, peer, extra + "-base" + pair);
    const Result<Profile> both = diff_profiles(next, base, DiffKind::compare, normalize);
    REQUIRE(both.has_value());
    compare(*both, peer, extra + "-diff_base" + pair);
    CHECK(percent_total(*both, 0) == base.total(0, true));
  }
}
