# SPDX-License-Identifier: Apache-2.0
# The six flags of a harmony node work on dump and serve, three of them only in --help-advanced;
# lists are checked; what is wrong has the right exit code.
. "$SOURCE/tests/cli/dump.bash"
for command in dump serve; do
  "$HPROF" "$command" --help >help.txt 2>/dev/null || { [ $command = serve ] && continue; fail "no $command"; }
  "$HPROF" "$command" --help-advanced >all.txt
  for flag in --pprof --pprof.addr --pprof.profile.names; do
    expect_text help.txt "^ +$flag( |\$)"; expect_text all.txt "^ +$flag( |\$)"
  done
  for flag in --pprof.folder --pprof.profile.intervals --pprof.profile.debug; do
    refuse_text help.txt "$flag"; expect_text all.txt "^ +$flag( |\$)"
  done
done
expect_exit 0 "$HPROF" dump 1 --pprof --pprof.addr 127.0.0.1:7070 --pprof.folder x/y \
  --pprof.profile.names cpu,heap --pprof.profile.intervals 30,60 --pprof.profile.debug 0,2 --print-config
expect_text out.txt '^folder = "x/y" +# flag'
expect_text out.txt '^kinds = \["cpu", "heap"\]'
expect_text out.txt '^interval = \["30s", "1m"\]'
expect_text out.txt '^debug = \[0, 2\]'
expect_text out.txt '^# --pprof.addr 127.0.0.1:7070'

expect_exit 2 "$HPROF" dump 1 -k cpu,heap --interval 1s,2s,3s
expect_text err.txt '--interval has 3 items for 2 kinds'
expect_exit 2 "$HPROF" dump 1 -k cpu,nosuch
expect_text err.txt "unknown 'nosuch'"
expect_exit 2 "$HPROF" dump 1 -k cpu,cpu
expect_exit 2 "$HPROF" dump 1 --debug 3
expect_exit 2 "$HPROF" dump 1 --interval -5s
expect_exit 2 "$HPROF" dump 1 --folder ''
expect_exit 2 "$HPROF" dump 1 --keep-free 120%
expect_exit 2 "$HPROF" dump
printf '[dump]\nkinds = ["cpu", "heap"]\ninterval = ["1s", "2s", "3s"]\n' >c.toml
expect_exit 5 "$HPROF" dump 1 --config c.toml
expect_text err.txt 'c.toml: \[dump\]: --interval has 3 items for 2 kinds'
printf '[dump]\nkinds = ["cpu", "nosuch"]\n' >c.toml
expect_exit 5 "$HPROF" dump 1 --config c.toml
printf '[dump]\ninterval = "-5s"\n' >c.toml
expect_exit 5 "$HPROF" dump 1 --config c.toml
expect_text err.txt 'c.toml:2:12: dump.interval'
: >empty.toml
expect_exit 5 "$HPROF" dump 1 --config empty.toml
# Flag over variable over file.
printf '[dump]\nfolder = "of-file"\nkeep_age = "1h"\n' >c.toml
HPROF_DUMP_FOLDER=of-variable expect_exit 0 "$HPROF" dump 1 --config c.toml --print-config
expect_text out.txt '^folder = "of-variable" +# HPROF_DUMP_FOLDER'
expect_text out.txt '^keep_age = \["1h"\] +# c.toml:3'
HPROF_DUMP_FOLDER=of-variable expect_exit 0 "$HPROF" dump 1 --config c.toml --folder of-flag --print-config
expect_text out.txt '^folder = "of-flag" +# flag'
