# Helpers for serve_*.sh: sourced after common.sh.
need curl
# serve_target PID [flags]: starts hprof serve on a free port, sets $URL and $SERVER.
serve_target() {
  local pid=$1; shift
  "$HPROF" serve "$pid" --listen 127.0.0.1:0 --for 120s "$@" 2>serve.txt &
  SERVER=$!
  for _ in $(seq 100); do
    URL=$(grep -oE 'http://127\.0\.0\.1:[0-9]+' serve.txt | head -1) && return
    kill -0 "$SERVER" 2>/dev/null || { cat serve.txt >&2; fail "serve ended"; }
    sleep 0.1
  done
  cat serve.txt >&2; fail "no address was announced"
}
status_of() { curl -s -o body.txt -w '%{http_code}' "$@"; }
