# SPDX-License-Identifier: Apache-2.0
# serial
# A full disk: one line at its begin and one at its end, the windows wait and join, nothing old goes.
. "$SOURCE/tests/cli/dump.bash"
mkdir disk
unshare -m true 2>/dev/null || skip "cannot make a mount namespace"
start_busy
can_profile
export TARGET
unshare -m bash -c '
  set -euo pipefail
  . "$SOURCE/tests/cli/common.sh"; . "$SOURCE/tests/cli/dump.bash"
  mount -t tmpfs -o size=256k tmpfs disk
  start_dump "$TARGET" --folder disk/out --interval 400ms -F 97 --keep-free 0
  wait_for at_least disk/out 3
  dd if=/dev/zero of=disk/fill bs=4k 2>/dev/null || true
  old=$(files_in disk/out)
  wait_for grep -q "No space left on device" dump.err
  sleep 2
  [ "$(files_in disk/out)" -ge "$old" ] || fail "something old is gone"
  [ "$(grep -c "No space" dump.err)" = 1 ] || { cat dump.err; fail "said more than once"; }
  rm disk/fill
  wait_for grep -q "can be written again" dump.err
  sleep 1
  stop_dump
  rm -f disk/fill
  check_dumps disk/out
  is_true "$gap < 0.001 && $sum > 0.999 * $span && $span > 4"
  # The folder itself may go and come.
  start_dump "$TARGET" --folder disk/out --interval 400ms -F 97 --keep-free 0
  wait_for at_least disk/out $(($(files_in disk/out) + 1))
  rm -rf disk/out
  wait_for at_least disk/out 2
  stop_dump
  check_dumps disk/out
' || exit $?
