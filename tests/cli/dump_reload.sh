# SPDX-License-Identifier: Apache-2.0
# serial
# SIGHUP reads the config again, also in the middle of a cut; a bad one changes nothing.
. "$SOURCE/tests/cli/dump.bash"
start_busy
can_profile
printf 'version = 1\n[dump]\nfolder = "out"\ninterval = "1h"\nrate = 49\n' >c.toml
start_dump "$TARGET" --config c.toml
[ "$(files_in out)" = 0 ] || fail "too early"
printf '[dump]\nfolder = "out"\ninterval = "500ms"\nrate = 49\n' >c.toml
kill -HUP $DUMP
wait_for grep -q 'reloaded: cpu every 500ms' dump.err
wait_for at_least out 3
printf '[dump]\nfolder = 5\n' >c.toml
kill -HUP $DUMP
wait_for grep -q 'not reloaded: c.toml:2:10: dump.folder' dump.err
before=$(files_in out)
wait_for at_least out $((before + 2))
# Reload while cutting, many times over.
printf '[dump]\nfolder = "out"\ninterval = "300ms"\nrate = 49\n' >c.toml
for _ in {1..30}; do kill -USR1 $DUMP; kill -HUP $DUMP; sleep 0.05; done
sleep 1
stop_dump
check_dumps out
is_true "$gap < 0.0001 && $sum > 0.999 * $span"
# Another rate needs another sampler: the windows of the two follow each other closely.
printf '[dump]\nfolder = "rate"\ninterval = "1h"\nrate = 49\n' >c.toml
start_dump "$TARGET" --config c.toml
sleep 1
printf '[dump]\nfolder = "rate"\ninterval = "1h"\nrate = 97\n' >c.toml
kill -HUP $DUMP
wait_for at_least rate 1
sleep 1
stop_dump
check_dumps rate
is_true "$files == 2 && $gap < 2"
