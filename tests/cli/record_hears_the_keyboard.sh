# Ctrl-C typed at a terminal: a PID recording ends with 0, a command's with 130, whatever it does.
need python3
start_target bash -c 'while :; do :; done'
cat >type.py <<'END'
import os, pty, sys, time
# type.py DELAY COMMAND...: runs COMMAND on a terminal of its own, types ^C after DELAY seconds.
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
time.sleep(float(sys.argv[1]))
os.write(fd, b"\x03")
seen = b""
while True:
    try:
        got = os.read(fd, 4096)
    except OSError:
        break
    if not got:
        break
    seen += got
sys.stdout.write(seen.decode(errors="replace"))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
END
expect_exit 0 python3 type.py 1.5 "$HPROF" record "$TARGET" -F 499 -o a.folded
[ -s a.folded ] || fail "no profile of a PID"
kill -0 "$TARGET" || fail "the target is gone"
expect_exit 130 python3 type.py 1.5 "$HPROF" record -F 499 -o b.folded -- bash -c 'while :; do :; done'
[ -s b.folded ] || fail "no profile of a command"
expect_exit 130 python3 type.py 1.5 "$HPROF" record -F 499 -o c.folded -- bash -c 'trap "exit 0" INT; while :; do :; done'
[ -s c.folded ] || fail "no profile of a command that handles Ctrl-C"
