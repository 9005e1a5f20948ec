# SPDX-License-Identifier: Apache-2.0
# serial
# A day of ten-minute windows at 1:600, or 25 s of it; HPROF_SOAK=1 for the whole. Flat memory and
# descriptors, exact retention, windows that add up to the time that passed.
. "$SOURCE/tests/cli/dump.bash"
windows=22
[ "${HPROF_SOAK:-}" != 1 ] || windows=144
start_busy
can_profile
printf '[dump]\nfolder = "out"\ninterval = "1s"\nrate = 97\nkeep_count = 100000\n' >c.toml
start_dump "$TARGET" --config c.toml
memory() { awk '/^VmRSS/ { print $2 }' /proc/$DUMP/status; }
descriptors() { find /proc/$DUMP/fd -mindepth 1 | wc -l; }
sleep 8  # the caches of symbols and unwind rows fill
memory_before=$(memory); fds_before=$(descriptors)
until at_least out $windows; do sleep 0.2; done
memory_after=$(memory); fds_after=$(descriptors)
check_dumps out
is_true "$gap < 0.0001 && $sum > 0.99 * $span && $sum < 1.01 * $span"
echo "memory $memory_before -> $memory_after KiB, descriptors $fds_before -> $fds_after"
is_true "$memory_after < 1.05 * $memory_before + 1024"
[ "$fds_after" -le "$fds_before" ] || fail "descriptors leak"
# Retention, exact from the next window on.
sed -i 's/keep_count.*/keep_count = 10/' c.toml
kill -HUP $DUMP
sleep 2.5
[ "$(files_in out)" = 10 ] || fail "$(files_in out) files instead of 10"
stop_dump
[ "$(files_in out)" = 10 ] || fail "$(files_in out) files at the end"
check_dumps out
is_true "$gap < 0.0001"
