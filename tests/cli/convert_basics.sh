# Folded stacks to pprof and back, several outputs, stdin and stdout.
printf 'main;work;inner 10\nmain;work 5\nmain;idle 1\n' >in.folded
expect_exit 0 "$HPROF" convert in.folded -o a.pb.gz -o a.svg -o a.txt
[ -s a.pb.gz ] && [ -s a.svg ] && [ -s a.txt ] || fail "an output is missing"
expect_exit 0 "$HPROF" convert a.pb.gz -o back.folded
sort in.folded >want; sort back.folded >got; diff want got || fail "folded -> pprof -> folded changed"
"$HPROF" convert - -o - --format folded <a.pb.gz >piped.folded 2>/dev/null || fail "stdin to stdout"
sort piped.folded >got; diff want got || fail "stdin to stdout changed"
gzip -k in.folded
expect_exit 0 "$HPROF" convert in.folded.gz in.folded -o twice.folded
expect_text twice.folded '^main;work;inner 20$'
expect_exit 0 "$HPROF" convert a.pb.gz --focus inner -o f.folded
[ "$(cat f.folded)" = 'main;work;inner 10' ] || fail "--focus: $(cat f.folded)"
expect_exit 0 "$HPROF" convert a.pb.gz --json -o j.folded
expect_text out.txt '"samples":3'
# A rewrite keeps every byte of the message.
gzip -dc a.pb.gz >a.raw
expect_exit 0 "$HPROF" convert a.pb.gz -o again.pb.gz
gzip -dc again.pb.gz | cmp - a.raw || fail "pprof -> pprof changed the message"
expect_exit 0 "$HPROF" convert a.pb.gz -o again.pb
cmp again.pb a.raw || fail ".pb is not the raw message"
