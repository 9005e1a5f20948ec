// SPDX-License-Identifier: Apache-2.0
#include "commands.h"

#include <fmt/format.h>

#include <exception>

int main(int argc, char** argv) {
  try {
    return hprof::cli::run_program(argc, argv);
  } catch (const std::exception& problem) {
    fmt::print(stderr, "hprof: internal error: {}\n", problem.what());
    return 70;
  }
}
