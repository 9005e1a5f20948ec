# SPDX-License-Identifier: Apache-2.0
# serial
# Every harmony.conf starts a dump of a live process unmodified, or is refused with the right error.
. "$SOURCE/tests/cli/dump.bash"
[ -d "$SHARED/fixtures/harmony-conf" ] || skip "no harmony.conf fixtures beside the checkout"
start_busy
can_profile
refused='empty-file no-version truncated-syntax-error v2.5.3-duplicate-section v2.5.3-pprof-floats
v2.5.3-pprof-intervals-scalar v2.5.3-pprof-mixed-array v2.5.3-pprof-unknown-profile
v2.5.3-pprof-wrong-types version-empty version-garbage version-not-string
v2.5.13-duplicate-key-invalid'
# Only kinds that no engine of this version takes: said so, exit 1.
no_engine='v2.5.3-dotted-keys v2.5.3-pprof-negative-interval v2.5.3-pprof-duplicate-names'
started=0
for file in "$SHARED"/fixtures/harmony-conf/*.toml "$SHARED"/fixtures/harmony-conf/edge/*.toml; do
  name=$(basename "$file" .toml)
  rm -rf out
  # Only the folder is changed: some of the files name one in the root of the machine.
  run() { expect_exit "$1" "$HPROF" dump "$TARGET" --config "$file" --folder out -d 0.1s; }
  if grep -qw -- "$name" <<<"$refused"; then
    run 5
    expect_text err.txt "$name.toml:"
  elif grep -qw -- "$name" <<<"$no_engine"; then
    run 1
    expect_text err.txt 'no engine for heap'
  else
    run 0
    [ "$(files_in out)" -ge 1 ] || fail "$name: no dump"
    started=$((started + 1))
  fi
done
[ $started -ge 61 ] || fail "only $started files started a dump"
# What old files need is said, once, and does not stand in the way.
edge=$SHARED/fixtures/harmony-conf/edge
expect_exit 0 "$HPROF" dump "$TARGET" --config "$edge/v2.5.3-pprof-count-mismatch.toml" --folder out -d 0.1s
expect_text err.txt 'ProfileIntervals has 2 items for 3 profile names'
expect_text err.txt 'no heap profiles: hprof .* has no engine for heap'
expect_exit 0 "$HPROF" dump "$TARGET" --config "$edge/version-newer.toml" --folder out -d 0.1s
expect_text err.txt 'newer than 2.6.8'
expect_exit 0 "$HPROF" dump "$TARGET" --config "$SHARED/fixtures/harmony-conf/v1.0.4-default.toml" --folder out -d 0.1s
expect_text err.txt 'hprof migrate-config .*v1.0.4-default.toml'
expect_text err.txt 'Enabled = false is not heeded'
