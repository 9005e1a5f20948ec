# SPDX-License-Identifier: Apache-2.0
# serial
# Every way to end writes what there is and exits 0: SIGINT, the target's end, a command's end.
. "$SOURCE/tests/cli/dump.bash"
start_busy
can_profile
start_dump "$TARGET" --folder int --interval 1h -F 97
sleep 1
stop_dump INT
[ "$(files_in int)" = 1 ] || fail "SIGINT"
start_dump "$TARGET" --folder gone --interval 1h -F 97
sleep 1
kill -9 "$TARGET"
got=0; wait $DUMP || got=$?
[ $got = 0 ] || fail "exit $got at the target's end: $(cat dump.err)"
check_dumps gone
is_true "$files == 1 && $samples > 10 && $sum > 0.8"
expect_text dump.err "$TARGET \(bash\) has ended"
expect_exit 0 "$HPROF" dump --folder cmd --interval 300ms -F 97 -- \
  bash -c 'end=$((SECONDS + 2)); while [ $SECONDS -lt $end ]; do :; done; exit 3'
check_dumps cmd
is_true "$files >= 3 && $samples > 10 && $gap < 0.0001"
expect_exit 4 "$HPROF" dump 4194300 --folder none
expect_exit 4 "$HPROF" dump -n no-such-program-here --folder none
[ "$(files_in none)" = 0 ] || fail "files of nobody"
