// SPDX-License-Identifier: Apache-2.0
// hprof_docs PROSE OUT: renders every man page and completion script from the tables of the program
// and the prose in the folder PROSE, into the folder OUT. Runs while hprof is built.
#include "commands.h"
#include "completion.h"
#include "man_page.h"

#include <hprof/core/base/atomic_file.h>

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace {

using namespace hprof;  // NOLINT(google-build-using-namespace): a program, no header
namespace fs = std::filesystem;

/// The text of a file, empty if there is none.
std::string prose_of(const fs::path& folder, std::string_view name) {
  const std::ifstream in(folder / fmt::format("{}.in", name));
  std::ostringstream text;
  if (in) text << in.rdbuf();
  return text.str();
}

Result<void> put(const fs::path& path, std::string_view text) {
  std::error_code problem;
  fs::create_directories(path.parent_path(), problem);
  HPROF_ASSIGN(AtomicFile file, AtomicFile::create(path.native()));
  HPROF_TRY(file.write(text));
  return file.commit();
}

Result<void> render(const fs::path& prose, const fs::path& out) {
  HPROF_TRY(put(out / "man1/hprof.1", cli::program_page(prose_of(prose, "hprof"))));
  for (const cli::Command& command : cli::all_commands()) {
    const std::string name = fmt::format("hprof-{}", command.name);
    const std::string page = cli::command_page(command, prose_of(prose, name));
    HPROF_TRY(put(out / "man1" / (name + ".1"), page));
  }
  HPROF_TRY(put(out / "bash/hprof", cli::bash_completion()));
  HPROF_TRY(put(out / "zsh/_hprof", cli::zsh_completion()));
  return put(out / "fish/hprof.fish", cli::fish_completion());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: hprof_docs PROSE OUT\n");
    return 2;
  }
  const auto done = render(argv[1], argv[2]);
  if (!done) fmt::print(stderr, "hprof_docs: {}\n", done.error().message);
  return done ? 0 : 1;
}
