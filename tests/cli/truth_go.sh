# Go programs of an old and of a new release, with symbols, stripped, and as PIE.
# serial
. "$(dirname "${BASH_SOURCE[0]}")/truth.bash"
need go
export GOENV=off GOCACHE="$PWD/gocache" GOFLAGS=
# A newer go fetches the release that GOTOOLCHAIN names; an old one has only itself.
printf "module split\n" >go.mod
cp "$SOURCE/tests/support/split.go" .
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
  go build -o split split.go 2>build.txt || { echo "no $release here: $(tail -1 build.txt)"; continue; }
  echo "--- $(go version)"
  check ./split
  go build -ldflags='-s -w' -o stripped split.go && check ./stripped
  if go build -buildmode=pie -ldflags='-s -w' -o pie split.go 2>/dev/null; then check ./pie; fi
  [ "$(go version | cut -d' ' -f3)" = "$release" ] || [ "$release" = local ] || echo "$release could not be had"
  built=$((built + 1))
done
[ $built -gt 0 ] || skip "no Go release could build"
