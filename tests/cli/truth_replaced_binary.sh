# The binary is deleted, or replaced by another, while it runs: names come from the running one.
# serial
. "$(dirname "${BASH_SOURCE[0]}")/truth.bash"
need gcc
gcc -O2 -g -fomit-frame-pointer "$SPLIT" -o split
start_target ./split
rm split
record_folded "$TARGET"
expect_share folded.txt '(^|;)half_of_it(;| )' 50
expect_most folded.txt '(^|;)main;run;' 98
cp /bin/true split
record_folded "$TARGET"
kill -9 "$TARGET"
expect_share folded.txt '(^|;)half_of_it(;| )' 50
expect_most folded.txt '(^|;)main;run;' 98
