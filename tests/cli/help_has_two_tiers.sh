# --help shows everyday flags, --help-advanced all; both end with 0, wrong usage with 2.
expect_exit 0 "$HPROF" --version
expect_text out.txt '^hprof [0-9]+\.[0-9]+\.[0-9]+$'
expect_exit 0 "$HPROF" --help
expect_text out.txt '^  record '
for command in $(sed -n '/^Commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p' out.txt); do
  expect_exit 0 "$HPROF" "$command" --help
  refuse_text out.txt '--max-memory|--unwind|--stack-bytes|--engine'
  expect_text out.txt '--help-advanced'
  expect_exit 0 "$HPROF" help "$command"
done
expect_exit 0 "$HPROF" record --help-advanced
for flag in unwind stack-bytes ring-kib engine clock max-frames debug-dir sysroot proc-root max-cpu max-memory; do
  expect_text out.txt "--$flag( |\[)"
done
# Advanced flags are parsed like any other.
expect_exit 4 "$HPROF" record 4194305 --unwind=fp --stack-bytes 8k --engine per-cpu -d 1
expect_exit 2 "$HPROF"
expect_exit 2 "$HPROF" recrod
expect_text err.txt "did you mean record"
expect_exit 2 "$HPROF" record 1 --duratoin 3
expect_text err.txt "unknown option --duratoin, did you mean --duration"
expect_exit 2 "$HPROF" record 1 -d soon
expect_exit 2 "$HPROF" record 1 --engine warp
expect_exit 2 "$HPROF" 4242
expect_text err.txt "hprof record 4242"
