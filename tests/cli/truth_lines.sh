# Inlined frames carry the right lines: the inner function's own line, the caller's line of the call.
# serial
. "$(dirname "${BASH_SOURCE[0]}")/truth.bash"
need gcc
gcc -O2 -g -fomit-frame-pointer "$SPLIT" -o split
start_target ./split
expect_exit 0 "$HPROF" record "$TARGET" -d 2 -F 997 --user-only -o cpu.pb.gz
kill -9 "$TARGET"
python3 "$SOURCE/tests/support/pprof_read.py" --lines cpu.pb.gz >lines.txt
step=$(grep -n INLINED-LINE "$SPLIT" | cut -d: -f1)
call=$(grep -n '^WORK(half_of_it' "$SPLIT" | cut -d: -f1)
# The loop is the line of the step and its two neighbours.
inner="inlined_step:($((step - 1))|$step|$((step + 1)))"
expect_most lines.txt "$inner " 90
expect_share lines.txt "half_of_it:$call;$inner " 50
