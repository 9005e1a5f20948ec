# Helpers for truth_*.sh: a program whose profile is known beforehand. Sourced after common.sh.
need python3
SPLIT=$SOURCE/tests/support/split.c

# record_folded PID [hprof flags]: two seconds at 997 Hz, user frames as folded text in folded.txt. The
# profile is read by other code than hprof's, and weighed in samples, because bounds come from counts.
record_folded() {
  local pid=$1; shift
  expect_exit 0 "$HPROF" record "$pid" -d 2 -F 997 --user-only -o cpu.pb.gz "$@"
  python3 "$SOURCE/tests/support/pprof_read.py" --folded cpu.pb.gz >folded.txt
}
# expect_share FILE REGEX PERCENT: stacks that match hold that share of all, within 4 sigma.
expect_share() {
  awk -v re="$2" -v want="$3" '
    { n += $NF; if ($0 ~ re) k += $NF }
    END {
      p = want / 100; sigma = sqrt(p * (1 - p) / n)
      printf "%s: %d of %d = %.3f, expected %.3f +- %.3f\n", re, k, n, k / n, p, 4 * sigma
      exit !(n >= 80 && k / n > p - 4 * sigma && k / n < p + 4 * sigma)
    }' "$1" || { head -5 "$1" >&2; fail "share of $2"; }
}
# expect_most FILE REGEX PERCENT: at least that share matches.
expect_most() {
  awk -v re="$2" -v want="$3" '
    { n += $NF; if ($0 ~ re) k += $NF }
    END { printf "%s: %d of %d, at least %s %% expected\n", re, k, n, want; exit !(n >= 80 && k * 100 >= want * n) }
  ' "$1" || { sort -t' ' -k2 -n "$1" | tail -5 >&2; fail "too few stacks match $2"; }
}
# expect_split PROGRAM [hprof flags]: starts the program, profiles it, checks the known split and roots.
expect_split() {
  local program=$1; shift
  start_target "$program"
  record_folded "$TARGET" "$@"
  kill -9 "$TARGET"; wait "$TARGET" 2>/dev/null || true
  expect_share folded.txt '(^|;)half_of_it(;| )' 50
  expect_share folded.txt '(^|;)three_tenths(;| )' 30
  expect_share folded.txt '(^|;)two_tenths(;| )' 20
  expect_most folded.txt '(^|;)main;run;' 98
  expect_most folded.txt '^[^[]' 98  # no "[truncated]" at the root
}
