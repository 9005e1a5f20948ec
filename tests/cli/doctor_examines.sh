# doctor tells what works, as text and as JSON, for the machine and for a process.
need python3
start_target bash -c 'while :; do :; done'
code=0; "$HPROF" doctor >out.txt 2>err.txt || code=$?
[ $code = 0 ] || [ $code = 1 ] || fail "exit $code"
expect_text out.txt '^  (ok|limited|fails) +engine: '
expect_text out.txt '^  (ok|limited|fails) +kernel symbols: '
expect_exit 0 "$HPROF" doctor "$TARGET"
expect_text out.txt "process: bash \\($TARGET\\)"
expect_exit 0 "$HPROF" doctor "$TARGET" --json
python3 - out.txt <<'END' || fail "json"
import json, sys
o = json.load(open(sys.argv[1]))
assert o["ok"] is True and o["machine"] and o["target"], o
for f in o["machine"] + o["target"]:
    assert f["health"] in ("ok", "limited", "fails") and f["what"], f
END
expect_exit 4 "$HPROF" doctor 4194305
expect_exit 2 "$HPROF" doctor -- true
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
  expect_exit 1 setpriv --reuid 65534 --regid 65534 --clear-groups "$HPROF" doctor "$TARGET"
  expect_text out.txt '^  fails'
  expect_text out.txt 'to change it: '
fi
