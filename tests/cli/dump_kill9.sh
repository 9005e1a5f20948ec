# SPDX-License-Identifier: Apache-2.0
# serial
# kill -9 at random moments: never a bad file, never more than the open window lost. HPROF_TORTURE=1
# for a thousand rounds, a number for that many.
. "$SOURCE/tests/cli/dump.bash"
rounds=${HPROF_TORTURE:-12}
[ "$rounds" != 1 ] || rounds=1000
start_busy
can_profile
for ((round = 1; round <= rounds; ++round)); do
  rm -rf out
  start_dump "$TARGET" --folder out --interval 300ms -F 97 --keep-count 4
  began=$(date +%s.%N)
  sleep "$(awk -v s=$RANDOM 'BEGIN { printf "%.3f", s / 32768 * 1.2 }')"
  kill -9 $DUMP
  killed=$(date +%s.%N)
  wait $DUMP 2>/dev/null || true
  check_dumps out >facts.txt
  kill -0 "$TARGET" || fail "the target died"
  [ "$(awk '/^State/ { print $2 }' "/proc/$TARGET/status")" != T ] || fail "the target is stopped"
  # A window and what it takes to notice, name and write it on a busy machine.
  if [ "$files" = 0 ]; then end=$began; fi
  is_true "$killed - $end < 0.3 + 0.9"
  is_true "$gap < 0.0001"
done
echo "$rounds rounds"
