# Helpers for the tests of this folder; sourced by run_one.bash.
fail() { echo "FAIL: $*" >&2; exit 1; }
skip() { echo "SKIP: $*" >&2; exit 77; }
need() { command -v "$1" >/dev/null || skip "$1 is not installed"; }
# expect_exit CODE COMMAND...: runs the command, its output to out.txt and err.txt.
expect_exit() {
  local want=$1 got=0; shift
  "$@" >out.txt 2>err.txt || got=$?
  [ "$got" = "$want" ] || { cat out.txt err.txt >&2; fail "exit $got instead of $want: $*"; }
}
expect_text() { grep -qE -- "$2" "$1" || { cat "$1" >&2; fail "$1 lacks: $2"; }; }
refuse_text() { ! grep -qE -- "$2" "$1" || { cat "$1" >&2; fail "$1 has: $2"; }; }
# start_target COMMAND...: runs it in the background, sets $TARGET to its pid, kills it at the end.
start_target() { "$@" & TARGET=$!; sleep 0.3; kill -0 "$TARGET" 2>/dev/null || fail "target died: $*"; }
cleanup() { jobs -p | xargs -r kill -9 2>/dev/null || true; }
trap cleanup EXIT
