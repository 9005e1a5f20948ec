# A known 50/30/20 split of CPU time is found again, built as users build: -O2, no frame pointers.
# serial
. "$(dirname "${BASH_SOURCE[0]}")/truth.bash"
need gcc
gcc -O2 -g -fomit-frame-pointer "$SPLIT" -o split
expect_split ./split
# The inlined function is a frame of its own, inside its caller.
expect_most folded.txt ';inlined_step ' 90
