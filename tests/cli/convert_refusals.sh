# Bad input, empty profiles and bad flags: the exit code says which, and no file is left.
printf 'main 1\n' >in.folded
no_file() { [ ! -e out.pb.gz ] || fail "an output file was left by: $*"; }
"$HPROF" convert in.folded -o good.pb.gz
gzip -dc good.pb.gz | head -c 20 >cut.pb
expect_exit 5 "$HPROF" convert cut.pb -o out.pb.gz; no_file cut
expect_text err.txt 'cut.pb: pprof: .*offset'
cat good.pb.gz good.pb.gz >twice.pb.gz
expect_exit 5 "$HPROF" convert twice.pb.gz -o out.pb.gz; no_file concatenated
expect_text err.txt 'concatenated'
head -c 30 good.pb.gz >torn.pb.gz
expect_exit 5 "$HPROF" convert torn.pb.gz -o out.pb.gz; no_file torn
expect_exit 5 "$HPROF" convert /bin/sh -o out.pb.gz; no_file binary
expect_text err.txt 'an ELF binary'
: >empty
expect_exit 5 "$HPROF" convert empty -o out.pb.gz; no_file empty
expect_exit 6 "$HPROF" convert in.folded --ignore main -o out.pb.gz; no_file filtered
expect_exit 0 "$HPROF" convert in.folded --ignore main --allow-empty -o none.pb.gz
expect_exit 6 "$HPROF" convert none.pb.gz -o out.pb.gz; no_file none
expect_exit 1 "$HPROF" convert missing.pb.gz -o out.pb.gz; no_file missing
expect_exit 1 "$HPROF" convert in.folded -o no/such/folder/x.pb.gz
expect_exit 2 "$HPROF" convert in.folded -o x.unknown
expect_exit 2 "$HPROF" convert in.folded
expect_exit 2 "$HPROF" convert -o out.pb.gz
expect_exit 2 "$HPROF" convert in.folded --focus '(' -o out.pb.gz; no_file pattern
expect_text err.txt '--focus'
expect_exit 2 "$HPROF" convert in.folded --since nonsense -o out.pb.gz
expect_exit 2 "$HPROF" convert in.folded --granularity nonsense -o out.pb.gz
expect_exit 2 "$HPROF" convert in.folded --sample-type nonsense -o out.pb.gz; no_file type
expect_exit 2 "$HPROF" convert in.folded --base in.folded --diff-base in.folded -o out.pb.gz
expect_exit 2 "$HPROF" convert in.folded --input-format nonsense -o out.pb.gz
