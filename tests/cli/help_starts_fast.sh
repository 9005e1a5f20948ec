# serial
# `hprof --help` starts within 10 ms: the best of 20 runs, since the machine may be busy.
case $(file -b "$HPROF" 2>/dev/null) in *asan*) skip "sanitizers are slow";; esac
need python3
python3 - "$HPROF" <<'END' || fail "slower than 10 ms"
import subprocess, sys, time
best = 1.0
for _ in range(20):
    begin = time.perf_counter()
    subprocess.run([sys.argv[1], "--help"], stdout=subprocess.DEVNULL, check=True)
    best = min(best, time.perf_counter() - begin)
print(f"{best * 1000:.1f} ms")
# 3 ms more: starting any process from python costs about that.
sys.exit(best > 0.013)
END
