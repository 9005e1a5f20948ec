# A dump folder is an input: files of one kind whose windows overlap a time are added up.
mkdir history
for start in 1700000000 1700000600 1700001200; do
  printf 'main;at%s 1\n' "$start" >w.folded
  "$HPROF" convert w.folded -o "history/cpu.$start.42.pb.gz"
  # The window ends when the file was written, or when the next begins.
  touch -d "@$((start + 600))" "history/cpu.$start.42.pb.gz"
done
printf 'main;heap 7\n' >w.folded
"$HPROF" convert w.folded -o history/heap.1700000000.42.pb.gz
echo 'not ours' >history/notes.txt
expect_exit 2 "$HPROF" convert history -o all.folded
expect_text err.txt 'several kinds: cpu, heap'
expect_exit 0 "$HPROF" convert history --kind cpu -o all.folded
[ "$(wc -l <all.folded)" = 3 ] || fail "all three windows: $(cat all.folded)"
expect_exit 0 "$HPROF" convert history --kind cpu --since @1700000700 --until @1700001100 -o one.folded
[ "$(cat one.folded)" = 'main;at1700000600 1' ] || fail "one window: $(cat one.folded)"
expect_exit 0 "$HPROF" convert history --kind cpu --until 2023-11-14T22:20:00Z -o first.folded
[ "$(cat first.folded)" = 'main;at1700000000 1' ] || fail "first window: $(cat first.folded)"
expect_exit 6 "$HPROF" convert history --kind cpu --since @1800000000 -o none.folded
[ ! -e none.folded ] || fail "an empty time left a file"
