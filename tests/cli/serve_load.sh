# Many clients at once, some of them rude: no error but the documented ones, flat memory, no thread or
# descriptor left. HPROF_TORTURE=1: 200 clients for a minute.
# serial
. "$(dirname "${BASH_SOURCE[0]}")/serve.bash"
need python3
clients=40 seconds=8
[ -z "${HPROF_TORTURE:-}" ] || clients=200 seconds=60
start_target "$SUPPORT/target_demo"
serve_target "$TARGET"
facts() { echo "$(awk '/^VmRSS/ { print $2 }' "/proc/$SERVER/status") $(ls "/proc/$SERVER/fd" | wc -l)"; }
python3 "$SOURCE/tests/support/http_load.py" "$URL" $((clients / 4)) 3 >/dev/null || true
sleep 2
before=$(facts)
python3 "$SOURCE/tests/support/http_load.py" "$URL" $clients $seconds || { cat serve.txt >&2; fail "bad answers"; }
sleep 12  # slow clients are let go
after=$(facts)
echo "RSS in KiB and descriptors before: $before, after: $after"
[ "${after#* }" -le $((${before#* } + 4)) ] || fail "descriptors leak"
[ "${after% *}" -le $((${before% *} + 65536)) ] || fail "memory grows"
kill "$SERVER"; wait "$SERVER" || fail "no clean end"
