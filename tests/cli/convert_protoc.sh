# protoc, which refuses bad UTF-8 and bad wire types, decodes what we write without unknown fields.
need protoc
printf 'main;w\xff\xfe;inner 10\n' >in.folded
"$HPROF" convert in.folded -o a.pb
protoc --decode=hprof.test.Profile -I"$SOURCE/tests/data/pprof" profile.proto <a.pb >text.txt 2>protoc.txt ||
  { cat protoc.txt; fail "protoc refused"; }
expect_text text.txt '^string_table: "inner"'
expect_text text.txt '^  value: 10'
refuse_text text.txt '^ *[0-9]+: '
