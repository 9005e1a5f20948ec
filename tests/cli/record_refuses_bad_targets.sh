# What is no target ends in the documented status and one sentence.
expect_exit 4 "$HPROF" record 4194305 -d 1
expect_text err.txt '^hprof: .*4194305'
expect_exit 2 "$HPROF" record -d 1
expect_exit 2 "$HPROF" record notanumber -d 1
expect_exit 2 "$HPROF" record 1 -d 1 -- true
expect_exit 2 "$HPROF" record --thread '(' 1
expect_exit 4 "$HPROF" record -n no-such-program-here -d 1
expect_exit 4 "$HPROF" record -n no-such-program-here --wait=200ms

# A zombie: its parent never waits for it.
bash -c 'sleep 0 & echo $! >zombie; exec sleep 60' &
sleep 0.5
expect_exit 4 "$HPROF" record "$(cat zombie)" -d 1

# Two programs of one name are listed and refused.
cp "$(command -v sleep)" twins
./twins 60 & first=$!
./twins 60 & second=$!
sleep 0.3
expect_exit 2 "$HPROF" record -n twins -d 1
expect_text err.txt "$first"
expect_text err.txt "$second"
expect_text err.txt 'all-matches'
expect_exit 6 "$HPROF" record -n twins --all-matches -d 200ms
ls ./*.pb.gz 2>/dev/null && fail "a file without a sample was left"
# An idle target that exits.
sleep 0.5 & idle=$!
expect_exit 4 "$HPROF" record $idle -d 10
# A kind without an engine says so; an unknown one is wrong usage.
expect_exit 1 "$HPROF" record $first -k heap -d 1
expect_text err.txt 'heap'
expect_exit 2 "$HPROF" record $first -k warm -d 1
