# Go programs of an old and of a new release, with symbols, stripped, and as PIE.
# serial
. "$(dirname "${BASH_SOURCE[0]}")/truth.bash"
need go
export GOENV=off GOCACHE="$PWD/gocache" GO111MODULE=off GOFLAGS=
check() {
  start_target "$1" 30
  record_folded "$TARGET"
  kill -9 "$TARGET"; wait "$TARGET" 2>/dev/null || true
  expect_share folded.txt 'main.run;(.*;)?main.halfOfIt;main.burn ' 50
  expect_share folded.txt 'main.run;(.*;)?main.otherHalf;main.burn ' 50
  expect_most folded.txt '^(runtime.goexit;)?main.main.func1;main.run;' 98
}
built=0
for release in local go1.16.15 go1.27.0; do
  export GOTOOLCHAIN=$release
  go build -o split "$SOURCE/tests/support/split.go" 2>build.txt || { echo "no $release here: $(tail -1 build.txt)"; continue; }
  echo "--- $(go version)"
  check ./split
  go build -ldflags='-s -w' -o stripped "$SOURCE/tests/support/split.go" && check ./stripped
  if go build -buildmode=pie -ldflags='-s -w' -o pie "$SOURCE/tests/support/split.go" 2>/dev/null; then check ./pie; fi
  built=$((built + 1))
done
[ $built -gt 0 ] || skip "no Go release could build"
