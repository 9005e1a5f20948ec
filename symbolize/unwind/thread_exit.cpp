// SPDX-License-Identifier: Apache-2.0
#include "symbolize/unwind/thread_exit.h"

#include <string_view>

namespace hprof::symbolize {

bool exits_thread(Bytes code) {
  using namespace std::string_view_literals;
  const std::string_view text = as_text(code);
#if defined(__aarch64__)
  return text.find("\xa8\x0b\x80\xd2\x01\x00\x00\xd4"sv) != std::string_view::npos;  // x8 = 93
#else
  // mov $60, %al or %eax; syscall
  return text.find("\xb0\x3c\x0f\x05"sv) != std::string_view::npos ||
         text.find("\xb8\x3c\x00\x00\x00\x0f\x05"sv) != std::string_view::npos;
#endif
}

}  // namespace hprof::symbolize
