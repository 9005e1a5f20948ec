// SPDX-License-Identifier: Apache-2.0
#include "symbolize/unwind/call_site.h"
#include "symbolize/unwind/signal_return.h"

#include <doctest/doctest.h>

#include <vector>

using namespace hprof;             // NOLINT(google-build-using-namespace)
using namespace hprof::symbolize;  // NOLINT(google-build-using-namespace)

#if defined(__x86_64__)
namespace {

CallSite before(std::vector<std::uint8_t> code) {
  code.insert(code.begin(), 8 - code.size(), 0x90);
  return decode_call(std::as_bytes(std::span{code}), 0x401000);
}

}  // namespace

TEST_CASE("direct calls are known with their target") {
  const CallSite site = before({0xe8, 0x10, 0, 0, 0});
  CHECK(site.kind == CallSite::Kind::direct);
  CHECK(site.target == 0x401010);
  CHECK(before({0x67, 0xe8, 0xf0, 0xff, 0xff, 0xff}).target == 0x400ff0);
}

TEST_CASE("every form of indirect call is known") {
  const std::vector<std::vector<std::uint8_t>> calls{
      {0xff, 0xd0},                    // *%rax
      {0x41, 0xff, 0xd3},              // *%r11
      {0xff, 0x10},                    // *(%rax)
      {0xff, 0x14, 0xc8},              // *(%rax,%rcx,8)
      {0x41, 0xff, 0x14, 0x24},        // *(%r12)
      {0xff, 0x50, 0x18},              // *0x18(%rax)
      {0xff, 0x54, 0x24, 0x08},        // *8(%rsp)
      {0xff, 0x15, 1, 2, 3, 4},        // *x(%rip)
      {0xff, 0x90, 1, 2, 3, 4},        // *x(%rax)
      {0xff, 0x94, 0x24, 1, 2, 3, 4},  // *x(%rsp)
      {0xff, 0x14, 0x25, 1, 2, 3, 4},  // *x
      {0x3e, 0xff, 0xd0},              // notrack
  };
  for (const auto& call : calls) CHECK(before(call).kind == CallSite::Kind::call);
}

TEST_CASE("other instructions are no calls") {
  CHECK(before({0x48, 0x89, 0xe5}).kind == CallSite::Kind::no_call);
  CHECK(before({0xff, 0xe0}).kind == CallSite::Kind::no_call);  // jmp *%rax
  CHECK(before({0xff, 0x25, 1, 2, 3, 4}).kind == CallSite::Kind::no_call);
  CHECK(before({0xff, 0x50}).kind == CallSite::Kind::no_call);  // cut off
  CHECK(decode_call({}, 0x1000).kind == CallSite::Kind::unreadable);
}

TEST_CASE("signal trampolines are known at each of their instructions") {
  const std::vector<std::uint8_t> code{0x90, 0x90, 0x48, 0xc7, 0xc0, 0x0f,
                                       0,    0,    0,    0x0f, 0x05, 0x90};
  const Bytes bytes = std::as_bytes(std::span{code});
  for (std::size_t at = 0; at <= code.size(); ++at) {
    CHECK(is_signal_return(bytes, at) == (at == 2 || at == 9 || at == 11));
  }
}
#endif
