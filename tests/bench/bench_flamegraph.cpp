// SPDX-License-Identifier: Apache-2.0
// Folded stacks to an SVG, as `hprof convert` does it, and the input for it.
//   bench_flamegraph generate few|many STACKS OUT.folded   few or many distinct frames
//   bench_flamegraph convert IN.folded OUT.svg|OUT.html    prints seconds and peak memory
#include <hprof/core/base/mapped_file.h>
#include <hprof/formats/registry.h>

#include <fmt/format.h>

#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <random>
#include <string>
#include <string_view>

namespace {

using namespace hprof;

class FdSink final : public ByteSink {
 public:
  explicit FdSink(int fd) : fd_(fd) {}
  using ByteSink::write;
  Result<void> write(Bytes bytes) override {
    while (!bytes.empty()) {
      const ssize_t put = ::write(fd_, bytes.data(), bytes.size());
      if (put < 0) return system_error(errno, "write failed");
      bytes = bytes.subspan(static_cast<std::size_t>(put));
    }
    return {};
  }

 private:
  int fd_;
};

// A random tree: each stack shares a prefix with the one before it, as folded files do.
int generate(std::string_view kind, int stacks, const char* path) {
  FILE* out = fopen(path, "w");
  if (out == nullptr) return 1;
  std::mt19937_64 random{42};
  const std::uint64_t names = kind == "few" ? 150 : 20000;
  std::vector<std::string> frames;
  for (int i = 0; i < stacks; ++i) {
    const std::size_t keep = frames.empty() ? 0 : random() % std::min<std::size_t>(frames.size(), kind == "few" ? 12 : 4);
    const std::size_t depth = kind == "few" ? 8 + random() % 12 : 25;
    frames.resize(std::max<std::size_t>(keep, 1), "main");
    while (frames.size() < depth) {
      const std::uint64_t n = random() % names;
      frames.push_back(fmt::format("library_{}::Class{}::method_{}(int, char const*)", n % 17, n % 91, n));
    }
    fmt::print(out, "{} {}\n", fmt::join(frames, ";"), 1 + random() % 20);
  }
  return fclose(out);
}

Result<void> convert(const char* from, const char* to) {
  const int in = open(from, O_RDONLY | O_CLOEXEC);
  const int out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (in < 0 || out < 0) return system_error(errno, "open failed");
  const formats::Format* format = formats::format_for_output(to);
  if (format == nullptr) return Error{ErrorKind::usage, "unknown extension", ""};
  FdSource source{in};
  FdSink sink{out};
  HPROF_ASSIGN(const Profile profile,
               formats::find_format("folded")->read(source, formats::ReadOptions{}));
  return format->write(profile, sink, formats::WriteOptions{});
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc > 1 ? argv[1] : "";
  if (mode == "generate" && argc == 5) return generate(argv[2], atoi(argv[3]), argv[4]);
  if (mode != "convert" || argc != 4) return 2;
  const auto begin = std::chrono::steady_clock::now();
  if (const Result<void> done = convert(argv[2], argv[3]); !done) {
    fmt::print(stderr, "{}\n", done.error().message);
    return 1;
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  fmt::print("seconds {:.3f} peak_kib {}\n", took.count(), usage.ru_maxrss);
  return 0;
}
