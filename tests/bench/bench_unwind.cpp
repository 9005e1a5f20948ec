// SPDX-License-Identifier: Apache-2.0
// Time of one warm unwind of a stack of 20 frames, recorded from a stopped child, and of other
// kinds of stack. Usage: bench_unwind [path of target_unwind]
#include "tests/unit/stopped_process.h"

#include <hprof/symbolize/table_unwinder.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace {

using hprof::testing::StoppedProcess;
using hprof::testing::VmReader;

void measure(const std::string& program, const char* kind) {
  const auto process = StoppedProcess::start({program, kind});
  if (process == nullptr || !process->stop()) {
    fmt::print("{}: cannot be stopped here\n", kind);
    return;
  }
  VmReader live{process->pid()};
  const auto unwinder = hprof::symbolize::make_unwinder();
  std::vector<std::uint64_t> frames;
  const auto once = [&] {
    frames.clear();
    return unwinder->unwind(process->space, process->registers, process->stack(), &live, 8192,
                            frames);
  };
  const auto clock = [] { return std::chrono::steady_clock::now(); };
  const auto cold = clock();
  const bool root = once() == hprof::UnwindEnd::root;
  const std::chrono::duration<double, std::micro> first = clock() - cold;
  // The best of some runs: other work on the machine only ever adds.
  double best = 1e18;
  const int count = frames.size() > 100 ? 200 : 20000;
  for (int run = 0; run < 10; ++run) {
    const auto start = clock();
    for (int i = 0; i < count; ++i) once();
    const std::chrono::duration<double, std::nano> spent = clock() - start;
    best = std::min(best, spent.count() / count);
  }
  fmt::print("{:10} {:5} frames{} first {:9.1f} us, warm {:9.1f} ns, {:6.1f} ns a frame\n", kind,
             frames.size(), root ? " to the root," : " TRUNCATED,  ", first.count(), best,
             best / static_cast<double>(frames.size()));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string program = argc > 1 ? argv[1] : HPROF_SUPPORT_DIR "/target_unwind";
  for (const char* kind : {"twenty", "signal", "qsort", "large", "deep"}) measure(program, kind);
  return 0;
}
