// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/unwind/guest_unwinder.h"

#include <optional>
#include <string_view>

namespace hprof::symbolize {

/// Steps Go frames by the stack sizes in pclntab, and over the borders between a goroutine's
/// stack and the thread's (systemstack, asmcgocall, vDSO calls) by the frame pointer, which every
/// function that switches stacks leaves on the goroutine's.
class GoGuest : public GuestUnwinder {
 public:
  bool owns(const CodePlace& place) override;
  StepEnd step(const CodePlace& place, StackMemory& memory, UnwindState& state) override;
  bool returns_without_call(const CodePlace& place) override;

 private:
  static bool step_by_size(const CodePlace& place, const GoFunction& function, StackMemory& memory,
                           UnwindState& state);
  static bool step_over_switch(const CodePlace& place, const GoFunction& function,
                               StackMemory& memory, UnwindState& state);
  static bool go_on_in_goroutine(const CodePlace& place, StackMemory& memory, UnwindState& state);
  static bool find_caller_below(const CodePlace& place, const GoFunction& function,
                                StackMemory& memory, UnwindState& state);
};

}  // namespace hprof::symbolize
