// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace hprof {

/// What went wrong, as far as a caller or an exit code cares. Source: SPEC.md section 2, exit codes.
enum class ErrorKind {
  failed,            ///< anything without a kind of its own
  usage,             ///< a flag, variable or combination that makes no sense
  permission,        ///< the kernel or a file mode forbids it
  target_gone,       ///< no such process, or gone before the first sample
  malformed_input,   ///< bytes from outside that do not follow their format
  nothing_recorded,  ///< a valid result without a sample
  quality_gate,      ///< --strict or --max-lost not met
  unsupported,       ///< the machine, kernel or format cannot do it; another way may exist
};

/// One failure: `message` is one line, lower case, no full stop; `hint` says what to do, or is empty.
struct Error {
  ErrorKind kind = ErrorKind::failed;
  std::string message;
  std::string hint;

  /// The same error with "`prefix`: " in front of its message: what only the caller knows.
  [[nodiscard]] Error within(std::string_view prefix) const&;
};

/// The kind that fits a value of errno.
ErrorKind kind_of_errno(int errno_value);

/// An error with the message "`what`: <system reason>" and the kind of `errno_value`.
Error system_error(int errno_value, std::string_view what);

/// The system's sentence for a value of errno. Thread safe.
std::string errno_text(int errno_value);

[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace hprof

/// Ends the process when one of our own invariants is broken; never for bytes, flags or errno.
#define HPROF_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::hprof::check_failed(#condition, __FILE__, __LINE__))
