// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/base/bytes.h>
#include <hprof/core/base/unique_fd.h>
#include <hprof/core/target/process_info.h>

#include <fmt/format.h>

#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <optional>

namespace hprof {
namespace {

constexpr std::string_view kDeleted = " (deleted)";
constexpr std::uint64_t kKernelThreadFlag = 0x00200000;  // PF_KTHREAD, include/linux/sched.h

std::vector<std::uint64_t> split_numbers(std::string_view text) {
  std::vector<std::uint64_t> out;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find_first_of(" \t\n", at), text.size());
    std::string_view word = text.substr(at, end - at);
    const bool negative = !word.empty() && word.front() == '-';
    if (negative) word.remove_prefix(1);
    std::uint64_t value = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error == std::errc{} && stop == word.data() + word.size()) {
      out.push_back(negative ? ~value + 1 : value);
    }
    at = end + 1;
  }
  return out;
}

std::string_view status_field(std::string_view text, std::string_view key) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    if (line.size() > key.size() && line.starts_with(key) && line[key.size()] == ':') {
      return line.substr(key.size() + 1);
    }
    at = end + 1;
  }
  return {};
}

void parse_status(std::string_view text, ProcessInfo& info) {
  const auto ids = split_numbers(status_field(text, "Uid"));
  if (ids.size() >= 2) info.uid = static_cast<unsigned>(ids[1]);
  const auto group = split_numbers(status_field(text, "Tgid"));
  if (!group.empty()) info.tgid = static_cast<int>(group[0]);
  for (const std::uint64_t id : split_numbers(status_field(text, "NSpid"))) {
    info.ns_pids.push_back(static_cast<int>(id));
  }
}

void read_exe(const ProcFs& proc, ProcessInfo& info) {
  Result<std::string> exe = proc.read_link(info.pid, "exe");
  if (!exe) return;
  info.exe = std::move(*exe);
  if (info.exe.size() > kDeleted.size() && info.exe.ends_with(kDeleted)) {
    info.exe.resize(info.exe.size() - kDeleted.size());
    info.exe_deleted = true;
  }
  const UniqueFd fd{::open(proc.path(info.pid, "exe").c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  std::array<unsigned char, EI_NIDENT> ident{};
  if (!fd.valid() || ::read(fd.get(), ident.data(), ident.size()) != EI_NIDENT) return;
  info.is_32_bit = ident[EI_MAG0] == ELFMAG0 && ident[EI_CLASS] == ELFCLASS32;
}

}  // namespace

std::string ProcessInfo::name() const {
  const std::size_t slash = exe.rfind('/');
  if (exe.empty() || slash + 1 == exe.size()) return comm;
  return exe.substr(slash == std::string::npos ? 0 : slash + 1);
}

// 4242 (a) b) S 1 4242 4242 0 -1 4194560 ...  the name may hold spaces and parentheses
bool parse_stat(std::string_view text, ProcessInfo& info) {
  const std::size_t open = text.find('(');
  const std::size_t close = text.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return false;
  if (close + 3 >= text.size()) return false;
  info.comm = text.substr(open + 1, close - open - 1);
  info.state = text[close + 2];
  const auto fields = split_numbers(text.substr(close + 4));
  if (fields.size() < 19) return false;
  // Indexes: proc(5) counts from 1 and field 4, ppid, is our 0.
  info.parent = static_cast<int>(fields[0]);
  info.kernel_thread = (fields[5] & kKernelThreadFlag) != 0;
  info.user_ticks = fields[10];
  info.system_ticks = fields[11];
  info.children_ticks = fields[12] + fields[13];
  info.threads = static_cast<unsigned>(fields[16]);
  info.start_ticks = fields[18];
  return true;
}

Result<ProcessInfo> read_process(const ProcFs& proc, int pid) {
  HPROF_ASSIGN(const std::string stat, proc.read(pid, "stat"));
  ProcessInfo info;
  info.pid = pid;
  info.tgid = pid;
  if (!parse_stat(stat, info)) {
    return Error{ErrorKind::failed, fmt::format("{} does not follow proc(5)", proc.path(pid, "stat")),
                 {}};
  }
  if (const Result<std::string> status = proc.read(pid, "status")) parse_status(*status, info);
  if (!info.kernel_thread && !info.zombie()) read_exe(proc, info);
  return info;
}

Result<ProcessInfo> read_target(const ProcFs& proc, int pid) {
  HPROF_ASSIGN(ProcessInfo info, read_process(proc, pid));
  if (info.zombie()) {
    return Error{ErrorKind::target_gone,
                 fmt::format("process {} ({}) has ended and waits for its parent {}", pid, info.comm,
                             info.parent),
                 {}};
  }
  return info;
}

bool is_alive(const ProcFs& proc, int pid) {
  const Result<std::string> stat = proc.read(pid, "stat");
  ProcessInfo info;
  return stat && parse_stat(*stat, info) && !info.zombie();
}

std::string read_thread_name(const ProcFs& proc, int pid, int tid) {
  Result<std::string> text = proc.read(pid, fmt::format("task/{}/comm", tid));
  if (!text) return {};
  if (!text->empty() && text->back() == '\n') text->pop_back();
  return std::move(*text);
}

}  // namespace hprof
