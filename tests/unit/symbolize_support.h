// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/elf/elf_image.h"

#include <hprof/symbolize/symbolizer.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hprof::symbolize_test {

/// A folder that is removed at the end of its scope.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string operator/(std::string_view name) const {
    return path_ + "/" + std::string(name);
  }
  /// Writes a file in the folder and returns its path.
  std::string write(std::string_view name, std::string_view text) const;

 private:
  std::string path_;
};

/// What a shell command prints; `input` goes to its standard input.
std::string output_of(const std::string& command, std::string_view input = {});
/// True if the shell finds the tool.
bool has_tool(const std::string& name);
/// Runs a shell command; true if it ends with 0.
bool run(const std::string& command);

struct NamedFrame {
  std::string name;  ///< as in the symbol table
  std::string file;
  long line = 0;
  long start_line = 0;
  bool operator==(const NamedFrame&) const = default;
};
using NamedFrames = std::vector<NamedFrame>;

/// Frames of virtual addresses of an ELF file by the product, in the order of `addresses`.
std::vector<NamedFrames> name_addresses(const std::string& file,
                                        const std::vector<std::uint64_t>& addresses,
                                        symbolize::SymbolizerOptions options);
std::vector<NamedFrames> name_addresses(const std::string& file,
                                        const std::vector<std::uint64_t>& addresses);

/// The same by a tool with the output of `addr2line -aif`.
std::vector<NamedFrames> name_by_tool(const std::string& tool, const std::string& file,
                                      const std::vector<std::uint64_t>& addresses);

/// Every function start of a file, and addresses spread over its .text.
std::vector<std::uint64_t> code_addresses(const std::string& file, std::size_t count);

}  // namespace hprof::symbolize_test
