# Who may ask, where it listens, and how it ends.
. "$(dirname "${BASH_SOURCE[0]}")/serve.bash"
start_target "$SUPPORT/target_demo"
serve_target "$TARGET"
[ "$(status_of "$URL/healthz")" = 200 ] || fail healthz
[ "$(status_of "$URL/metrics")" = 200 ] || fail metrics
expect_text body.txt '^hprof_samples_total\{pid="'
[ "$(status_of "$URL/pid/$TARGET/debug/pprof/cmdline")" = 200 ] || fail "by pid"
[ "$(status_of "$URL/pid/1/debug/pprof/")" = 404 ] || fail "a process not served"
[ "$(status_of -H 'Host: evil.example' "$URL/")" = 403 ] || fail "foreign host"
[ "$(status_of "$URL/debug/pprof/trace")" = 501 ] || fail trace
[ "$(status_of "$URL/debug/pprof/heap")" = 404 ] || fail heap
expect_text body.txt 'heap: '
[ "$(status_of --path-as-is "$URL/../../etc/passwd")" != 200 ] || fail "path tricks"
[ "$(grep -c 'refused a request' serve.txt)" = 1 ] || fail "a refusal is logged once"
# The port is taken: fatal, with the address.
expect_exit 1 "$HPROF" serve "$TARGET" --listen "${URL#http://}"
expect_text err.txt "${URL#http://}"
kill "$SERVER"; wait "$SERVER" || fail "SIGTERM is a clean end"

# Others may not reach it without a token.
expect_exit 2 "$HPROF" serve "$TARGET" --listen 0.0.0.0:0
expect_text err.txt 'token'
expect_exit 2 "$HPROF" serve "$TARGET" --listen ''
echo a-long-token >token
serve_target "$TARGET" --token-file token
[ "$(status_of "$URL/debug/pprof/cmdline")" = 401 ] || fail "no token"
[ "$(status_of -H 'Authorization: Bearer wrong' "$URL/debug/pprof/cmdline")" = 401 ] || fail "wrong token"
[ "$(status_of -H 'Authorization: Bearer a-long-token' "$URL/debug/pprof/cmdline")" = 200 ] || fail bearer
[ "$(status_of -u x:a-long-token "$URL/debug/pprof/cmdline")" = 200 ] || fail basic
kill "$SERVER"; wait "$SERVER" || fail "end"

# A unix socket, an expiry, the end of the target.
expect_exit 0 "$HPROF" serve "$TARGET" --listen "unix:$PWD/s" --for 1s
[ ! -e s ] || fail "the socket is left behind"
serve_target "$TARGET"
kill -9 "$TARGET"
wait "$SERVER" || fail "the end of the target is a clean end"
