#!/usr/bin/env bash
# The code must pass clang too: a syntax-only pass over every source of ours, from compile_commands.json.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v clang++ >/dev/null || { echo "clang++ is not installed: skipped"; exit 0; }
python3 - build/check/compile_commands.json <<'PY' | xargs -0 -P "$(nproc)" -I{} bash -c '{}'
import json, re, sys
for entry in json.load(open(sys.argv[1])):
    if entry['file'].endswith('.cpp') and '/tests/' not in entry['file']:
        command = re.sub(r'^\S*ccache\s+', '', entry['command'])
        command = re.sub(r'^\S+', 'clang++ -fsyntax-only -Wno-everything', command)
        command = re.sub(r' -o \S+', '', command)
        print(f"cd {entry['directory']} && {command}", end='\0')
PY
echo "clang: no error"
