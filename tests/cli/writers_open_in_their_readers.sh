# SPDX-License-Identifier: Apache-2.0
# The files that the unit tests hold the writers to open in the programs they are meant for.

data=$(cd "$here/../data" && pwd)
tried=0

if command -v xmllint >/dev/null; then
  xmllint --noout "$data/hostile/hostile.svg" || fail "xmllint refuses the SVG"
  tried=$((tried + 1))
fi
if command -v dot >/dev/null; then
  for graph in "$data"/dot/inlined.dot "$data"/hostile/hostile.dot; do
    dot -Tsvg "$graph" -o out.svg || fail "dot refuses $graph"
    grep -q '<svg' out.svg || fail "dot drew nothing for $graph"
  done
  tried=$((tried + 1))
fi
if command -v callgrind_annotate >/dev/null; then
  callgrind_annotate --threshold=100 "$data/callgrind/inlined.callgrind" >own.txt
  grep -q '1,120 (100.0%).*PROGRAM TOTALS' own.txt || fail "callgrind_annotate sees other totals"
  grep -q '1,100 (98.21%).*:line1000' own.txt || fail "callgrind_annotate sees another own cost"
  callgrind_annotate --threshold=100 --inclusive=yes "$data/callgrind/inlined.callgrind" >all.txt
  grep -q '1,010 (90.18%).*:line2000' all.txt || fail "callgrind_annotate sees another inclusive cost"
  tried=$((tried + 1))
fi
if command -v python3 >/dev/null; then
  for json in "$data"/*/*.json "$data"/*/*.cpuprofile; do
    python3 -c 'import json, sys; json.load(open(sys.argv[1], encoding="utf-8"))' "$json" ||
      fail "$json is no JSON"
  done
  tried=$((tried + 1))
fi
[ "$tried" -gt 0 ] || skip "none of xmllint, dot, callgrind_annotate, python3 is installed"
