#!/usr/bin/env bash
# From a bare machine to a first profile: installs, builds, starts a small multi-threaded program,
# profiles it by its PID and leaves cpu.pb.gz, flame.html and flame.svg in out/.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/install.sh build
cmake --preset release -DBUILD_TESTING=ON >/dev/null
cmake --build --preset release --target hprof target_demo
mkdir -p out
build/release/tests/support/target_demo &
demo=$!
trap 'kill $demo 2>/dev/null || true' EXIT
sleep 0.5
build/release/hprof record $demo -d 5s -o out/cpu.pb.gz -o out/flame.html -o out/flame.svg
echo
echo "the ten hottest functions:"
build/release/hprof convert out/cpu.pb.gz --format top --short-names -o - | sed -n '/flat%/,+10p'
echo
echo "open out/flame.html in a browser, or: go tool pprof out/cpu.pb.gz"
