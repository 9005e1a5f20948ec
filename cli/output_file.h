// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/atomic_file.h>
#include <hprof/core/profile/profile.h>
#include <hprof/formats/registry.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hprof::cli {

/// One file that a command is asked to write.
struct OutputFile {
  std::string path;  ///< "-": stdout
  const formats::Format* format = nullptr;

  [[nodiscard]] bool is_stdout() const { return path == "-"; }
};

/// What stands for the letters of a pattern in a file name.
struct NameFields {
  std::string pid;           ///< %p
  std::string name;          ///< %n
  std::string kind;          ///< %k
  std::string host;          ///< %h
  std::int64_t time_ns = 0;  ///< %t, since 1970, shown as UTC
};

/// "20261130T175254Z".
std::string utc_stamp(std::int64_t time_ns);

/// `pattern` with its letters filled in; "%%" is a percent sign. Fields lose slashes and control
/// characters: a program may be called anything. Errors: usage for an unknown letter.
Result<std::string> fill_pattern(std::string_view pattern, const NameFields& fields);

/// The format of each file: --format if given, else by extension; stdout needs no extension and is
/// pprof. Errors: usage for an unknown name or extension, with the known ones, and for a file that
/// is named twice.
Result<std::vector<OutputFile>> choose_formats(std::span<const std::string> paths,
                                               std::string_view format_name);

/// Whether `file` can be written at all, before the work begins.
/// Errors: usage for binary data to a terminal, else what the kernel says of the folder.
Result<void> probe_output(const OutputFile& file);

/// Encodes `profile` and gives the file its name; under sudo it belongs to the calling user.
/// `abandoned` is asked now and then; once true, nothing is left behind and the error is `failed`.
Result<void> write_output(const OutputFile& file, const Profile& profile,
                          const formats::WriteOptions& options,
                          const std::function<bool()>& abandoned = {});

/// Options of an atomic file for what a user is given: owned by who called sudo.
AtomicFileOptions user_file_options();

/// Writes text to stdout, all of it. Errors: what write(2) says.
Result<void> write_stdout(std::string_view text);

}  // namespace hprof::cli
