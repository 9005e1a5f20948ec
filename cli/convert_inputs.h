// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "options.h"

#include <hprof/core/base/mapped_file.h>
#include <hprof/core/base/stream.h>
#include <hprof/core/base/unique_fd.h>
#include <hprof/core/profile/profile.h>
#include <hprof/formats/registry.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hprof::cli {

/// An input of convert: a file, mapped where it can be, or stdin for "-".
class InputFile {
 public:
  /// Errors: what the kernel says; usage for a folder.
  static Result<InputFile> open(const std::string& path);

  [[nodiscard]] ByteSource& source() { return *source_; }
  /// For messages.
  [[nodiscard]] std::string_view name() const {
    return path_ == "-" ? std::string_view{"stdin"} : std::string_view{path_};
  }

 private:
  std::string path_;
  std::unique_ptr<MappedFile> mapped_;
  UniqueFd fd_;
  std::unique_ptr<ByteSource> source_;
};

/// What reading gave.
struct ReadInputs {
  Profile profile;
  const formats::Format* format = nullptr;  ///< of the first file
  std::size_t files = 0;
};

/// `paths` with each dump folder replaced by its files of --kind between --since and --until.
/// Errors: nothing_recorded if a folder has none; usage if it holds several kinds and none is named.
Result<std::vector<std::string>> expand_folders(const std::vector<std::string>& paths,
                                                const ConvertOptions& options,
                                                std::optional<std::int64_t> since_ns,
                                                std::optional<std::int64_t> until_ns);

/// Reads all files and adds them up, one at a time. Errors begin with the file's name.
Result<ReadInputs> read_inputs(const std::vector<std::string>& paths,
                               const formats::Format* format, const formats::ReadOptions& options);

}  // namespace hprof::cli
