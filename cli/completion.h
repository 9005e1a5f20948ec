// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace hprof::cli {

// Scripts that complete hprof's commands, everyday flags and their words; made from the tables.

std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

}  // namespace hprof::cli
