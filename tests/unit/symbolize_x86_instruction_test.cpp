// SPDX-License-Identifier: Apache-2.0
#include "symbolize/unwind/x86_instruction.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <array>
#include <string>
#include <vector>

using namespace hprof;             // NOLINT(google-build-using-namespace)
using namespace hprof::symbolize;  // NOLINT(google-build-using-namespace)
using Kind = X86Instruction::Kind;

namespace {

X86Instruction decode(const std::vector<std::uint8_t>& code) {
  return decode_x86(std::as_bytes(std::span{code}));
}

struct Verdict {
  std::size_t instructions = 0;
  std::size_t differ = 0;
  std::string first;
};

/// Lengths of all instructions of an object against objdump's: "  addr:\tbytes \tmnemonic".
Verdict lengths(const char* path) {
  Verdict out;
  FILE* tool = ::popen(fmt::format("objdump -d -w {} 2>/dev/null", path).c_str(), "r");
  if (tool == nullptr) return out;
  std::array<char, 4096> line{};
  while (::fgets(line.data(), static_cast<int>(line.size()), tool) != nullptr) {
    const char* tab = ::strchr(line.data(), '\t');
    if (tab == nullptr || ::strstr(line.data(), "(bad)") != nullptr) continue;
    const char* text = ::strchr(tab + 1, '\t');
    std::vector<std::uint8_t> code;
    for (const char* at = tab + 1; *at != '\0' && *at != '\t' && *at != '\n';) {
      char* end = nullptr;
      const unsigned long value = ::strtoul(at, &end, 16);
      if (end == at) break;
      code.push_back(static_cast<std::uint8_t>(value));
      at = end;
      while (*at == ' ') ++at;
    }
    if (code.empty() || text == nullptr) continue;
    const std::size_t size = code.size();
    // objdump takes fwait and the instruction behind it for one.
    if (code[0] == 0x9b || size > 15) continue;
    code.insert(code.end(), 4, 0x90);
    const X86Instruction one = decode(code);
    ++out.instructions;
    if (one.kind != Kind::unknown && one.length == size) continue;
    if (out.differ++ == 0) out.first = fmt::format("{} not {}: {}", one.length, size, line.data());
  }
  ::pclose(tool);
  return out;
}

}  // namespace

TEST_CASE("instructions that move the stack pointer say how far") {
  CHECK(decode({0x55}).kind == Kind::push);
  CHECK(decode({0x41, 0x57}).kind == Kind::push);
  CHECK(decode({0x6a, 0x01}).kind == Kind::push);
  CHECK(decode({0x68, 1, 2, 3, 4}).kind == Kind::push);
  CHECK(decode({0xff, 0x75, 0x08}).kind == Kind::push);
  CHECK((decode({0x5d}).kind == Kind::pop && decode({0x5d}).reg == 6));
  CHECK((decode({0x5b}).kind == Kind::pop && decode({0x5b}).reg == 3));
  CHECK((decode({0x41, 0x5c}).kind == Kind::pop && decode({0x41, 0x5c}).reg == 12));
  CHECK((decode({0x48, 0x83, 0xec, 0x18}).kind == Kind::add_sp &&
         decode({0x48, 0x83, 0xec, 0x18}).value == -24));
  CHECK(decode({0x48, 0x81, 0xc4, 0x88, 0, 0, 0}).value == 0x88);
  CHECK(decode({0x48, 0x83, 0xec, 0x80}).value == 128);
  CHECK((decode({0x48, 0x8d, 0x64, 0x24, 0x08}).kind == Kind::add_sp &&
         decode({0x48, 0x8d, 0x64, 0x24, 0x08}).value == 8));
  CHECK((decode({0x48, 0x8d, 0x65, 0xd8}).kind == Kind::sp_from_fp &&
         decode({0x48, 0x8d, 0x65, 0xd8}).value == -40));
  CHECK(decode({0x48, 0x89, 0xec}).kind == Kind::sp_from_fp);
  CHECK(decode({0xc9}).kind == Kind::leave);
  CHECK(decode({0x48, 0x83, 0xe4, 0xf0}).kind == Kind::writes_sp);  // and $-16, %rsp
  CHECK(decode({0x4c, 0x89, 0xe4}).kind == Kind::writes_sp);        // mov %r12, %rsp
  CHECK(decode({0x48, 0x83, 0xfc, 0x10}).kind == Kind::other);      // cmp $16, %rsp
  CHECK(decode({0x48, 0x89, 0xe5}).kind == Kind::other);            // mov %rsp, %rbp
}

TEST_CASE("control flow is told apart") {
  CHECK(decode({0xc3}).kind == Kind::ret);
  CHECK(decode({0xf3, 0xc3}).kind == Kind::ret);
  CHECK(decode({0xc2, 8, 0}).kind == Kind::ret);
  CHECK((decode({0xeb, 0xfe}).kind == Kind::jump && decode({0xeb, 0xfe}).value == -2));
  CHECK((decode({0xe9, 0, 1, 0, 0}).kind == Kind::jump && decode({0xe9, 0, 1, 0, 0}).value == 256));
  CHECK((decode({0x74, 0x10}).kind == Kind::branch && decode({0x74, 0x10}).value == 16));
  CHECK(decode({0x0f, 0x84, 0, 1, 0, 0}).value == 256);
  CHECK(decode({0xe8, 0, 0, 0, 0}).kind == Kind::call);
  CHECK(decode({0x41, 0xff, 0xd1}).kind == Kind::call);
  CHECK(decode({0xff, 0xe0}).kind == Kind::jump_unknown);
  CHECK(decode({0x0f, 0x0b}).kind == Kind::stop);
  CHECK(decode({0x06}).kind == Kind::unknown);
  CHECK(decode({0xe8, 0, 0}).kind == Kind::unknown);
  CHECK(decode({}).kind == Kind::unknown);
  CHECK(decode(std::vector<std::uint8_t>(20, 0x66)).kind == Kind::unknown);
}

TEST_CASE("lengths are those of objdump in whole libraries") {
  if (::access("/usr/bin/objdump", X_OK) != 0) {
    MESSAGE("skipped: there is no objdump");
    return;
  }
  for (const char* path : {"/lib/x86_64-linux-gnu/libm.so.6", "/usr/lib/x86_64-linux-musl/libc.so",
                           "/lib/x86_64-linux-gnu/libz.so.1"}) {
    if (::access(path, R_OK) != 0) continue;
    const Verdict verdict = lengths(path);
    CAPTURE(verdict.first);
    CHECK(verdict.instructions > 1000);
    CHECK(verdict.differ == 0);
  }
}
