# One recording, many files; names by pattern; stdout; nothing binary to a terminal.
start_target bash -c 'while :; do :; done'
expect_exit 0 "$HPROF" record "$TARGET" -d 500ms -F 499 -o a.pb.gz -o a.folded -o a.svg -o '%n-%p-%k.folded'
for file in a.pb.gz a.folded a.svg "bash-$TARGET-cpu.folded"; do
  [ -s "$file" ] || fail "$file is missing"
  expect_text err.txt "$file"
done
cmp a.folded "bash-$TARGET-cpu.folded" || fail "two files of one recording differ"
gzip -t a.pb.gz || fail "a.pb.gz is no gzip file"
expect_exit 0 "$HPROF" record "$TARGET" -d 700ms -F 499
ls hprof-bash-"$TARGET"-cpu-20*Z.pb.gz >/dev/null || fail "no file of the default name"
"$HPROF" record "$TARGET" -d 700ms -F 499 -o - -q | gzip -t || fail "stdout is no gzip stream"
expect_exit 0 "$HPROF" record "$TARGET" -d 700ms -F 499 -o - --format folded -q
[ -s out.txt ] && [ ! -s err.txt ] || fail "--quiet was not quiet, or stdout empty"
if command -v script >/dev/null; then
  script -qec "'$HPROF' record $TARGET -d 700ms -o -" /dev/null >tty.txt </dev/null && fail "binary went to a terminal"
  expect_text tty.txt 'stdout is a terminal'
fi
expect_exit 2 "$HPROF" record "$TARGET" -d 1 -o a.xyz
expect_text err.txt 'known|--format'
expect_exit 2 "$HPROF" record "$TARGET" -d 1 -o '%z.svg'
