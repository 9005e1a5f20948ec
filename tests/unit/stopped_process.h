// SPDX-License-Identifier: Apache-2.0
// A child process held by ptrace, with what an unwinder is given: registers, a copy of the stack,
// the address space, and memory. For tests and benches.
#pragma once

#include <hprof/core/base/unique_fd.h>
#include <hprof/core/capture/unwinder.h>

#include <elf.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace hprof::testing {

/// Memory of another process by process_vm_readv.
class VmReader : public MemoryReader {
 public:
  explicit VmReader(int pid) : pid_(pid) {}
  std::size_t read(std::uint64_t address, std::span<std::byte> out) override {
    ++reads;
    std::size_t done = 0;
    // Page by page, so that a hole ends the read and not all of it.
    while (done < out.size()) {
      const std::uint64_t at = address + done;
      const std::size_t count = std::min<std::size_t>(out.size() - done, 4096 - at % 4096);
      iovec local{out.data() + done, count};
      iovec remote{reinterpret_cast<void*>(at), count};
      const ssize_t got = ::process_vm_readv(pid_, &local, 1, &remote, 1, 0);
      if (got <= 0) break;
      done += static_cast<std::size_t>(got);
    }
    return done;
  }
  int reads = 0;

 private:
  int pid_;
};

inline AddressSpace space_of(int pid) {
  AddressSpace space;
  std::ifstream maps("/proc/" + std::to_string(pid) + "/maps");
  std::string line;
  std::vector<std::pair<std::string, ModulePtr>> known;
  while (std::getline(maps, line)) {
    std::istringstream in(line);
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint64_t offset = 0;
    char dash = 0;
    std::string mode;
    std::string device;
    std::string inode;
    std::string path;
    in >> std::hex >> start >> dash >> end >> mode >> offset >> device >> inode >> std::ws;
    std::getline(in, path);
    if (mode.size() < 3 || mode[2] != 'x') continue;
    ModulePtr module;
    for (const auto& [name, one] : known) {
      if (name == path && !path.empty()) module = one;
    }
    if (module == nullptr) {
      auto fresh = std::make_shared<Module>();
      fresh->path = path;
      fresh->pid = pid;
      if (path == "[vdso]") {
        fresh->kind = ModuleKind::vdso;
        fresh->copied.resize(end - start);
        VmReader{pid}.read(start, fresh->copied);
      } else if (path.starts_with('/')) {
        fresh->kind = ModuleKind::file;
        auto file = MappedFile::open(path);
        if (file) fresh->file = *std::move(file);
      } else {
        fresh->kind = path.empty() ? ModuleKind::jit : ModuleKind::other;
      }
      module = fresh;
      known.emplace_back(path, module);
    }
    space.map({start, end, offset, module});
  }
  return space;
}

inline UserRegisters registers_of(const user_regs_struct& raw) {
  UserRegisters out;
#if defined(__x86_64__)
  out.value = {raw.rax, raw.rdx, raw.rcx, raw.rbx, raw.rsi, raw.rdi, raw.rbp, raw.rsp, raw.r8,
               raw.r9,  raw.r10, raw.r11, raw.r12, raw.r13, raw.r14, raw.r15, raw.rip};
#else
  for (std::size_t i = 0; i < 31; ++i) out.value[i] = raw.regs[i];
  out.value[31] = raw.sp;
  out.value[32] = raw.pc;
#endif
  return out;
}

class StoppedProcess {
 public:
  /// Starts `argv`, waits for a line "ready", and with `until_paused` until it is in pause(2).
  static std::unique_ptr<StoppedProcess> start(const std::vector<std::string>& argv,
                                               bool until_paused = true) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return nullptr;
    const int pid = ::fork();
    if (pid == 0) {
      ::dup2(ends[1], 1);
      std::vector<char*> raw;
      for (const std::string& one : argv) raw.push_back(const_cast<char*>(one.c_str()));
      raw.push_back(nullptr);
      ::execv(raw[0], raw.data());
      ::_exit(127);
    }
    ::close(ends[1]);
    char text[6] = {};
    const ssize_t got = ::read(ends[0], text, sizeof text);
    ::close(ends[0]);
    auto out = std::unique_ptr<StoppedProcess>(new StoppedProcess(pid));
    if (got <= 0) return nullptr;
    for (int i = 0; until_paused && i < 5000 && !out->in_pause(); ++i) ::usleep(1000);
    return out;
  }
  ~StoppedProcess() {
    ::kill(pid_, SIGKILL);
    int status = 0;
    ::waitpid(pid_, &status, 0);
  }
  StoppedProcess(const StoppedProcess&) = delete;
  StoppedProcess& operator=(const StoppedProcess&) = delete;

  /// Stops thread `tid` and takes its registers and `stack_bytes` of its stack; false if not
  /// allowed.
  bool stop(std::size_t stack_bytes = 16384, int tid = 0) {
    tid_ = tid == 0 ? pid_ : tid;
    if (::ptrace(PTRACE_SEIZE, tid_, 0, 0) != 0) return false;
    if (::ptrace(PTRACE_INTERRUPT, tid_, 0, 0) != 0) return false;
    int status = 0;
    if (::waitpid(tid_, &status, __WALL) != tid_ || !WIFSTOPPED(status)) return false;
    user_regs_struct raw{};
    iovec where{&raw, sizeof raw};
    if (::ptrace(PTRACE_GETREGSET, tid_, NT_PRSTATUS, &where) != 0) return false;
    registers = registers_of(raw);
    stack_.resize(stack_bytes);
    stack_.resize(VmReader{pid_}.read(registers.sp(), stack_));
    space = space_of(pid_);
    return true;
  }
  void detach() { ::ptrace(PTRACE_DETACH, tid_, 0, 0); }
  /// Leaves it stopped (job control) for another tracer.
  void detach_stopped() { ::ptrace(PTRACE_DETACH, tid_, 0, SIGSTOP); }

  [[nodiscard]] int pid() const { return pid_; }
  [[nodiscard]] StackCopy stack() const { return {registers.sp(), stack_}; }

  UserRegisters registers;
  AddressSpace space;

 private:
  explicit StoppedProcess(int pid) : pid_(pid) {}
  [[nodiscard]] bool in_pause() const {
    // The number of the system call that the thread waits in; arm64 has ppoll for pause.
    std::ifstream file("/proc/" + std::to_string(pid_) + "/syscall");
    std::string number;
    file >> number;
    return number == "34" || number == "73";
  }
  int pid_;
  int tid_ = 0;
  std::vector<std::byte> stack_;
};

}  // namespace hprof::testing
