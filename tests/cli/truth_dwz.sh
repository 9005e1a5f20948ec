# Debug info shared by dwz is followed through its link.
# serial
. "$(dirname "${BASH_SOURCE[0]}")/truth.bash"
need gcc
need dwz
gcc -O2 -g -fomit-frame-pointer "$SPLIT" -o split
gcc -O2 -g -fomit-frame-pointer "$SPLIT" -o other
dwz -m shared.debug -M "$PWD/shared.debug" split other || skip "dwz found nothing to share"
expect_split ./split
expect_most folded.txt ';inlined_step ' 90
