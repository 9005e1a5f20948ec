# Under sudo the files belong to the calling user; links are followed, devices are not replaced.
[ "$(id -u)" = 0 ] || skip "needs root to give files away"
start_target bash -c 'while :; do :; done'
expect_exit 0 env SUDO_UID=65534 SUDO_GID=65533 "$HPROF" record "$TARGET" -d 700ms -F 499 -o a.folded -o b.svg
for file in a.folded b.svg; do
  [ "$(stat -c %u:%g $file)" = 65534:65533 ] || fail "$file belongs to $(stat -c %u:%g $file)"
done
echo old >real.folded
ln -s real.folded link.folded
expect_exit 0 "$HPROF" record "$TARGET" -d 700ms -F 499 -o link.folded
[ -L link.folded ] && ! grep -q old real.folded || fail "the link was replaced"
expect_exit 0 "$HPROF" record "$TARGET" -d 700ms -F 499 -o /dev/null --format folded
[ -c /dev/null ] || fail "/dev/null was replaced"
