// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/unwind/stack_memory.h"

#include <hprof/core/target/address_space.h>

#include <cstdint>
#include <optional>

namespace hprof::symbolize {

/// What stands before a return address.
struct CallSite {
  enum class Kind : std::uint8_t {
    no_call,  ///< the bytes before it are no call: this is no return address
    call,     ///< an indirect call
    direct,   ///< a direct call, to `target`
    unreadable,
  };
  Kind kind = Kind::unreadable;
  std::uint64_t target = 0;

  [[nodiscard]] bool may_return_here() const { return kind != Kind::no_call; }
  [[nodiscard]] bool is_call() const { return kind == Kind::call || kind == Kind::direct; }
};

/// The code before `return_address`, from the module's file, else from the live process (code
/// made at run time).
CallSite call_before(const AddressSpace& space, StackMemory& memory, std::uint64_t return_address);

/// Copies code at `address` as far as out.size(), from the module's file, else from the process.
std::size_t read_code(const AddressSpace& space, StackMemory& memory, std::uint64_t address,
                      std::span<std::byte> out);

/// Whether code at `address` is a trampoline that signal handlers return to: no call stands before
/// it.
bool returns_from_signal(const AddressSpace& space, StackMemory& memory, std::uint64_t address);

/// Judges the bytes that end at `return_address`. Tested for itself.
CallSite decode_call(Bytes before, std::uint64_t return_address);

}  // namespace hprof::symbolize
