// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/result.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace hprof::cli {

// Text of the command line, of variables and of config files into numbers. All errors are usage
// errors that quote the text; a config reader makes malformed_input of them.

/// "500ms", "30s", "1h30m", "7d"; a bare number is seconds. Units: ns us ms s m h d w.
Result<std::chrono::nanoseconds> parse_duration(std::string_view text);
/// "512k", "1GiB", "1.5M": k, M, G, T and KiB, MiB … are powers of 1024, kB, MB … of 1000; a bare
/// number is bytes.
Result<std::uint64_t> parse_bytes(std::string_view text);
/// "5", "2.5%": 0 to 100 per cent, or more where `text` speaks of several CPUs.
Result<double> parse_percent(std::string_view text);
/// "99", "49.5", "999Hz": more than 0.
Result<double> parse_rate(std::string_view text);
/// A whole number, 0 or more.
Result<std::uint64_t> parse_count(std::string_view text);
/// "true", "yes", "on", "1" and their opposites.
enum class Switch { off, on };
Result<Switch> parse_switch(std::string_view text);

/// The shortest text that parse_duration() reads as the same value: "1h30m", "250ms", "0s".
std::string format_duration(std::chrono::nanoseconds duration);
/// The shortest text that parse_bytes() reads as the same value: "16KiB", "1000".
std::string format_bytes(std::uint64_t bytes);
/// A size for people, with about three digits: "12.4 MiB".
std::string human_bytes(std::uint64_t bytes);
/// A count for people: "12,345".
std::string human_count(std::uint64_t count);

}  // namespace hprof::cli
