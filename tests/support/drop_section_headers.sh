#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# drop_section_headers.sh IN OUT: a copy of an ELF64 file that says it has no section headers.
set -e
cp "$1" "$2"
zeros() { dd if=/dev/zero of="$1" bs=1 seek="$2" count="$3" conv=notrunc 2>/dev/null; }
zeros "$2" 40 8  # e_shoff
zeros "$2" 60 4  # e_shnum, e_shstrndx
