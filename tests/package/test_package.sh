#!/usr/bin/env bash
# Installs the build tree BUILD to a folder and builds the program beside this script against it, by
# WAY: cmake (find_package) or pkgconfig. Runs it, live too where that is allowed.
set -euo pipefail
build=$1 way=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'kill "${target:-}" 2>/dev/null || true; rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/prefix" >"$work/install.log" || { cat "$work/install.log"; exit 1; }
mkdir "$work/source" "$work/out"
cp "$here/outside.cpp" "$work/source/"
case $way in
  cmake)
    cp "$here/outside.cmake" "$work/source/CMakeLists.txt"
    cmake -S "$work/source" -B "$work/build" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_CXX_FLAGS="${CXXFLAGS:-}" >/dev/null
    cmake --build "$work/build" >"$work/build.log" || { cat "$work/build.log"; exit 1; }
    program=$work/build/outside ;;
  pkgconfig)
    command -v pkg-config >/dev/null || { echo "pkg-config is not installed"; exit 77; }
    pc=$(find "$work/prefix" -name hprof.pc)
    flags() { PKG_CONFIG_PATH=$(dirname "$pc") pkg-config "$1" hprof; }
    program=$work/outside
    # shellcheck disable=SC2046
    c++ -std=c++20 ${CXXFLAGS:-} $(flags --cflags) "$work/source/outside.cpp" -o "$program" $(flags --libs) ;;
esac
"$program" "$work/out"
[ "$(cat "$work/out/a.folded")" = "outer 7" ] || { cat "$work/out/a.folded"; echo "wrong profile"; exit 1; }
bash -c 'while :; do :; done' & target=$!
if "$work/prefix/bin/hprof" doctor $target >"$work/doctor.txt"; then
  "$program" "$work/out" $target
  grep -q '[a-z].* [0-9][0-9]*$' "$work/out/live.folded" || { echo "nothing was recorded"; exit 1; }
else
  cat "$work/doctor.txt"; echo "no live profile: not allowed here"
fi
# What a package brings besides.
for file in share/man/man1/hprof-record.1 share/bash-completion/completions/hprof; do
  [ -e "$work/prefix/$file" ] || { echo "$file is not installed"; exit 1; }
done
