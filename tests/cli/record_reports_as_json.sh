# --json is one object with the promised fields; the profile's comments hold the same facts.
need python3
start_target bash -c 'while :; do :; done'
cat >check.py <<'END'
import json, sys
o = json.load(open(sys.argv[1]))
want = "files samples lost throttled truncated duration_s cpu_seen_percent engine own_cpu_s own_peak_bytes held_ms modules warnings".split()
assert list(o) == want, list(o)
assert o["files"] == sys.argv[2:], o["files"]
assert o["samples"] > 0 and o["lost"] == 0, o
assert 0.4 < o["duration_s"] < 5, o
assert o["own_peak_bytes"] > 1 << 20 and o["own_cpu_s"] > 0, o
assert o["held_ms"] == 0, o
assert any(m["name"] == "bash" for m in o["modules"]), o
print(o["samples"])
END
expect_exit 0 "$HPROF" record "$TARGET" -d 500ms -F 499 -o a.pb.gz -o a.txt --format raw --json
samples=$(python3 check.py out.txt a.pb.gz a.txt) || fail "json"
grep -q "samples: $samples" a.txt || { head -20 a.txt; fail "the profile's comments lack the samples"; }
expect_text a.txt 'engine: '
# Data on stdout moves the summary to stderr.
expect_exit 0 "$HPROF" record "$TARGET" -d 500ms -F 499 -o - --format folded --json -q
python3 check.py err.txt - >/dev/null || fail "json on stderr"
# Few samples are explained; --strict and --max-lost are gates.
expect_exit 7 "$HPROF" record "$TARGET" -d 1s -F 49 -o b.folded --strict
expect_text err.txt 'only [0-9]+ samples?: .*CPU time'
[ -s b.folded ] || fail "a gate must not keep the file back"
expect_exit 0 "$HPROF" record "$TARGET" -d 700ms -F 499 -o c.folded --max-lost 100
