#!/usr/bin/env bash
# Installs by apt what a build and the tests need and this machine lacks. Debian 12 and later.
#   scripts/install.sh [build|test]     build: compiler and libraries only; test (default): all
set -euo pipefail
build="g++ cmake ninja-build ccache pkg-config protobuf-compiler libcli11-dev libfmt-dev libprotobuf-dev
  zlib1g-dev libelf-dev libdw-dev doctest-dev libzstd-dev liblzma-dev libdeflate-dev libre2-dev libtomlplusplus-dev
  libcpp-httplib-dev libsimdjson-dev libiberty-dev libdebuginfod-dev"
tests="git python3 curl clang clang-format libclang-rt-14-dev binutils elfutils dwz musl-tools gdb golang-go
  graphviz libxml2-utils valgrind mandoc zsh fish util-linux procps coreutils xz-utils zstd"
wanted=$build
[ "${1:-test}" = build ] || wanted="$build $tests"
missing=()
for package in $wanted; do
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0
as_root=()
[ "$(id -u)" = 0 ] || as_root=(sudo)
echo "installing: ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
