# Every way to build and strip a program still gives the split, the names and the root.
# serial
. "$(dirname "${BASH_SOURCE[0]}")/truth.bash"
need gcc
variant() {
  local name=$1; shift
  echo "--- $name"
  "$@" || fail "cannot build $name"
  expect_split "./$name"
}
build() { gcc -O2 -fomit-frame-pointer "$SPLIT" "$@"; }
variant pie build -g -fPIE -pie -o pie
variant no_pie build -g -no-pie -o no_pie
variant static build -g -static -o static
variant static_pie build -g -static-pie -o static_pie
variant dwarf4 build -gdwarf-4 -o dwarf4
variant dwarf5 build -gdwarf-5 -o dwarf5
variant compressed build -g -gz=zlib -o compressed
variant no_debug build -o no_debug
debug_frame_only() { build -g -fno-asynchronous-unwind-tables -fno-unwind-tables -no-pie -o debug_frame_only; }
variant debug_frame_only debug_frame_only
debuglink() {
  build -g -o debuglink && objcopy --only-keep-debug debuglink debuglink.debug &&
    strip -s debuglink && objcopy --add-gnu-debuglink=debuglink.debug debuglink
}
variant debuglink debuglink
split_dwarf() { build -g -gsplit-dwarf -o split_dwarf; }
variant split_dwarf split_dwarf
