// SPDX-License-Identifier: Apache-2.0
// A program that knows hprof only as an installed package. `outside FOLDER`: writes, reads and
// writes again a small profile. `outside FOLDER PID`: takes a CPU profile of a process as well.
#include <hprof/hprof.h>

#include <cstdio>
#include <cstdlib>

namespace {

using namespace std::chrono_literals;

hprof::Profile small_profile() {
  hprof::Profile profile;
  profile.add_sample_type("cpu", "nanoseconds");
  const hprof::Line line{profile.intern_function("outer"), 0, 0};
  const hprof::StackId stack = profile.intern_stack(0, profile.intern_location(0, 0, {&line, 1}));
  const std::int64_t value = 7;
  profile.add_sample(stack, 0, {&value, 1});
  return profile;
}

int report(const hprof::Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return 1;
}

int round_trip(const std::string& folder) {
  if (const auto saved = hprof::save_profile(small_profile(), folder + "/a.pb.gz"); !saved) {
    return report(saved.error());
  }
  const auto loaded = hprof::load_profile(folder + "/a.pb.gz");
  if (!loaded) return report(loaded.error());
  const auto saved = hprof::save_profile(*loaded, folder + "/a.folded");
  return saved ? 0 : report(saved.error());
}

int record(const std::string& folder, int pid) {
  const auto profile = hprof::record_cpu({.pids = {pid}, .duration = 500ms, .rate = 499});
  if (!profile) return report(profile.error());
  const auto saved = hprof::save_profile(*profile, folder + "/live.folded");
  return saved ? 0 : report(saved.error());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const int status = round_trip(argv[1]);
  return status != 0 || argc < 3 ? status : record(argv[1], std::atoi(argv[2]));
}
