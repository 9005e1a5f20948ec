# SPDX-License-Identifier: Apache-2.0
# serial
# A named target is found again after a restart; several targets have files of their own.
. "$SOURCE/tests/cli/dump.bash"
name=hp$$x
cp "$(command -v bash)" "./$name"
busy() { "./$name" -c 'while :; do for i in {1..2000}; do :; done; read -rt 0.005 <> <(:) || :; done' & BUSY=$!; }
busy; first=$BUSY; TARGET=$first
sleep 0.3
can_profile
start_dump -n "$name" --folder out --interval 500ms -F 97
wait_for at_least out 2
kill -9 $first
wait_for grep -q "$first ($name) has ended" dump.err
sleep 0.5
busy; second=$BUSY
wait_for grep -q "$second ($name): cpu" dump.err
written() { [ "$(find out -name "cpu.*.$1*.pb.gz" | wc -l)" -ge 2 ]; }
wait_for written $second
stop_dump
check_dumps out $first; is_true "$files >= 2 && $gap < 0.0001"
check_dumps out $second; is_true "$files >= 2 && $gap < 0.0001"
# With --wait it may come later, and systemd need not wait.
kill -9 $second; wait $second 2>/dev/null || true
"$HPROF" dump -n "$name" --wait --folder late --interval 0 -F 97 2>dump.err & DUMP=$!
sleep 0.5
busy
wait_for grep -q "$BUSY ($name): cpu" dump.err
sleep 0.5
stop_dump
[ "$(files_in late)" = 1 ] || fail "late"
# Two at once.
busy
expect_exit 2 "$HPROF" dump -n "$name" --folder two -d 1s
expect_exit 0 "$HPROF" dump -n "$name" --all-matches --folder two -d 1s -F 97
[ "$(files_in two)" = 2 ] || fail "two targets: $(ls two)"
# Waiting can be ended, too.
"$HPROF" dump -n no-such-program-here --wait --folder never 2>dump.err & DUMP=$!
sleep 0.5
stop_dump
