# The page in a real browser: loads, updates by itself, searches, zooms, compares, downloads, at 320 px too.
. "$(dirname "${BASH_SOURCE[0]}")/serve.bash"
need node
command -v chromium >/dev/null || skip "chromium is not installed"
start_target "$SUPPORT/target_demo"
serve_target "$TARGET"
sleep 5
page() { timeout 100 node "$SOURCE/tests/support/browser.mjs" "$URL/" "$@" >out.txt || { cat out.txt >&2; fail "the page: $*"; }; }
page --eval 'new Promise((r) => setTimeout(() => {
  const before = Number(document.body.dataset.updates);
  setTimeout(() => {
    const view = livePage.view;
    view.part("search").value = "checksum"; view.search();
    const matched = view.part("matched").textContent;
    const child = 1; view.zoomTo(child);
    livePage.show("top");
    r({updates: Number(document.body.dataset.updates) - before, matched, rows: document.querySelectorAll("[data-live=rows] tr").length,
       zoomed: !view.part("reset").disabled, formats: document.querySelectorAll("[data-live=download] option").length});
  }, 6000);
}, 3000))' --screenshot page.png
cat out.txt
python3 - <<'PY' || fail "the page did not do what was asked"
import json
got = json.load(open('out.txt'))
assert got['updates'] >= 1 and '%' in got['matched'] and got['rows'] > 5 and got['zoomed'] and got['formats'] > 5, got
PY
page --size 320x640 --dark --eval 'new Promise((r) => setTimeout(() => { livePage.compare(); r(document.documentElement.scrollWidth) }, 4000))' --screenshot narrow.png
[ "$(cat out.txt)" = 320 ] || fail "at 320 px the page is $(cat out.txt) wide"
curl -s -o got.pb.gz "$URL/api/download?format=pprof"
python3 "$SOURCE/tests/support/pprof_read.py" --folded got.pb.gz >got.txt
[ "$(status_of "$URL/api/download?format=nosuch")" = 400 ] || fail "an unknown format"
