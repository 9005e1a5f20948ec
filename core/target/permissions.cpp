// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/target/permissions.h>

#include <fmt/format.h>

#include <linux/capability.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <optional>

namespace hprof {
namespace {

// CAP_PERFMON and CAP_BPF came with Linux 5.8; older headers lack them.
constexpr int kCapPerfmon = 38;
constexpr int kCapBpf = 39;
// The pid namespace the kernel starts with has a fixed inode. Source: include/linux/proc_ns.h.
constexpr ino_t kInitialPidNamespace = 0xeffffffc;

std::optional<int> read_number(const ProcFs& proc, std::string_view name) {
  const Result<std::string> text = proc.read(name, 64);
  int value = 0;
  if (!text) return std::nullopt;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  return error == std::errc{} ? std::optional{value} : std::nullopt;
}

template <typename T>
T status_number(std::string_view status, std::string_view key, int base, T otherwise) {
  std::size_t at = status.find(key);
  if (at == std::string_view::npos) return otherwise;
  at = status.find_first_not_of(" \t", at + key.size());
  if (at == std::string_view::npos) return otherwise;
  T value{};
  const auto [end, error] =
      std::from_chars(status.data() + at, status.data() + status.size(), value, base);
  return error == std::errc{} ? value : otherwise;
}

/// With kptr_restrict every address reads as zero, so one that is not zero settles it.
bool shows_kernel_symbols(const ProcFs& proc) {
  const Result<std::string> text = proc.read("kallsyms", 4096);
  return text && !text->empty() && text->find_first_not_of('0') < text->find(' ');
}

}  // namespace

bool Permissions::perfmon() const { return has_cap(kCapPerfmon) || has_cap(CAP_SYS_ADMIN); }

bool Permissions::bpf() const {
  return has_cap(CAP_SYS_ADMIN) || (has_cap(kCapBpf) && has_cap(kCapPerfmon));
}

bool Permissions::may_see_kernel() const { return perfmon() || perf_event_paranoid <= 1; }

bool Permissions::may_watch_cpus() const { return perfmon() || perf_event_paranoid <= 0; }

std::string Permissions::sentence() const {
  constexpr std::string_view kSeccomp[] = {"off", "strict", "filter"};
  return fmt::format("perf_event_paranoid {}, seccomp {}, uid {}, {}", perf_event_paranoid,
                     kSeccomp[seccomp_mode >= 0 && seccomp_mode <= 2 ? seccomp_mode : 2], uid,
                     perfmon() ? "CAP_PERFMON" : "no CAP_PERFMON");
}

Permissions read_permissions(const ProcFs& proc) {
  Permissions p;
  p.perf_event_paranoid =
      read_number(proc, "sys/kernel/perf_event_paranoid").value_or(p.perf_event_paranoid);
  p.kptr_restrict = read_number(proc, "sys/kernel/kptr_restrict");
  p.ptrace_scope = read_number(proc, "sys/kernel/yama/ptrace_scope");
  p.perf_mlock_kib = read_number(proc, "sys/kernel/perf_event_mlock_kb");
  p.max_sample_rate = read_number(proc, "sys/kernel/perf_event_max_sample_rate");
  p.unprivileged_bpf_disabled = read_number(proc, "sys/kernel/unprivileged_bpf_disabled");
  if (const Result<std::string> status = proc.read("self/status")) {
    p.seccomp_mode = status_number(*status, "Seccomp:", 10, p.seccomp_mode);
    p.effective_caps = status_number(*status, "CapEff:", 16, p.effective_caps);
  }
  p.kernel_symbols = shows_kernel_symbols(proc);
  p.uid = ::geteuid();
  rlimit limit{};
  if (::getrlimit(RLIMIT_MEMLOCK, &limit) == 0) p.memlock_bytes = limit.rlim_cur;
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    p.nofile_soft = limit.rlim_cur;
    p.nofile_hard = limit.rlim_max;
  }
  struct stat status {};
  if (::stat((proc.root() + "/self/ns/pid").c_str(), &status) == 0) {
    p.initial_pid_namespace = status.st_ino == kInitialPidNamespace;
  }
  return p;
}

std::uint64_t raise_open_file_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 256;
  const rlimit raised{limit.rlim_max, limit.rlim_max};
  return ::setrlimit(RLIMIT_NOFILE, &raised) == 0 ? raised.rlim_cur : limit.rlim_cur;
}

}  // namespace hprof
