// SPDX-License-Identifier: Apache-2.0
#include "bpf.h"

#include "perf_event.h"
#include "tracepoint.h"

#include <fmt/format.h>

#include <errno.h>
#include <linux/bpf.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <span>
#include <vector>

namespace hprof {
namespace {

constexpr char kLicense[] = "Apache-2.0";

long call_bpf(bpf_cmd command, bpf_attr& attr) {
  return ::syscall(SYS_bpf, command, &attr, sizeof(attr));
}

std::uint64_t pointer(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

// Instructions by their mnemonic of the kernel's documentation ("BPF Instruction Set").
struct Assembler {
  std::vector<bpf_insn> code;

  void emit(int op, int dst, int src, int off, int imm) {
    bpf_insn i{};
    i.code = static_cast<std::uint8_t>(op);
    i.dst_reg = static_cast<std::uint8_t>(dst & 15);
    i.src_reg = static_cast<std::uint8_t>(src & 15);
    i.off = static_cast<std::int16_t>(off);
    i.imm = imm;
    code.push_back(i);
  }
  void move(int dst, int src) { emit(BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0); }
  void move_number(int dst, int value) { emit(BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, value); }
  void add_number(int dst, int value) { emit(BPF_ALU64 | BPF_ADD | BPF_K, dst, 0, 0, value); }
  void shift_right(int dst, int bits) { emit(BPF_ALU64 | BPF_RSH | BPF_K, dst, 0, 0, bits); }
  void load32(int dst, int base, int off) { emit(BPF_LDX | BPF_MEM | BPF_W, dst, base, off, 0); }
  void store32(int base, int off, int src) { emit(BPF_STX | BPF_MEM | BPF_W, base, src, off, 0); }
  void load_map(int dst, int map_fd) {
    emit(BPF_LD | BPF_DW | BPF_IMM, dst, BPF_PSEUDO_MAP_FD, 0, map_fd);
    emit(0, 0, 0, 0, 0);
  }
  void call(int helper) { emit(BPF_JMP | BPF_CALL, 0, 0, 0, helper); }
  /// A jump that is taken if `reg` is 0, to where land() is called with what this returns.
  [[nodiscard]] std::size_t jump_if_zero(int reg) {
    emit(BPF_JMP | BPF_JEQ | BPF_K, reg, 0, 0, 0);
    return code.size();
  }
  void land(std::size_t jump) {
    code[jump - 1].off = static_cast<std::int16_t>(code.size() - jump);
  }
  void exit() { emit(BPF_JMP | BPF_EXIT, 0, 0, 0, 0); }

  /// r0 = the place of the current id in the map, or 0. Uses the stack at -4.
  void look_up_current(int map_fd, BpfFilter::Key key) {
    call(BPF_FUNC_get_current_pid_tgid);
    if (key == BpfFilter::Key::process) shift_right(0, 32);
    store32(10, -4, 0);
    move(2, 10);
    add_number(2, -4);
    load_map(1, map_fd);
    call(BPF_FUNC_map_lookup_elem);
  }
};

Result<UniqueFd> load_program(bpf_prog_type type, std::span<const bpf_insn> code) {
  bpf_attr attr{};
  attr.prog_type = type;
  attr.insns = pointer(code.data());
  attr.insn_cnt = static_cast<std::uint32_t>(code.size());
  attr.license = pointer(kLicense);
  const long fd = call_bpf(BPF_PROG_LOAD, attr);
  if (fd < 0) {
    const int reason = errno;
    return system_error(reason, "cannot load the BPF filter");
  }
  return UniqueFd{static_cast<int>(fd)};
}

Result<UniqueFd> make_map(std::uint32_t max_ids) {
  bpf_attr attr{};
  attr.map_type = BPF_MAP_TYPE_HASH;
  attr.key_size = 4;
  attr.value_size = 4;
  attr.max_entries = max_ids;
  const long fd = call_bpf(BPF_MAP_CREATE, attr);
  if (fd < 0) {
    const int reason = errno;
    return system_error(reason, "cannot make the BPF map");
  }
  return UniqueFd{static_cast<int>(fd)};
}

}  // namespace

Result<BpfFilter> BpfFilter::load(Key key, std::uint32_t max_ids) {
  BpfFilter out;
  HPROF_ASSIGN(out.ids_, make_map(max_ids));
  Assembler a;
  a.look_up_current(out.ids_.get(), key);
  const std::size_t unknown = a.jump_if_zero(0);
  a.move_number(0, 1);
  a.land(unknown);
  a.exit();
  HPROF_ASSIGN(out.filter_, load_program(BPF_PROG_TYPE_PERF_EVENT, a.code));
  return out;
}

Result<void> BpfFilter::attach(int perf_fd) const {
  if (::ioctl(perf_fd, PERF_EVENT_IOC_SET_BPF, filter_.get()) != 0) {
    const int reason = errno;
    return system_error(reason, "cannot attach the BPF filter");
  }
  return {};
}

Result<void> BpfFilter::follow_forks() {
  HPROF_ASSIGN(const Tracepoint fork, find_tracepoint("sched:sched_process_fork"));
  const std::optional<std::uint32_t> child = fork.offset_of("child_pid");
  if (!child) {
    return Error{ErrorKind::unsupported, "tracepoint sched_process_fork has no child_pid", {}};
  }
  Assembler a;
  a.move(6, 1);
  a.look_up_current(ids_.get(), Key::process);
  const std::size_t unknown = a.jump_if_zero(0);
  a.load32(1, 6, static_cast<int>(*child));
  a.store32(10, -8, 1);
  a.move_number(1, 1);
  a.store32(10, -12, 1);
  a.load_map(1, ids_.get());
  a.move(2, 10);
  a.add_number(2, -8);
  a.move(3, 10);
  a.add_number(3, -12);
  a.move_number(4, BPF_ANY);
  a.call(BPF_FUNC_map_update_elem);
  a.land(unknown);
  a.move_number(0, 0);
  a.exit();
  HPROF_ASSIGN(fork_program_, load_program(BPF_PROG_TYPE_TRACEPOINT, a.code));
  perf_event_attr attr{};
  attr.size = sizeof(attr);
  attr.type = PERF_TYPE_TRACEPOINT;
  attr.config = fork.id;
  attr.sample_period = 1;
  // The program runs whichever CPU forks; the event is only what it hangs on.
  HPROF_ASSIGN(fork_event_, open_perf_event(attr, -1, online_cpus().front(), "sched_process_fork"));
  if (::ioctl(fork_event_.get(), PERF_EVENT_IOC_SET_BPF, fork_program_.get()) != 0 ||
      ::ioctl(fork_event_.get(), PERF_EVENT_IOC_ENABLE, 0) != 0) {
    const int reason = errno;
    return system_error(reason, "cannot attach the BPF program for forks");
  }
  return {};
}

Result<void> BpfFilter::add(int id) const {
  const std::uint32_t key = static_cast<std::uint32_t>(id);
  const std::uint32_t value = 1;
  bpf_attr attr{};
  attr.map_fd = static_cast<std::uint32_t>(ids_.get());
  attr.key = pointer(&key);
  attr.value = pointer(&value);
  attr.flags = BPF_ANY;
  if (call_bpf(BPF_MAP_UPDATE_ELEM, attr) != 0) {
    const int reason = errno;
    return system_error(reason, "cannot fill the BPF map");
  }
  return {};
}

void BpfFilter::remove(int id) const {
  const std::uint32_t key = static_cast<std::uint32_t>(id);
  bpf_attr attr{};
  attr.map_fd = static_cast<std::uint32_t>(ids_.get());
  attr.key = pointer(&key);
  call_bpf(BPF_MAP_DELETE_ELEM, attr);
}

}  // namespace hprof
