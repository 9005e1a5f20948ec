# serve with a config that wants dumps does both: a scrape during a dump window disturbs nothing.
. "$(dirname "${BASH_SOURCE[0]}")/serve.bash"
start_target "$SUPPORT/target_demo"
cat >hprof.toml <<'TOML'
version = 1
[dump]
folder = "history"
interval = "2s"
TOML
serve_target "$TARGET" --config hprof.toml
sleep 1
curl -s -o scrape.pb.gz "$URL/debug/pprof/profile?seconds=3"
kill "$SERVER"; wait "$SERVER" || { cat serve.txt >&2; fail "end"; }
[ "$(ls history/cpu.*.pb.gz | wc -l)" -ge 2 ] || fail "too few dumps: $(ls history)"
python3 - <<'PY' || fail "the scrape and the dumps do not agree"
import glob, os, sys
sys.path.insert(0, os.environ['SOURCE'] + '/tests/support')
from pprof_read import Profile
count = lambda path: sum(values[0] for _, values, _ in Profile(path).samples)
scrape, dumps = count('scrape.pb.gz'), sum(count(p) for p in glob.glob('history/cpu.*.pb.gz'))
print(scrape, 'samples in the scrape,', dumps, 'in the dumps')
sys.exit(not (0 < scrape <= dumps))
PY
