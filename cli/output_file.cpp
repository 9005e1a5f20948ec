// SPDX-License-Identifier: Apache-2.0
#include "output_file.h"

#include <fmt/format.h>

#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace hprof::cli {
namespace {

/// Writes to stdout; a signal makes it look whether the work was given up.
class StdoutSink final : public ByteSink {
 public:
  explicit StdoutSink(const std::function<bool()>* abandoned) : abandoned_(abandoned) {}
  using ByteSink::write;
  Result<void> write(Bytes bytes) override {
    while (!bytes.empty()) {
      const ssize_t wrote = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
      if (wrote < 0 && errno != EINTR) return system_error(errno, "cannot write to stdout");
      if (wrote > 0) bytes = bytes.subspan(static_cast<std::size_t>(wrote));
      if (wrote < 0 && abandoned_ != nullptr && *abandoned_ && (*abandoned_)()) {
        return Error{ErrorKind::failed, "given up", {}};
      }
    }
    return {};
  }

 private:
  const std::function<bool()>* abandoned_;
};

/// Passes bytes on until the work is given up.
class AbandonableSink final : public ByteSink {
 public:
  AbandonableSink(ByteSink& next, const std::function<bool()>& abandoned)
      : next_(next), abandoned_(abandoned) {}
  using ByteSink::write;
  Result<void> write(Bytes bytes) override {
    unasked_ += bytes.size();
    if (unasked_ >= kAskEvery && abandoned_) {
      unasked_ = 0;
      if (abandoned_()) return Error{ErrorKind::failed, "given up", {}};
    }
    return next_.write(bytes);
  }

 private:
  // Asking is a system call, and some writers write line by line.
  static constexpr std::size_t kAskEvery = std::size_t{64} << 10;
  std::size_t unasked_ = 0;
  ByteSink& next_;
  const std::function<bool()>& abandoned_;
};

std::string safe_field(std::string_view text) {
  std::string out{text};
  for (char& c : out) {
    if (c == '/' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '_';
  }
  // A hidden or parent folder would surprise.
  if (!out.empty() && out.front() == '.') out.front() = '_';
  return out;
}

std::optional<unsigned> number_of(const char* text) {
  if (text == nullptr) return std::nullopt;
  const std::string_view digits{text};
  unsigned value = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (problem != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

Result<const formats::Format*> format_named(std::string_view name) {
  const formats::Format* format = formats::find_format(name);
  if (format == nullptr || format->write == nullptr) {
    return Error{ErrorKind::usage,
                 fmt::format("unknown format '{}'; known: {}", name, formats::known_formats(true)),
                 {}};
  }
  return format;
}

Result<const formats::Format*> format_of_path(const std::string& path) {
  if (path == "-") return format_named("pprof");
  if (const formats::Format* format = formats::format_for_output(path); format != nullptr) {
    return format;
  }
  return Error{ErrorKind::usage, fmt::format("{}: its extension names no format", path),
               fmt::format("use --format with one of: {}", formats::known_formats(true))};
}

}  // namespace

std::string utc_stamp(std::int64_t time_ns) {
  const time_t seconds = time_ns / 1'000'000'000;
  struct tm parts = {};
  gmtime_r(&seconds, &parts);
  return fmt::format("{:04}{:02}{:02}T{:02}{:02}{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

Result<std::string> fill_pattern(std::string_view pattern, const NameFields& fields) {
  std::string out;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%') {
      out += pattern[i];
      continue;
    }
    switch (++i < pattern.size() ? pattern[i] : '\0') {
      case '%':
        out += '%';
        break;
      case 'p':
        out += safe_field(fields.pid);
        break;
      case 'n':
        out += safe_field(fields.name);
        break;
      case 'k':
        out += safe_field(fields.kind);
        break;
      case 'h':
        out += safe_field(fields.host);
        break;
      case 't':
        out += utc_stamp(fields.time_ns);
        break;
      default:
        return Error{ErrorKind::usage,
                     fmt::format("{}: unknown pattern '{}'", pattern, pattern.substr(i - 1, 2)),
                     "known: %p pid, %n name, %k kind, %t time, %h host, %% percent sign"};
    }
  }
  return out;
}

Result<std::vector<OutputFile>> choose_formats(std::span<const std::string> paths,
                                               std::string_view format_name) {
  std::vector<OutputFile> files;
  for (const std::string& path : paths) {
    if (std::ranges::find(files, path, &OutputFile::path) != files.end()) {
      return Error{ErrorKind::usage, fmt::format("{}: named twice as output", path), {}};
    }
    OutputFile file{path, nullptr};
    if (format_name.empty()) {
      HPROF_ASSIGN(file.format, format_of_path(path));
    } else {
      HPROF_ASSIGN(file.format, format_named(format_name));
    }
    files.push_back(file);
  }
  return files;
}

Result<void> probe_output(const OutputFile& file) {
  if (!file.is_stdout()) {
    HPROF_ASSIGN(const AtomicFile dropped, AtomicFile::create(file.path));
    return {};
  }
  if (file.format->binary && ::isatty(STDOUT_FILENO) == 1) {
    return Error{ErrorKind::usage,
                 fmt::format("{} is binary and stdout is a terminal", file.format->name),
                 "name a file with -o, or send stdout to one"};
  }
  return {};
}

AtomicFileOptions user_file_options() {
  AtomicFileOptions options;
  if (::geteuid() != 0) return options;
  const auto user = number_of(::getenv("SUDO_UID"));   // NOLINT(concurrency-mt-unsafe)
  const auto group = number_of(::getenv("SUDO_GID"));  // NOLINT(concurrency-mt-unsafe)
  if (user && group) options.owner = FileOwner{*user, *group};
  return options;
}

Result<void> write_output(const OutputFile& file, const Profile& profile,
                          const formats::WriteOptions& options,
                          const std::function<bool()>& abandoned) {
  if (file.is_stdout()) {
    StdoutSink stdout_sink{&abandoned};
    AbandonableSink sink{stdout_sink, abandoned};
    return file.format->write(profile, sink, options);
  }
  HPROF_ASSIGN(AtomicFile out, AtomicFile::create(file.path, user_file_options()));
  AbandonableSink sink{out, abandoned};
  HPROF_TRY(file.format->write(profile, sink, options));
  if (abandoned && abandoned()) return Error{ErrorKind::failed, "given up", {}};
  return out.commit();
}

Result<void> write_stdout(std::string_view text) {
  StdoutSink sink{nullptr};
  return sink.write(text);
}

}  // namespace hprof::cli
