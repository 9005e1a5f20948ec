// SPDX-License-Identifier: Apache-2.0
#include "symbolize/jit/jit_names.h"
#include "symbolize/jit/jitdump.h"
#include "symbolize/jit/perf_map.h"
#include "symbolize_support.h"

#include <doctest/doctest.h>

#include <string.h>

using namespace hprof;
using namespace hprof::symbolize;
using namespace hprof::symbolize_test;

namespace {

std::vector<std::string> names_of(const std::vector<Frames>& frames) {
  std::vector<std::string> out;
  for (const Frames& f : frames) out.push_back(f.empty() ? "-" : f.front().name);
  return out;
}

std::vector<std::string> by_map(std::string_view text,
                                const std::vector<std::uint64_t>& addresses) {
  std::vector<Frames> frames(addresses.size());
  name_by_perf_map(as_bytes(text), addresses, frames);
  return names_of(frames);
}

// Writes a jitdump in either byte order.
class Dump {
 public:
  explicit Dump(bool big) : big_(big) {
    u32(0x4a695444), u32(1), u32(40), u32(62), u32(0), u32(7), u64(0), u64(0);
  }
  void load(std::uint64_t address, std::uint64_t size, std::uint64_t index, std::string_view name) {
    record(0, [&](Dump& d) {
      d.u32(7), d.u32(7), d.u64(address), d.u64(address), d.u64(size), d.u64(index);
      d.text(name);
      d.bytes_.append(size, '\x90');
    });
  }
  void move(std::uint64_t from, std::uint64_t to, std::uint64_t size, std::uint64_t index) {
    record(1, [&](Dump& d) {
      d.u32(7), d.u32(7), d.u64(to), d.u64(from), d.u64(to), d.u64(size), d.u64(index);
    });
  }
  struct LineAt {
    std::uint64_t address;
    std::uint32_t line;
    std::string_view file;
  };
  void lines(std::uint64_t address, const std::vector<LineAt>& lines) {
    record(2, [&](Dump& d) {
      d.u64(address), d.u64(lines.size());
      for (const LineAt& l : lines) d.u64(l.address), d.u32(l.line), d.u32(0), d.text(l.file);
    });
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  template <typename Fill>
  void record(std::uint32_t id, Fill fill) {
    const std::size_t start = bytes_.size();
    u32(id), u32(0), u64(start);
    fill(*this);
    Dump size{big_};
    size.bytes_.clear();
    size.u32(static_cast<std::uint32_t>(bytes_.size() - start));
    bytes_.replace(start + 4, 4, size.bytes_);
  }
  template <typename T>
  void number(T value) {
    if (big_) value = byteswap(value);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void u32(std::uint32_t value) { number(value); }
  void u64(std::uint64_t value) { number(value); }
  void text(std::string_view text) { bytes_.append(text).append(1, '\0'); }

  bool big_;
  std::string bytes_;
};

}  // namespace

TEST_CASE("a perf map names its ranges; later lines win, also where they only overlap") {
  const std::string_view map =
      "1000 100 first\n"
      "0x2000 0x10 LazyCompile:*run /a b.js:1:2\n"
      "1080 10 second\n"
      "not a line\n"
      "3000 zz broken\n"
      "1000 20 third";
  CHECK(by_map(map,
               {0xfff, 0x1000, 0x101f, 0x1020, 0x1085, 0x1090, 0x10ff, 0x1100, 0x2005, 0x3000}) ==
        std::vector<std::string>{"-", "third", "third", "first", "second", "first", "first", "-",
                                 "LazyCompile:*run /a b.js:1:2", "-"});
  CHECK(by_map("ffffffffffffff00 ffff top\r\n", {0xffffffffffffff80}) ==
        std::vector<std::string>{"top"});
}

TEST_CASE("a jitdump of either byte order names code, follows moves and knows lines") {
  for (const bool big : {false, true}) {
    CAPTURE(big);
    Dump dump{big};
    dump.lines(0x1000, {{0x1000, 10, "a.py"}, {0x1010, 11, "\xff"}, {0x1020, 12, "b.py"}});
    dump.load(0x1000, 0x40, 1, "py::f:a.py");
    dump.load(0x2000, 0x40, 2, "g");
    dump.move(0x1000, 0x5000, 0x40, 1);
    dump.load(0x1000, 0x20, 3, "h");
    const std::vector<std::uint64_t> addresses{0x1004, 0x1024, 0x2000, 0x2040, 0x5012, 0x5021};
    std::vector<Frames> frames(addresses.size());
    name_by_jitdump(as_bytes(dump.bytes()), addresses, frames);
    CHECK(names_of(frames) ==
          std::vector<std::string>{"h", "py::f:a.py", "g", "-", "py::f:a.py", "py::f:a.py"});
    CHECK(frames[1].front().file == "b.py");
    CHECK(frames[1].front().line == 12);
    CHECK(frames[4].front().file == "a.py");
    CHECK(frames[4].front().line == 11);
    CHECK(frames[5].front().line == 12);
    // Cut anywhere, as when the program is still writing: what is whole counts.
    std::vector<Frames> early(addresses.size());
    for (std::size_t size = 0; size < dump.bytes().size(); ++size) {
      name_by_jitdump(as_bytes(dump.bytes()).first(size), addresses, early);
    }
    CHECK(names_of(early)[2] == "g");
  }
}

TEST_CASE("the perf map of a container is found by its own pid, in its own root") {
  TemporaryFolder proc;
  proc.write("77/status", "Name:\tnode\nPid:\t77\nPPid:\t1\nNSpid:\t77\t5\n");
  proc.write("77/stat", "77 (node) S 1 77 77 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 100 0 0\n");
  proc.write("77/root/tmp/perf-5.map", "1000 10 inner\n");
  proc.write("77/root/tmp/perf-77.map", "1000 10 wrong\n");
  const std::vector<std::uint64_t> addresses{0x1008};
  std::vector<Frames> frames(1);
  name_jit_code(proc.path(), 77, addresses, frames);
  CHECK(names_of(frames) == std::vector<std::string>{"inner"});

  Dump dump{false};
  dump.load(0x1000, 0x10, 1, "dumped");
  proc.write("77/root/var/cache/jit-5.dump", dump.bytes());
  proc.write("77/maps", "7f00-7f01 r-xp 00000000 00:00 0    /var/cache/jit-5.dump\n");
  name_jit_code(proc.path(), 77, addresses, frames);
  CHECK(names_of(frames) == std::vector<std::string>{"dumped"});

  std::vector<Frames> none(1);
  CHECK(name_jit_code(proc.path(), 4000000, addresses, none).find("perf-basic-prof") !=
        std::string::npos);
  CHECK(none.front().empty());
}
