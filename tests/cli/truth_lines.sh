# Inlined frames carry the right lines: the inner function's own line, the caller's line of the call.
# serial
. "$(dirname "${BASH_SOURCE[0]}")/truth.bash"
need gcc
gcc -O2 -g -fomit-frame-pointer "$SPLIT" -o split
start_target ./split
expect_exit 0 "$HPROF" record "$TARGET" -d 2 -F 499 --user-only -o cpu.pb.gz
kill -9 "$TARGET"
line=$(grep -n INLINED-LINE "$SPLIT" | cut -d: -f1)
call=$(grep -n '^WORK(half_of_it)' "$SPLIT" | cut -d: -f1)
expect_exit 0 "$HPROF" convert cpu.pb.gz --granularity lines --format folded -o lines.txt
expect_most lines.txt "half_of_it[^;]*split.c:$call;inlined_step[^;]*split.c:$((line - 1))|inlined_step[^;]*split.c:$line|inlined_step[^;]*split.c:$((line + 1))" 90
expect_most lines.txt "[a-z_]+[^;]*split.c:$call;inlined_step" 40
