#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What `hprof dump` costs itself: share of one core and peak memory, at 19 Hz with every kind that
# works on the target, over five minutes of windows of one minute.
# usage: dump_cost.sh HPROF [SECONDS] [RATE] [-- TARGET ARGS]   (default target: a busy shell)
set -euo pipefail
hprof=$(realpath "${1:?usage: dump_cost.sh HPROF [SECONDS] [RATE] [-- TARGET ARGS]}")
seconds=${2:-300}; rate=${3:-19}
shift $(($# < 3 ? $# : 3)); [ "${1:-}" != -- ] || shift
work=$(mktemp -d)
target=; dump=
trap 'kill -9 $target $dump 2>/dev/null || true; rm -rf "$work"' EXIT
if [ $# -gt 0 ]; then "$@" >/dev/null & else bash -c 'while :; do :; done' & fi
target=$!
sleep 0.5
"$hprof" dump "$target" -k all --folder "$work/out" --interval 1m -F "$rate" 2>"$work/err" & dump=$!
sleep "$seconds"
[ -e "/proc/$dump/stat" ] || { cat "$work/err" >&2; exit 1; }
ticks=$(awk '{ print $14 + $15 }' "/proc/$dump/stat")
peak=$(awk '/^VmHWM/ { print $2 }' "/proc/$dump/status")
kill -TERM $dump; wait $dump; dump=
awk -v t="$ticks" -v hz="$(getconf CLK_TCK)" -v s="$seconds" -v peak="$peak" -v rate="$rate" 'BEGIN {
  printf "%s Hz over %s s: %.2f s of CPU, %.3f %% of a core, peak memory %.1f MiB\n", rate, s, t / hz, t / hz / s * 100, peak / 1024
}'
tail -1 "$work/err"
