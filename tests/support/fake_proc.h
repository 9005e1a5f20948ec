// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/target/proc_fs.h>

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace hprof::capture_test {

/// A folder that is removed with the object.
class TempFolder {
 public:
  TempFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "hprof-test-XXXXXX").native();
    path_ = ::mkdtemp(name.data());
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  TempFolder(TempFolder&&) = delete;
  TempFolder& operator=(TempFolder&&) = delete;
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream{path_ / name} << text;
  }

 private:
  std::filesystem::path path_;
};

/// A /proc of made-up processes.
class FakeProc : public TempFolder {
 public:
  [[nodiscard]] ProcFs fs() const { return ProcFs{path().native()}; }
  void add(int pid, const std::string& comm, int parent = 1, char state = 'S',
           unsigned flags = 0, int threads = 1) const {
    const std::string folder = fmt::format("{}/", pid);
    write(folder + "stat",
          fmt::format("{} ({}) {} {} {} {} 0 -1 {} 0 0 0 0 7 5 30 10 20 0 {} 0 4711 0 0\n", pid,
                      comm, state, parent, pid, pid, flags, threads));
    write(folder + "status", fmt::format("Name:\t{}\nTgid:\t{}\nUid:\t0\t1000\t0\t0\nNSpid:\t{}\t3\n",
                                         comm, pid, pid));
    write(fmt::format("{}task/{}/comm", folder, pid), comm + "\n");
  }
  void set_exe(int pid, const std::string& target) const {
    std::filesystem::create_symlink(target, path() / std::to_string(pid) / "exe");
  }
};

}  // namespace hprof::capture_test
