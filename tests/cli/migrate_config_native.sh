# SPDX-License-Identifier: Apache-2.0
# -o writes an hprof.toml that says the same; --default prints one; both are newest.
cat >harmony.conf <<'END'
Version = "2.2.0"
[Pprof]
  Enabled = true
  Folder = "/var/tmp/profiles"
  ListenAddr = "127.0.0.1:6061"
  ProfileDebugValues = [0, 2]
  ProfileIntervals = [-5, 60]
  ProfileNames = ["cpu", "heap"]
END
cp harmony.conf before.conf
expect_exit 0 "$HPROF" migrate-config harmony.conf -o hprof.toml
expect_text err.txt 'warning: Pprof.ProfileIntervals: -5 for cpu is negative'
cmp harmony.conf before.conf || fail "the input was changed"
expect_text hprof.toml '^kinds = \["cpu", "heap"\]'
expect_text hprof.toml '^interval = \["0s", "60s"\]'
expect_text hprof.toml '^debug = \[0, 2\]'
expect_text hprof.toml '^listen = "127.0.0.1:6061"'
expect_exit 0 "$HPROF" migrate-config --check hprof.toml
# It is a config like any other.
expect_exit 0 "$HPROF" dump 1 --config hprof.toml --print-config
expect_text out.txt '^folder = "/var/tmp/profiles" +# hprof.toml:5'
expect_text out.txt '^interval = \["0s", "1m"\] +# hprof.toml:7'

# Never over an existing file, but for --force.
expect_exit 1 "$HPROF" migrate-config harmony.conf -o hprof.toml
expect_text err.txt 'hprof.toml: exists'
expect_exit 0 "$HPROF" migrate-config harmony.conf -o hprof.toml --force
expect_exit 0 "$HPROF" migrate-config harmony.conf -o -
cmp out.txt hprof.toml || fail "-o - says something else"

expect_exit 0 "$HPROF" migrate-config --default
cp out.txt default.toml
expect_text default.toml '^# keep_age = \["7d"\]'
expect_exit 0 "$HPROF" migrate-config --check default.toml

# hprof's own schema goes through the same machinery.
printf '# mine\n[dump]\nfolder = "x" # here\n' >old.toml
expect_exit 1 "$HPROF" migrate-config --check old.toml
expect_exit 0 "$HPROF" migrate-config old.toml
[ "$(cat old.toml)" = "$(printf '# mine\nversion = 1\n\n[dump]\nfolder = "x" # here')" ] || fail "$(cat old.toml)"
expect_exit 0 "$HPROF" migrate-config --check old.toml
printf 'version = 2\n' >newer.toml
expect_exit 5 "$HPROF" migrate-config newer.toml
printf 'version = 1\n[dump]\nfolders = "x"\n' >typo.toml
expect_exit 5 "$HPROF" migrate-config --check typo.toml
expect_text err.txt 'typo.toml:3:1: dump.folders: unknown key, did you mean dump.folder'
