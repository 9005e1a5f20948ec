# Helpers for truth_*.sh: a program whose profile is known beforehand. Sourced after common.sh.
SPLIT=$SOURCE/tests/support/split.c

# record_folded PID [hprof flags]: two seconds at 499 Hz, user frames as folded text in folded.txt.
record_folded() {
  local pid=$1; shift
  expect_exit 0 "$HPROF" record "$pid" -d 2 -F 499 --user-only -o folded.txt --format folded "$@"
}
# expect_share FILE REGEX PERCENT: stacks that match hold that share of all, within 4 sigma.
expect_share() {
  awk -v re="$2" -v want="$3" '
    { n += $NF; if ($0 ~ re) k += $NF }
    END {
      p = want / 100; sigma = sqrt(p * (1 - p) / n)
      printf "%s: %d of %d = %.3f, expected %.3f +- %.3f\n", re, k, n, k / n, p, 4 * sigma
      exit !(n >= 300 && k / n > p - 4 * sigma && k / n < p + 4 * sigma)
    }' "$1" || { head -5 "$1" >&2; fail "share of $2"; }
}
# expect_most FILE REGEX PERCENT: at least that share matches.
expect_most() {
  awk -v re="$2" -v want="$3" '
    { n += $NF; if ($0 ~ re) k += $NF }
    END { printf "%s: %d of %d, at least %s %% expected\n", re, k, n, want; exit !(n >= 300 && k * 100 >= want * n) }
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
}
