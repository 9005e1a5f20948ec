# serial
# `hprof --help` starts within 10 ms: the best of 20 runs, in CPU time, since the machine may be busy.
need python3
grep -qa __asan_init "$HPROF" && skip "sanitizers are slow"
python3 - "$HPROF" <<'END' || fail "slower than 10 ms"
import os, sys
best = 1.0
for _ in range(20):
    null = os.open(os.devnull, os.O_WRONLY)
    pid = os.posix_spawn(sys.argv[1], [sys.argv[1], "--help"], os.environ,
                         file_actions=[(os.POSIX_SPAWN_DUP2, null, 1)])
    _, status, usage = os.wait4(pid, 0)
    os.close(null)
    assert status == 0
    best = min(best, usage.ru_utime + usage.ru_stime)
print(f"{best * 1000:.1f} ms")
sys.exit(best > 0.010)
END
