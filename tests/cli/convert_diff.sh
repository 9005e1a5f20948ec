# The two differences.
printf 'main;a 10\nmain;b 5\n' >before.folded
printf 'main;a 10\nmain;c 15\n' >after.folded
expect_exit 0 "$HPROF" convert after.folded --base before.folded -o minus.pb.gz
expect_exit 0 "$HPROF" convert after.folded --diff-base before.folded -o both.pb.gz
expect_exit 0 "$HPROF" convert minus.pb.gz --format raw
expect_text out.txt '^ +-5: '
expect_text out.txt '^ +15: '
expect_exit 0 "$HPROF" convert both.pb.gz --format raw
expect_text out.txt 'pprof::base:\[true\]'
[ "$(sed -n '/^Samples/,/^Locations/p' out.txt | grep -cE '^ +-?[0-9]+: [0-9]')" = 4 ] || fail "both sides must stay apart"
expect_exit 0 "$HPROF" convert after.folded --diff-base before.folded -o diff.svg
expect_exit 6 "$HPROF" convert before.folded --base before.folded -o nothing.pb.gz
expect_exit 0 "$HPROF" convert after.folded --base before.folded --normalize -o n.pb.gz
expect_exit 0 "$HPROF" convert n.pb.gz --format raw
expect_text out.txt '^ +-6: |^ +-4: '
