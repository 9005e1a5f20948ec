# Go's own pprof reads what we write, and we read what it writes back, value by value.
need go
printf 'main;work;inner 10\nmain;work 5\nmain;idle 1\n' >in.folded
"$HPROF" convert in.folded -o a.pb.gz
go tool pprof -raw a.pb.gz >raw.txt 2>/dev/null || skip "go tool pprof does not run here"
expect_text raw.txt '^ +10: '
go tool pprof -proto -output=b.pb.gz a.pb.gz >/dev/null 2>&1 || fail "go tool pprof -proto refused"
"$HPROF" convert b.pb.gz -o back.folded 2>/dev/null
sort in.folded >want; sort back.folded >got; diff want got || fail "values changed on the way"
go tool pprof -top a.pb.gz >top.txt 2>/dev/null || fail "go tool pprof -top refused"
expect_text top.txt 'inner'
