// SPDX-License-Identifier: Apache-2.0
// Runs a fuzzer's function over its corpus folder, and over fixed mutations of each file: every
// truncation of small files, and bytes flipped by a fixed generator.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Input = std::vector<std::uint8_t>;

std::size_t run_mutations(const Input& input) {
  std::size_t runs = 0;
  const std::size_t step = std::max<std::size_t>(1, input.size() / 64);
  for (std::size_t cut = 0; cut < input.size(); cut += step, ++runs) {
    const Input shorter(input.begin(), input.begin() + static_cast<std::ptrdiff_t>(cut));
    LLVMFuzzerTestOneInput(shorter.data(), shorter.size());
  }
  std::mt19937 random{static_cast<unsigned>(input.size())};
  for (int i = 0; i < 200 && !input.empty(); ++i, ++runs) {
    Input changed = input;
    const int flips = 1 + i % 8;
    for (int f = 0; f < flips; ++f) {
      changed[random() % changed.size()] = static_cast<std::uint8_t>(random());
    }
    LLVMFuzzerTestOneInput(changed.data(), changed.size());
  }
  return runs;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::filesystem::path> files;
  for (int i = 1; i < argc; ++i) {
    std::error_code error;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[i], error)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  std::size_t runs = 1;
  LLVMFuzzerTestOneInput(nullptr, 0);
  for (const auto& file : files) {
    std::ifstream stream(file, std::ios::binary);
    const Input input{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    LLVMFuzzerTestOneInput(input.data(), input.size());
    runs += 1 + run_mutations(input);
  }
  std::printf("%zu files, %zu runs\n", files.size(), runs);
  if (files.empty()) {
    std::fprintf(stderr, "no corpus\n");
    return 1;
  }
  return 0;
}
