# SPDX-License-Identifier: Apache-2.0
# serial
# Continuous windows: no gap, whole files that go tool pprof reads, right names and modes, SIGUSR1
# and SIGTERM.
. "$SOURCE/tests/cli/dump.bash"
umask 022
start_busy
can_profile
start_dump "$TARGET" --folder a/b --interval 1s -F 97
wait_for at_least a/b 4
before=$(files_in a/b)
kill -USR1 $DUMP
sleep 0.4
stop_dump
check_dumps a/b
is_true "$files >= $before + 2 && $gap < 0.0001 && $sum > 0.999 * $span && $samples > 40"
[ "$(stat -c %a a a/b | tr '\n' ' ')" = "750 750 " ] || fail "folder modes"
[ "$(find a/b -name '*.gz' ! -perm 640 | wc -l)" = 0 ] || fail "file modes"
[ "$(find a/b -name "cpu.*.$TARGET*.pb.gz" | wc -l)" = "$files" ] || fail "names"
expect_text a/b/.hprof-dump.json '"files_written": '"$files"
expect_text dump.err "$files files written to a/b"
if command -v go >/dev/null; then
  for file in a/b/*.gz; do go tool pprof -raw "$file" >raw.txt 2>&1 || fail "$file: $(cat raw.txt)"; done
fi
# A second Ctrl-C-able run into the same folder, and a duration.
expect_exit 0 "$HPROF" dump "$TARGET" --folder a/b --interval 0 -d 1s --json
expect_text out.txt '"files":1,|"files": 1,'
check_dumps a/b
