# A target that exits half-way: what there is is written, exit 0. --wait finds one that comes later.
bash -c 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done' & target=$!
expect_exit 0 "$HPROF" record $target -d 60 -F 499 -o a.folded
[ -s a.folded ] || fail "no profile"
cp "$(command -v bash)" latecomer
"$HPROF" record -n latecomer --wait=20s -d 700ms -F 499 -o b.folded 2>err.txt & pid=$!
sleep 0.5
./latecomer -c 'while :; do :; done' & late=$!
code=0; wait $pid || code=$?
kill -9 $late
[ $code = 0 ] && [ -s b.folded ] || { cat err.txt; fail "--wait: exit $code"; }
# Waiting ends with Ctrl-C.
"$HPROF" record -n nobody-comes --wait 2>err.txt & pid=$!
sleep 0.5
kill -INT $pid
code=0; wait $pid || code=$?
[ $code = 4 ] || { cat err.txt; fail "cancelled wait: exit $code"; }
# An idle target: nothing recorded, and why.
sleep 60 & idle=$!
expect_exit 6 "$HPROF" record $idle -d 700ms -o c.folded
expect_text err.txt 'idle'
[ ! -e c.folded ] || fail "a file without a sample"
