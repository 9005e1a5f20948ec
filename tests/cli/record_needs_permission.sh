# Another user's process is a permission error, with what would help.
need setpriv
[ "$(id -u)" = 0 ] || skip "needs root to become somebody else"
start_target bash -c 'while :; do :; done'
chmod 777 .
expect_exit 3 setpriv --reuid 65534 --regid 65534 --clear-groups "$HPROF" record "$TARGET" -d 1 -o x.folded
expect_text err.txt "$TARGET"
[ ! -e x.folded ] || fail "a file was left"
kill -0 "$TARGET" || fail "the target is gone"
