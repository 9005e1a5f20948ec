# An output folder that is missing, read-only or full: exit 1, one sentence, no file, target alive.
start_target bash -c 'while :; do :; done'
expect_exit 1 "$HPROF" record "$TARGET" -d 10 -o missing/a.svg
expect_text err.txt '^hprof: missing/a.svg: .*No such file or directory'
[ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null || skip "cannot mount"
mkdir full closed
cat >inside.sh <<'END'
set -e
mount -t tmpfs -o size=16k tmpfs full
head -c 12k /dev/zero >full/filler
code=0; "$HPROF" record "$1" -d 500ms -F 999 -o full/a.svg 2>full.txt || code=$?
[ $code = 1 ] || { cat full.txt; echo "full: exit $code"; exit 1; }
[ "$(ls -A full)" = filler ] || { ls -A full; echo "something was left"; exit 1; }
mount -t tmpfs -o ro tmpfs closed
code=0; "$HPROF" record "$1" -d 10 -o closed/a.svg 2>closed.txt || code=$?
[ $code = 1 ] || { cat closed.txt; echo "closed: exit $code"; exit 1; }
# What can be written is written all the same.
code=0; "$HPROF" record "$1" -d 500ms -F 999 -o full/a.svg -o good.folded 2>both.txt || code=$?
[ $code = 1 ] && [ -s good.folded ] || { cat both.txt; echo "both: exit $code"; exit 1; }
END
HPROF=$HPROF unshare -m bash inside.sh "$TARGET" || fail "see above"
expect_text full.txt 'full/a.svg: .*No space left on device'
expect_text closed.txt 'closed/a.svg: .*Read-only file system'
kill -0 "$TARGET" || fail "the target is gone"
