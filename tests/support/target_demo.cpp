// SPDX-License-Identifier: Apache-2.0
// The program of scripts/try.sh: three threads with known work, until it is killed.
//   shop::index_words   about half of the time
//   shop::checksum      about a third
//   shop::sort_orders   the rest
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace shop {

volatile std::uint64_t sink = 0;

[[gnu::noinline]] void index_words(std::mt19937& random) {
  std::map<std::string, int> index;
  for (int i = 0; i < 2000; ++i) ++index["word" + std::to_string(random() % 500)];
  sink = sink + index.size();
}

[[gnu::noinline]] void checksum(std::mt19937& random) {
  std::uint64_t sum = random();
  for (int i = 0; i < 400000; ++i) sum = sum * 6364136223846793005ULL + 1442695040888963407ULL;
  sink = sink + sum;
}

[[gnu::noinline]] void sort_orders(std::mt19937& random) {
  std::vector<std::uint32_t> orders(5000);
  std::ranges::generate(orders, std::ref(random));
  std::ranges::sort(orders);
  sink = sink + orders.front();
}

// Works for `busy_ms` of each 60 ms.
void worker(void (*work)(std::mt19937&), int busy_ms) {
  std::mt19937 random{42};
  for (;;) {
    const auto start = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - start < std::chrono::milliseconds{busy_ms}) {
      work(random);
    }
    std::this_thread::sleep_until(start + std::chrono::milliseconds{60});
  }
}

}  // namespace shop

int main() {
  std::thread index{shop::worker, shop::index_words, 30};
  std::thread check{shop::worker, shop::checksum, 20};
  shop::worker(shop::sort_orders, 10);
}
