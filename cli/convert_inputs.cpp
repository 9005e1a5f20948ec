// SPDX-License-Identifier: Apache-2.0
#include "convert_inputs.h"

#include <hprof/core/profile/merge.h>
#include <hprof/core/services/dump_file.h>

#include <fmt/format.h>

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <set>

namespace hprof::cli {
namespace {

bool is_folder(const std::string& path) {
  struct stat status {};
  return path != "-" && ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

Result<std::vector<std::string>> files_of_folder(const std::string& folder,
                                                 const DumpFilter& filter) {
  HPROF_ASSIGN(const std::vector<DumpFile> files, find_dump_files(folder, filter));
  std::vector<std::string> paths;
  std::set<std::string> kinds;
  for (const DumpFile& file : files) {
    if (file.name.text) continue;
    paths.push_back(file.path);
    kinds.insert(file.name.kind);
  }
  if (paths.empty()) {
    return Error{ErrorKind::nothing_recorded,
                 fmt::format("{}: no dumped profile of this kind and time", folder),
                 "hprof convert reads files named <kind>.<unix seconds>.<pid>.pb.gz in a folder"};
  }
  if (kinds.size() > 1 && filter.kinds.empty()) {
    return Error{ErrorKind::usage,
                 fmt::format("{}: holds several kinds: {}", folder, fmt::join(kinds, ", ")),
                 "name one with --kind"};
  }
  return paths;
}

}  // namespace

Result<InputFile> InputFile::open(const std::string& path) {
  InputFile input;
  input.path_ = path;
  if (path == "-") {
    input.source_ = std::make_unique<FdSource>(STDIN_FILENO);
    return input;
  }
  input.fd_ = UniqueFd{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!input.fd_.valid()) return system_error(errno, path);
  struct stat status {};
  if (::fstat(input.fd_.get(), &status) != 0) return system_error(errno, path);
  if (S_ISDIR(status.st_mode)) {
    return Error{ErrorKind::usage, fmt::format("{}: is a folder", path), {}};
  }
  // An empty file cannot be mapped, and files of /proc say they are empty.
  if (S_ISREG(status.st_mode) && status.st_size > 0) {
    HPROF_ASSIGN(MappedFile mapped, MappedFile::open(path));
    input.mapped_ = std::make_unique<MappedFile>(std::move(mapped));
    input.source_ = std::make_unique<MemorySource>(input.mapped_->bytes());
  } else {
    input.source_ = std::make_unique<FdSource>(input.fd_.get());
  }
  return input;
}

Result<std::vector<std::string>> expand_folders(const std::vector<std::string>& paths,
                                                const ConvertOptions& options,
                                                std::optional<std::int64_t> since_ns,
                                                std::optional<std::int64_t> until_ns) {
  std::vector<std::string> out;
  for (const std::string& path : paths) {
    if (!is_folder(path)) {
      out.push_back(path);
      continue;
    }
    DumpFilter filter;
    filter.kinds = options.kinds;
    filter.since_ns = since_ns;
    filter.until_ns = until_ns;
    HPROF_ASSIGN(const std::vector<std::string> files, files_of_folder(path, filter));
    out.insert(out.end(), files.begin(), files.end());
  }
  return out;
}

Result<ReadInputs> read_inputs(const std::vector<std::string>& paths,
                               const formats::Format* format,
                               const formats::ReadOptions& options) {
  ReadInputs out;
  ProfileMerger merger;
  for (const std::string& path : paths) {
    HPROF_ASSIGN(InputFile input, InputFile::open(path));
    const formats::Format* found = nullptr;
    Result<Profile> profile =
        formats::read_profile(input.source(), path, format, options, &found);
    if (!profile) return profile.error().within(input.name());
    if (out.files++ == 0) out.format = found;
    if (paths.size() == 1) {
      out.profile = *std::move(profile);
      return out;
    }
    Result<void> added = merger.add(*profile);
    if (!added) return added.error().within(input.name());
  }
  HPROF_ASSIGN(out.profile, merger.finish());
  if (options.notes != nullptr) {
    options.notes->insert(options.notes->end(), merger.notes().begin(), merger.notes().end());
  }
  return out;
}

}  // namespace hprof::cli
