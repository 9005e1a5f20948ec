# A static musl program has .eh_frame and no .eh_frame_hdr: it is unwound all the same.
# serial
. "$(dirname "${BASH_SOURCE[0]}")/truth.bash"
need musl-gcc
musl-gcc -O2 -g -fomit-frame-pointer -static "$SPLIT" -o split
expect_split ./split
