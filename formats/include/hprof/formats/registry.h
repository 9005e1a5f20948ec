// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/stream.h>
#include <hprof/core/capture/unwinder.h>
#include <hprof/core/profile/profile.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hprof::formats {

/// Bounds on what a reader believes; beyond them the input is malformed.
struct ReadLimits {
  std::uint64_t max_bytes = std::uint64_t{64} << 30;  ///< after decompression
  std::uint32_t max_frames = 1U << 16;                ///< in one stack
  std::uint32_t max_depth = 512;                      ///< of nested structures (JSON, trees)
};

/// Remarks for the user that are no errors: skipped lines, guessed things, losses. One line each.
using Notes = std::vector<std::string>;

struct ReadOptions {
  ReadLimits limits = {};
  std::string event = {};        ///< keep only this event of several; empty: all, one sample type each
  bool recover = false;     ///< use what a damaged file still holds
  std::optional<std::int64_t> since_ns = {};  ///< samples from here on, ns since 1970 where known
  std::optional<std::int64_t> until_ns = {};
  bool diff = false;        ///< folded: two counts a line
  bool demangle = false;    ///< demangle names that come mangled
  bool addresses = true;    ///< perf script: keep addresses of named frames; false: names suffice
  /// perf script: a lone number behind the comm is the thread's, the process is unknown; else it is
  /// taken for both, as perf prints it for processes of one thread.
  bool lone_id_is_tid = false;
  /// perf.data with stack copies: follows them; null: such samples keep their innermost frame.
  Unwinder* unwinder = nullptr;
  /// perf.data: the file mapped from `path` with this build id (may be empty), with bytes for
  /// `unwinder`; may answer null. Its bytes must stay readable while the module lives.
  std::function<ModulePtr(const std::string& path, const std::string& build_id)> open_module = {};
  unsigned threads = 0;     ///< for readers that can use several; 0: as many as there are CPUs
  Notes* notes = nullptr;   ///< may be null
};

struct WriteOptions {
  std::size_t sample_type = 0;  ///< the value column, for formats that hold one
  std::string title = {};            ///< of graphs and reports
  int gzip_level = 1;           ///< pprof; 0: raw
  bool inverted = false;        ///< icicle instead of flame
  bool reverse = false;         ///< merge from the leaf
  double min_width = 0.0;       ///< share of the total below which a frame is left out
  bool negative = false;        ///< the profile is a difference: values may be negative
  std::size_t top_count = 0;    ///< rows of text reports; 0: all
  bool short_names = false;     ///< cut parameter lists off shown names
  Notes* notes = nullptr;
};

/// What a sniffer may look at: the first bytes after decompression (up to 64 KiB).
struct SniffInput {
  Bytes head;
  bool whole = false;  ///< `head` is everything there is
};

/// How sure a sniffer is. `magic`: a signature; `likely`: the structure fits; `possible`: a guess.
enum class Sniff { no, possible, likely, magic };

/// One file format: one row in registry.cpp and one pair of files. Null `read` or `write`: cannot.
struct Format {
  std::string_view name;                         ///< for --format and --input-format
  std::span<const std::string_view> extensions;  ///< without the dot; the first is the usual one
  std::string_view summary;                      ///< for help and the README's table
  Sniff (*sniff)(const SniffInput&) = nullptr;
  Result<Profile> (*read)(ByteSource&, const ReadOptions&) = nullptr;
  Result<void> (*write)(const Profile&, ByteSink&, const WriteOptions&) = nullptr;
  bool binary = false;        ///< output is not for a terminal
  bool one_value = false;     ///< output holds one value column
};

/// All formats, in the order of detection.
std::span<const Format> all_formats();
/// By name, or nullptr.
const Format* find_format(std::string_view name);
/// The writer that the longest matching extension of `path` names, or nullptr.
const Format* format_for_output(std::string_view path);
/// "pprof, folded, …": names of formats that can be read or written.
std::string known_formats(bool writable);

/// Reads any profile: unwraps gzip, zstd and xz (twice at most), detects the format by content, by
/// `path`'s extension second. `format` non-null overrides. `found`, if not null, gets the format.
/// Errors: malformed_input with format, place and reason; an unknown input says what it looks like.
Result<Profile> read_profile(ByteSource& source, std::string_view path, const Format* format,
                             const ReadOptions& options, const Format** found = nullptr);

}  // namespace hprof::formats
