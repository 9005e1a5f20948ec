# A flag wins over a variable, a variable over a file, a file over the default; errors say where.
unset XDG_CONFIG_HOME
export HOME=$PWD/home
mkdir -p home/.config/hprof
rate() { "$HPROF" record --print-config "$@" | grep '^rate ='; }
[ "$(rate)" = "rate = 99                                # default" ] || fail "default: $(rate)"
printf '[record]\nrate = 11\n' >home/.config/hprof/hprof.toml
rate | grep -q '^rate = 11 .*home/.config/hprof/hprof.toml:2$' || fail "user file: $(rate)"
printf 'version = 1\n[record]\nrate = 12\n' >hprof.toml
rate | grep -q '^rate = 12 .* hprof.toml:3$' || fail "file here: $(rate)"
printf '[record]\nrate = 13\n' >named.toml
rate --config named.toml | grep -q '^rate = 13 .* named.toml:2$' || fail "named file"
HPROF_RECORD_RATE=14 rate | grep -q '^rate = 14 .* HPROF_RECORD_RATE$' || fail "variable"
HPROF_RECORD_RATE=14 rate -F 15 | grep -q '^rate = 15 .* flag$' || fail "flag"

# What is printed is itself a config that says the same.
"$HPROF" record --print-config -F 16 -k cpu --max-cpu 5 >printed.toml
"$HPROF" record --print-config --config printed.toml | sed 's/ *#.*//;/^$/d' >again.txt
sed 's/ *#.*//;/^$/d' printed.toml | diff - again.txt || fail "printed config reads back differently"

expect_exit 2 env HPROF_RECORD_RATE=fast "$HPROF" record --print-config
expect_text err.txt "HPROF_RECORD_RATE: 'fast' is not a rate"
expect_exit 2 env HPROF_RECORD_RAET=9 "$HPROF" record --print-config
expect_text err.txt "did you mean HPROF_RECORD_RATE"
expect_exit 1 "$HPROF" record --config missing.toml --print-config
for bad in '[record]\nrte = 3' '[record]\nrate = "3"' '[recrod]\nrate = 3' '[record' 'version = 9'; do
  printf "$bad\n" >bad.toml
  expect_exit 5 "$HPROF" record --config bad.toml 1
  expect_text err.txt 'bad\.toml:[12]:[0-9]+: '
done
printf '[record]\nrte = 3\n' >bad.toml
expect_exit 5 "$HPROF" record --config bad.toml 1
expect_text err.txt 'bad.toml:2:1: record.rte: unknown key, did you mean record.rate'

# Another user's file in a shared folder must not steer us.
chmod 666 hprof.toml
rate 2>err.txt | grep -q '^rate = 11' || fail "a file that all may write was read"
expect_text err.txt 'not read'
