#!/usr/bin/env bash
# Runs one test script in a fresh folder with the helpers of common.sh, and cleans up after it.
set -u
script=$1
work=$(mktemp -d)
trap 'jobs -p | xargs -r kill 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
here=$(dirname "$script")
( set -euo pipefail; . "$here/common.sh"; . "$script" )
