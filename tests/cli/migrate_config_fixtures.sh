# SPDX-License-Identifier: Apache-2.0
# Every harmony.conf there is: migrated or refused, the second run changes nothing, --check agrees.
[ -d "$SHARED/fixtures/harmony-conf" ] || skip "no harmony.conf fixtures beside the checkout"
refused='empty-file no-version truncated-syntax-error v2.5.3-duplicate-section v2.5.3-pprof-floats
v2.5.3-pprof-intervals-scalar v2.5.3-pprof-mixed-array v2.5.3-pprof-unknown-profile
v2.5.3-pprof-wrong-types version-empty version-garbage version-not-string
v2.5.13-duplicate-key-invalid'
count=0
for file in "$SHARED"/fixtures/harmony-conf/*.toml "$SHARED"/fixtures/harmony-conf/edge/*.toml; do
  name=$(basename "$file" .toml)
  count=$((count + 1))
  cp "$file" work.conf
  if grep -qw -- "$name" <<<"$refused"; then
    expect_exit 5 "$HPROF" migrate-config work.conf
    cmp -s work.conf "$file" || fail "$name: a refused file was changed"
    continue
  fi
  before=0; "$HPROF" migrate-config -q --check work.conf || before=$?
  expect_exit 0 "$HPROF" migrate-config work.conf
  if [ $before = 0 ]; then cmp -s work.conf "$file" || fail "$name: newest, but changed"; fi
  expect_exit 0 "$HPROF" migrate-config --check work.conf
  cp work.conf once.conf
  expect_exit 0 "$HPROF" migrate-config work.conf
  cmp -s work.conf once.conf || fail "$name: the second run changed it"
done
[ $count -ge 77 ] || fail "only $count files"
