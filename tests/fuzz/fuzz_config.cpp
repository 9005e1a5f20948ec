// SPDX-License-Identifier: Apache-2.0
#include "cli/config_file.h"
#include "cli/print_config.h"

#include <hprof/core/base/bytes.h>

// Whatever a config file holds, it is applied or refused with a place; what is then printed reads
// back.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hprof;
  const std::string text{reinterpret_cast<const char*>(data), size};
  cli::LoadedOptions loaded;
  const auto done = cli::apply_config_text(text, "fuzz.toml", loaded);
  if (!done) {
    HPROF_CHECK(done.error().kind == ErrorKind::malformed_input);
    return 0;
  }
  const cli::Command& command = *cli::find_command("record");
  const std::string printed = cli::print_config(command, loaded);
  cli::LoadedOptions again;
  HPROF_CHECK(cli::apply_config_text(printed, "again.toml", again).has_value());
  HPROF_CHECK(cli::print_config(command, again).size() > 0);
  return 0;
}
