// SPDX-License-Identifier: Apache-2.0
// A fixed amount of work for cost measurements: argv[1] threads each do argv[2] rounds of recursion,
// hashing and allocation, then the program prints the CPU seconds it took (user + system).
#include <sys/resource.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace {

[[gnu::noinline]] std::uint64_t descend(int depth, std::uint64_t value) {
  if (depth == 0) return value * 6364136223846793005ULL + 1;
  const std::uint64_t below = descend(depth - 1, value + 1);
  return below ^ (below >> 7);
}

[[gnu::noinline]] std::uint64_t count_words(std::uint64_t seed) {
  std::unordered_map<std::string, int> words;
  for (std::uint64_t i = 0; i < 300; ++i) ++words["w" + std::to_string((seed + i * i) % 97)];
  return words.size();
}

void work(int rounds) {
  std::uint64_t sum = 0;
  for (int i = 0; i < rounds; ++i) {
    for (int j = 0; j < 200; ++j) sum += descend(20, sum);
    sum += count_words(sum);
  }
  static volatile std::uint64_t sink = 0;
  sink = sink + sum;
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 2;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 20000;
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(work, rounds);
  for (std::thread& thread : threads) thread.join();
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("%.6f\n", static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                            static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6);
  return 0;
}
