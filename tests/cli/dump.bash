# Helpers for dump_*.sh. Sourced after common.sh.
need python3
# start_busy: a process that works most of the time; sets $TARGET.
start_busy() { start_target bash -c 'while :; do for i in {1..2000}; do :; done; read -rt 0.005 <> <(:) || :; done'; }
# can_profile: skips the test where the kernel forbids it.
can_profile() {
  "$HPROF" dump "$TARGET" -d 0.2s --folder probe -q 2>probe.err || skip "cannot profile here: $(cat probe.err)"
  rm -rf probe
}
# start_dump ARGS: runs hprof dump in the background, its words in dump.err; sets $DUMP.
start_dump() {
  "$HPROF" dump "$@" >dump.out 2>dump.err & DUMP=$!
  for _ in {1..100}; do
    grep -q 'cpu-clock\|cycles\|ptrace\|task-clock' dump.err && return 0
    kill -0 $DUMP 2>/dev/null || fail "dump ended: $(cat dump.err)"
    sleep 0.1
  done
  fail "dump does not begin: $(cat dump.err)"
}
# wait_for CONDITION...: until the command succeeds, at most 15 s.
wait_for() {
  for _ in {1..150}; do "$@" >/dev/null 2>&1 && return 0; sleep 0.1; done
  cat dump.err >&2; fail "never: $*"
}
# stop_dump [SIGNAL]: ends it and expects exit 0.
stop_dump() {
  local got=0
  kill -"${1:-TERM}" $DUMP; wait $DUMP || got=$?
  [ $got = 0 ] || { cat dump.err >&2; fail "dump ended with $got"; }
}
files_in() { find "$1" -name 'cpu.*.pb.gz' 2>/dev/null | wc -l; }
at_least() { [ "$(files_in "$1")" -ge "$2" ]; }
# check_dumps FOLDER [PID]: every file is whole; sets files samples sum span gap end.
check_dumps() {
  local facts
  facts=$(python3 "$SOURCE/tests/support/dump_check.py" "$@") || fail "$1: $facts"
  echo "$1: $facts"
  eval "$facts"
}
is_true() { awk "BEGIN { exit !($1) }" || fail "not so: $1"; }
