// SPDX-License-Identifier: Apache-2.0
#define HAVE_DECL_BASENAME 1  // libiberty.h would declare its own, against string.h
#include "symbolize/demangle.h"

#include <libiberty/demangle.h>
#include <setjmp.h>

#include <algorithm>
#include <memory>

namespace hprof::symbolize {
namespace {

// libiberty's parser recurses with the nesting of the name; what is longer than any compiler's
// output is left alone.
constexpr std::size_t kMaxMangled = 16384;
constexpr std::size_t kMaxDemangled = 65536;

bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

// _ZN...17h0123456789abcdefE, with at least five different digits (rustc-demangle's test), then
// perhaps ".llvm.123" and the like. C++ names end so too seldom to matter.
bool is_rust_legacy(std::string_view name) {
  if (!name.starts_with("_ZN")) return false;
  const std::size_t hash = name.rfind("17h");
  const std::size_t end = hash == std::string_view::npos ? hash : name.find('E', hash);
  if (end == std::string_view::npos || end < 23) return false;
  if (end + 1 != name.size() && name[end + 1] != '.') return false;
  const std::string_view tail = name.substr(end - 19, 19);
  if (!tail.starts_with("17h")) return false;
  unsigned seen = 0;
  for (const char c : tail.substr(3)) {
    if (!is_hex(c)) return false;
    seen |= 1U << (c <= '9' ? c - '0' : c - 'a' + 10);
  }
  return __builtin_popcount(seen) >= 5;
}

// Collects libiberty's pieces up to the limit.
struct Output {
  std::string text;
  jmp_buf too_long;
};

// Substitutions can double the output with each byte of the name and libiberty's printer cannot be
// told to stop, so jump out of it: its callback forms keep everything on the stack.
void collect(const char* piece, std::size_t size, void* opaque) {
  auto* out = static_cast<Output*>(opaque);
  if (size > kMaxDemangled - out->text.size()) longjmp(out->too_long, 1);
  out->text.append(piece, size);
}

using Demangler = int (*)(const char*, int, demangle_callbackref, void*);

bool run(Demangler demangler, const std::string& mangled, int flags, std::string& out) {
  const auto collected = std::make_unique<Output>();  // not in a register when setjmp returns again
  if (_setjmp(collected->too_long) != 0) return false;
  if (demangler(mangled.c_str(), flags, collect, collected.get()) == 0) return false;
  if (collected->text.empty()) return false;
  out = std::move(collected->text);
  return true;
}

}  // namespace

std::string demangle(std::string_view mangled, DemangleStyle style) {
  std::string name(mangled);
  if (style == DemangleStyle::none || name.size() > kMaxMangled || name.size() < 3) return name;
  // PLT entries: "_Znwm@plt".
  const std::size_t at = name.rfind('@');
  const std::string suffix = at == std::string::npos ? "" : name.substr(at);
  if (at != std::string::npos) name.resize(at);
  std::string out;
  if ((name.starts_with("_R") || is_rust_legacy(name)) && run(rust_demangle_callback, name, 0, out))
    return out + suffix;
  const int flags = style == DemangleStyle::full ? DMGL_PARAMS | DMGL_ANSI : DMGL_NO_OPTS;
  if (name.starts_with("_Z") && run(cplus_demangle_v3_callback, name, flags, out))
    return out + suffix;
  return std::string(mangled);
}

}  // namespace hprof::symbolize
