// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/base/error.h>

#include <fmt/format.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <system_error>

namespace hprof {

Error Error::within(std::string_view prefix) const& {
  return {kind, fmt::format("{}: {}", prefix, message), hint};
}

ErrorKind kind_of_errno(int errno_value) {
  switch (errno_value) {
    case EPERM:
    case EACCES:
      return ErrorKind::permission;
    case ESRCH:
      return ErrorKind::target_gone;
    case ENOSYS:
    case EOPNOTSUPP:
      return ErrorKind::unsupported;
    default:
      return ErrorKind::failed;
  }
}

std::string errno_text(int errno_value) {
  return std::generic_category().message(errno_value);
}

Error system_error(int errno_value, std::string_view what) {
  return {kind_of_errno(errno_value), fmt::format("{}: {}", what, errno_text(errno_value)), {}};
}

void check_failed(const char* condition, const char* file, int line) {
  fmt::print(stderr, "hprof: internal error at {}:{}: {}\n", file, line, condition);
  abort();
}

}  // namespace hprof
