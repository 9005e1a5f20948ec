// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/frame.h"
#include "symbolize/go/go_tables.h"

#include <map>
#include <memory>
#include <mutex>

namespace hprof::symbolize {

/// Names Go code by the tables its runtime uses: stripped or not, the frames are those that
/// runtime/pprof writes. Thread safe. Source: Go's runtime/symtab.go and symtabinl.go.
class GoNames {
 public:
  /// nullptr if the image is no Go program. Lifetime: borrows the image.
  static std::unique_ptr<GoNames> open(const ElfImage& image);

  /// True if `address` (linked) lies in a Go function.
  [[nodiscard]] bool covers(std::uint64_t address) const;
  /// The frames at `address`, innermost inlined call first; empty if it is no Go code.
  [[nodiscard]] Frames name(std::uint64_t address) const;

 private:
  // A row of a function's inline tree.
  struct Call {
    std::uint8_t func_id = 0;
    std::int32_t name = 0;
    std::int32_t parent_pc = 0;
    std::int32_t start_line = 0;
  };

  GoNames(const ElfImage& image, GoTables tables) : image_(image), tables_(std::move(tables)) {}
  void find_inline_data();
  void find_wrapper_id();
  [[nodiscard]] std::size_t plausible_trees(std::uint64_t gofunc) const;
  [[nodiscard]] Bytes inline_tree(const GoFunction& function, std::uint64_t gofunc) const;
  [[nodiscard]] std::optional<Call> inlined_call(Bytes tree, std::int32_t index) const;
  [[nodiscard]] std::int32_t inline_index(const GoFunction& function, std::uint64_t pc) const;
  [[nodiscard]] Frame frame(const GoFunction& function, std::uint64_t pc, std::int32_t name,
                            std::int32_t start_line) const;
  [[nodiscard]] bool is_wrapper(std::uint8_t func_id) const { return func_id == wrapper_id_; }

  const ElfImage& image_;
  GoTables tables_;
  std::uint64_t gofunc_ = 0;  // linked address that funcdata offsets count from (1.18+)
  std::uint8_t wrapper_id_ = 0xff;
};

}  // namespace hprof::symbolize
