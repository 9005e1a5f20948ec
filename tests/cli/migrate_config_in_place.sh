# SPDX-License-Identifier: Apache-2.0
# A harmony.conf is completed in place: backup, mode, symbolic links, --check, --dry-run, second run.
need patch
printf '# mine\nVersion = "2.1.0"\r\n\r\n[Pprof]\r\n  Enabled = true # on\r\n\r\n[Z]\r\n  A = 1' >real.conf
chmod 604 real.conf
cp real.conf before.conf
ln -s real.conf link.conf

expect_exit 1 "$HPROF" migrate-config --check link.conf
expect_text err.txt '\[Pprof\] lacks Folder, ListenAddr, ProfileDebugValues'
expect_exit 0 "$HPROF" migrate-config --dry-run real.conf
cmp real.conf before.conf || fail "--dry-run wrote"
cp out.txt change.diff
expect_exit 0 "$HPROF" migrate-config link.conf
[ -L link.conf ] || fail "the link was replaced"
[ "$(stat -c %a real.conf)" = 604 ] || fail "mode $(stat -c %a real.conf)"
cmp real.conf.backup before.conf || fail "the backup differs"
[ "$(stat -c %a real.conf.backup)" = 604 ] || fail "mode of the backup"
# Nothing but lines of [Pprof] came in, with the file's line ends.
diff before.conf real.conf | grep '^<' && fail "a line was changed"
[ "$(diff before.conf real.conf | grep -c '^>   [A-Z][A-Za-z]* = .*'$'\r')" = 5 ] || fail "lines added"
cp before.conf patched.conf
patch --binary -s patched.conf change.diff || fail "patch does not take the diff"
cmp patched.conf real.conf || fail "the diff says something else"

# Newest: no write, no second backup.
stat -c %y,%i real.conf >stamp
expect_exit 0 "$HPROF" migrate-config real.conf
expect_text err.txt 'already newest'
[ "$(stat -c %y,%i real.conf)" = "$(cat stamp)" ] || fail "written again"
expect_exit 0 "$HPROF" migrate-config --check real.conf
expect_exit 0 "$HPROF" migrate-config --dry-run real.conf
[ ! -s out.txt ] || fail "a diff of nothing"

# A backup never overwrites one.
cp before.conf real.conf
expect_exit 0 "$HPROF" migrate-config real.conf
cmp real.conf.backup before.conf && cmp real.conf.backup-2 before.conf || fail "backups"

# A file that cannot be read stays as it is, without a backup.
printf 'Version = "2.1.0"\n[Pprof]\nEnabled = "yes"\n' >bad.conf
for flag in --check --dry-run ''; do
  expect_exit 5 "$HPROF" migrate-config $flag bad.conf
  expect_text err.txt 'bad.conf:3:11: Pprof.Enabled: expected true or false, got a string'
done
[ ! -e bad.conf.backup ] || fail "a backup of a bad file"
expect_exit 1 "$HPROF" migrate-config absent.conf
expect_exit 2 "$HPROF" migrate-config
expect_exit 2 "$HPROF" migrate-config --check -o x real.conf
