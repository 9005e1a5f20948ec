#!/usr/bin/env bash
# Everything a change must pass: installs, builds, runs every test, then the unit tests and the
# fuzzers' corpora once more under the address and undefined-behaviour sanitizers.
#   scripts/check.sh           what CI runs
#   HPROF_TORTURE=1            the long torture runs too
set -euo pipefail
cd "$(dirname "$0")/.."
bash scripts/install.sh
jobs=$(nproc)
step() { printf '\n== %s (%s)\n' "$*" "$(date +%T)"; }

step "build"
cmake --preset check >/dev/null
cmake --build --preset check -j "$jobs" | tail -n 3

step "tests"
# Tests that measure time starve where other machines share the processor: one second chance, and
# ctest says which took it.
ctest --preset check -j "$jobs" --repeat until-pass:2

step "build with sanitizers"
cmake --preset asan >/dev/null
cmake --build --preset asan -j "$jobs" --target sanitized_tests | tail -n 3

step "unit tests and corpora with sanitizers"
ctest --preset asan -j "$jobs" --repeat until-pass:2

step "clang reads every source"
bash scripts/clang-syntax.sh

step "done"
