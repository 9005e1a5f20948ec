# SPDX-License-Identifier: Apache-2.0
# The flame graph page and picture, looked at by a real browser: numbers, search, zoom, callers, history.
need node
command -v "${CHROMIUM:-chromium}" >/dev/null || skip "chromium is not installed"
"$HPROF" convert --help >/dev/null 2>&1 || skip "this build has no hprof convert"

cat >in.folded <<'END'
main;parse;read 30
main;parse 10
main;run;read 20
main;run;work;work 40
END
"$HPROF" convert in.folded -o page.html -o page.svg 2>err.txt || { cat err.txt >&2; fail "convert failed"; }
browser() { node "$here/../support/browser.mjs" "$@" || fail "the page failed: $*"; }
same() { [ "$1" = "$2" ] || fail "got $1, want $2"; }

look='(() => {
  const v = flameView, t = v.tree, names = v.data.names;
  const kids = (tree, n) => tree.childrenOf(n).nodes.map((c) => names[tree.nameOf(c)] + tree.totalOf(c));
  const out = [t.totalOf(0), ...kids(t, t.childrenOf(0).nodes[0])];
  v.part("search").value = "^read$"; v.search();
  out.push(v.part("matched").textContent);
  v.zoomTo(t.childrenOf(1).nodes[1]);
  out.push(v.part("matched").textContent, location.hash);
  v.part("reverse").click();
  out.push(...kids(v.tree, 0));
  return out.join(" ");
})()'
same "$(browser "file://$PWD/page.html" --eval "$look")" \
  '"100 run60 parse40 matched 50.00% matched 75.00% #z=2&s=%5Eread%24 read50 work40 parse10"'

look='(() => {
  go({ term: "^read$" });
  const whole = document.getElementById("matched").textContent;
  go({ zoom: view.frames.find((f) => f.name === "parse") });
  return [whole, document.getElementById("matched").textContent, location.hash].join(" ");
})()'
same "$(browser "file://$PWD/page.svg" --eval "$look")" \
  '"Matched: 50.00% Matched: 75.00% #x=0&w=40&y=84&s=%5Eread%24"'
browser "file://$PWD/page.html" --size 320x560 --dark --screenshot narrow.png
[ -s narrow.png ] || fail "no picture was taken"
