# Stacks far larger than the copied window reach the root: 3,000 frames, and one frame of 200 KiB.
# serial
. "$(dirname "${BASH_SOURCE[0]}")/truth.bash"
need gcc
gcc -O2 -fomit-frame-pointer -fno-optimize-sibling-calls "$SOURCE/tests/support/deep.c" -o deep
count_frames() { awk '{ n = gsub(/;descend/, ""); if (n > most) most = n } END { print most + 0 }' folded.txt; }

start_target ./deep 3000
record_folded "$TARGET" --max-frames 4096
kill -9 "$TARGET"
expect_most folded.txt '(^|;)main;descend;.*;bottom ' 99
[ "$(count_frames)" = 3001 ] || fail "$(count_frames) frames of descend instead of 3001"

# The default depth keeps both ends around a mark.
start_target ./deep 3000
record_folded "$TARGET"
kill -9 "$TARGET"
expect_most folded.txt '(^|;)main;descend;.*;\[frames elided\];.*;bottom ' 99

start_target ./deep 5 204800
record_folded "$TARGET"
kill -9 "$TARGET"
expect_most folded.txt '(^|;)main;descend;.*;big_frame;bottom ' 99
