# record -- CMD returns the command's own status; 0 becomes hprof's own.
burn='i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done'
expect_exit 0 "$HPROF" record -F 499 -o a.folded -- bash -c "$burn"
[ -s a.folded ] || fail "no profile"
expect_exit 3 "$HPROF" record -F 499 -o b.folded -- bash -c "$burn; exit 3"
[ -s b.folded ] || fail "no profile of a command that fails"
expect_exit 137 "$HPROF" record -F 499 -o c.folded -- bash -c "$burn; kill -9 \$\$"
expect_exit 6 "$HPROF" record -F 1 -o d.folded -- sleep 0.2
[ ! -e d.folded ] || fail "a profile without a sample"
expect_exit 5 "$HPROF" record -F 1 -o d.folded -- bash -c 'sleep 0.1; exit 5'
expect_exit 1 "$HPROF" record -o e.folded -- ./no-such-program
[ ! -e e.folded ] || fail "a profile of nothing"
# The command's arguments are its own, and so are its input and output.
echo hello | "$HPROF" record -q -F 999 -o f.folded -- bash -c "$burn; cat; echo \$1" x -d >out.txt || true
printf 'hello\n-d\n' | diff - out.txt || fail "input, output or arguments"

# A signal to hprof alone: the profile is written and the command runs on.
"$HPROF" record -F 499 -o g.folded -- bash -c 'echo $$ >pid; while :; do :; done' 2>err.txt & pid=$!
sleep 1
kill -INT $pid
code=0; wait $pid || code=$?
[ $code = 0 ] && [ -s g.folded ] || { cat err.txt; fail "hprof alone: exit $code"; }
kill -0 "$(cat pid)" || fail "the command did not run on"
kill -9 "$(cat pid)"

# A signal to the whole group ends both.
cat >group.py <<'END'
import os, signal, subprocess, sys, time
p = subprocess.Popen([sys.argv[1], "record", "-F", "499", "-o", "h.folded", "--", "bash", "-c", "trap - INT; while :; do :; done"],
                     start_new_session=True, stderr=subprocess.DEVNULL,
                     preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
time.sleep(1)
os.killpg(p.pid, signal.SIGINT)
sys.exit(p.wait())
END
need python3
expect_exit 130 python3 group.py "$HPROF"
[ -s h.folded ] || fail "no profile after Ctrl-C"
