# Once: stop and write. Twice: write now. Three times: leave no file. The target never notices.
start_target bash -c 'while :; do :; done'
stop_by() {  # stop_by FILE SIGNALS...: exit status in $code
  local file=$1; shift
  "$HPROF" record "$TARGET" -F 499 -o "$file" 2>err.txt & local pid=$!
  sleep 1
  for signal in "$@"; do kill -"$signal" $pid 2>/dev/null || true; done
  code=0; wait $pid || code=$?
}
stop_by once.folded INT
[ $code = 0 ] && [ -s once.folded ] || { cat err.txt; fail "once: exit $code"; }
stop_by term.folded TERM
[ $code = 0 ] && [ -s term.folded ] || { cat err.txt; fail "SIGTERM: exit $code"; }
stop_by twice.folded INT TERM
[ $code = 0 ] && [ -s twice.folded ] || { cat err.txt; fail "twice: exit $code"; }
stop_by thrice.folded INT TERM HUP
[ $code = 1 ] && [ ! -e thrice.folded ] || { cat err.txt; fail "three times: exit $code"; }
stop_by killed.folded KILL
[ $code = 137 ] || fail "kill -9: exit $code"
[ -z "$(ls -A | grep -v -e 'once\|term\|twice\|err.txt\|out.txt')" ] || { ls -A; fail "something was left"; }
kill -0 "$TARGET" || fail "the target is gone"
grep -q '^State:.*R' "/proc/$TARGET/status" || fail "the target is not running"
