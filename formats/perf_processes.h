// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/target/address_space.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

namespace hprof::formats::perf {

/// Gives the module behind a mapped file, with bytes where stacks are to be unwound.
using ModuleOpener = std::function<ModulePtr(const std::string& path, const std::string& build_id)>;

/// Who ran what from where, kept up to date by MMAP, COMM, FORK and EXIT records.
class Processes {
 public:
  struct Space {
    AddressSpace ranges;
    std::uint64_t epoch = 0;  ///< another number whenever the ranges change; never used twice
  };

  explicit Processes(ModuleOpener opener) : opener_(std::move(opener)) {}

  struct Mapped {
    std::int32_t pid = 0;
    std::uint64_t start = 0;
    std::uint64_t size = 0;
    std::uint64_t file_offset = 0;
    std::string_view path;
    std::string build_id;
    bool kernel = false;
  };
  void map(const Mapped& mapped);
  void comm(std::int32_t pid, std::int32_t tid, std::string_view name, bool exec);
  void fork(std::int32_t pid, std::int32_t parent_pid, std::int32_t tid, std::int32_t parent_tid);

  [[nodiscard]] const Space& user(std::int32_t pid);
  [[nodiscard]] const Space& kernel() const { return kernel_; }
  /// The thread's name, or ":TID" as perf shows it where none was told.
  [[nodiscard]] std::string name(std::int32_t pid, std::int32_t tid) const;
  /// Changes with every name, so that what was made of names can be kept until then.
  [[nodiscard]] std::uint64_t name_epoch() const { return name_epoch_; }

 private:
  ModulePtr module(const std::string& path, const std::string& build_id, bool kernel);

  ModuleOpener opener_;
  Space kernel_;
  std::unordered_map<std::int32_t, Space> spaces_;
  std::unordered_map<std::int32_t, std::string> names_;
  std::map<std::pair<std::string, std::string>, ModulePtr> modules_;
  std::uint64_t last_epoch_ = 0;
  std::uint64_t name_epoch_ = 0;
};

}  // namespace hprof::formats::perf
