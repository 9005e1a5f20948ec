# Every request gets the status, headers and text that a Go program's own net/http/pprof gives, for a Go
# and for a C++ target.
. "$(dirname "${BASH_SOURCE[0]}")/serve.bash"
need go
need python3
printf 'module server\n' >go.mod
cp "$SOURCE/tests/support/pprof_server.go" .
GOENV=off GOFLAGS= GOCACHE=$PWD/cache GOTOOLCHAIN=local go build -o server pprof_server.go || skip "go cannot build"
# Newer releases of Go register their handlers for GET only; the yardstick takes any method.
GODEBUG=httpmuxgo121=1 ./server 127.0.0.1:7461 &
GO=$!
sleep 0.5
kill -0 $GO || skip "port 7461 is taken"
for target in $GO $$; do
  serve_target "$target"
  python3 "$SOURCE/tests/support/compare_pprof_http.py" http://127.0.0.1:7461 "$URL" >table.txt || { cat table.txt >&2; fail "serve differs from Go"; }
  tail -1 table.txt
  kill "$SERVER"; wait "$SERVER"
done
serve_target "$GO"
PPROF_TMPDIR=$PWD expect_exit 0 go tool pprof -top "$URL/debug/pprof/profile?seconds=2"
expect_text out.txt 'main\.burn'
PPROF_TMPDIR=$PWD expect_exit 0 go tool pprof -seconds 1 -top "$URL/debug/pprof/profile"
expect_text out.txt 'main\.burn'
curl -s -o base.pb.gz "$URL/debug/pprof/profile?seconds=1"
PPROF_TMPDIR=$PWD expect_exit 0 go tool pprof -diff_base base.pb.gz -top "$URL/debug/pprof/profile?seconds=1"
address=$(go tool nm server | awk '$3 == "main.burn" { print $1 }')
[ "$(curl -s "$URL/debug/pprof/symbol?0x$address")" = "$(curl -s "http://127.0.0.1:7461/debug/pprof/symbol?0x$address")" ] || fail "symbol"
