# A progress line on a terminal, plain lines elsewhere; NO_COLOR and --no-color are obeyed.
need script
start_target bash -c 'while :; do :; done'
expect_exit 0 "$HPROF" record "$TARGET" -d 700ms -F 49 -o a.folded
refuse_text err.txt $'\r|\x1b'
on_terminal() { script -qec "$*" /dev/null >tty.txt </dev/null || fail "$*"; }
on_terminal "TERM=xterm '$HPROF' record $TARGET -d 700ms -F 49 -o a.folded"
expect_text tty.txt 's  [0-9]+ samples  0 lost  [0-9]+ threads'
expect_text tty.txt $'\x1b\\[33mwarning'
on_terminal "TERM=xterm NO_COLOR=1 '$HPROF' record $TARGET -d 700ms -F 49 -o a.folded"
refuse_text tty.txt $'\x1b\\[33m'
on_terminal "TERM=xterm '$HPROF' record $TARGET -d 700ms -F 49 -o a.folded --no-color"
refuse_text tty.txt $'\x1b\\[33m'
on_terminal "TERM=xterm '$HPROF' record $TARGET -d 700ms -F 499 -o a.folded -q"
refuse_text tty.txt 'samples'
