// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "symbolize/elf/elf_image.h"
#include "symbolize/go/go_tables.h"
#include "symbolize/unwind/cfi_tables.h"

#include <hprof/core/target/module.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

namespace hprof::symbolize {

/// Everything that unwinding reads from one image; shared by all processes that map it.
class ModuleTables {
 public:
  /// Never fails: bytes that are no ELF image cover no address.
  explicit ModuleTables(ModulePtr module);

  /// The linked address of a file offset, if the image loads it.
  [[nodiscard]] std::optional<std::uint64_t> vaddr_of_offset(std::uint64_t offset) const;
  [[nodiscard]] CfiTables* cfi() { return cfi_ ? &*cfi_ : nullptr; }
  [[nodiscard]] const CfiTables* cfi() const { return cfi_ ? &*cfi_ : nullptr; }
  [[nodiscard]] const GoTables* go() const { return go_ ? &*go_ : nullptr; }
  /// Whether `vaddr` lies in the code that the kernel starts a process with (ELF entry): hand
  /// written, without tables, and never returning.
  [[nodiscard]] bool at_entry(std::uint64_t vaddr) const;
  [[nodiscard]] bool made_from(const ModulePtr& module) const { return module_ == module; }

 private:
  ModulePtr module_;  // keeps the bytes
  std::optional<ElfImage> image_;
  std::optional<CfiTables> cfi_;
  std::optional<GoTables> go_;
};

/// The tables of the modules in use, found by module and shared by identity: build id, size and
/// headers; without a build id by the module itself.
class ModuleRegistry {
 public:
  /// The tables of `module`. Lifetime: until forget_unused() or clear().
  ModuleTables& get(const ModulePtr& module);
  /// Drops modules that nobody else holds any more; returns whether there was one.
  bool forget_unused();
  void clear();
  [[nodiscard]] std::size_t size() const { return by_module_.size(); }
  /// Bytes that compiled rows take, roughly.
  [[nodiscard]] std::size_t memory() const;

 private:
  struct Held {
    ModulePtr module;
    std::shared_ptr<ModuleTables> tables;
  };
  std::unordered_map<const Module*, Held> by_module_;
  std::unordered_map<std::string, std::weak_ptr<ModuleTables>> by_identity_;
};

}  // namespace hprof::symbolize
