# Man pages and completions parse, by the tools that will read them.
docs=$SUPPORT/../../docs
[ -d "$docs" ] || skip "documents are not built"
checked=0
if command -v mandoc >/dev/null; then
  for page in "$docs"/man1/*.1; do
    mandoc -Tlint -Wwarning "$page" >lint.txt 2>&1 || { cat lint.txt; fail "$page"; }
  done
  checked=1
fi
for shell in bash zsh fish; do
  command -v $shell >/dev/null || continue
  for script in "$docs/$shell"/*; do $shell -n "$script" || fail "$script"; done
  checked=1
done
[ $checked = 1 ] || skip "neither mandoc nor a shell is installed"
# What bash completes is what the program shows.
cat >try.bash <<'END'
source "$1"
COMP_WORDS=(hprof record --du); COMP_CWORD=2; _hprof; echo "${COMPREPLY[@]}"
COMP_WORDS=(hprof record -k cp); COMP_CWORD=3; _hprof; echo "${COMPREPLY[@]}"
COMP_WORDS=(hprof record --unw); COMP_CWORD=2; _hprof; echo "none:${COMPREPLY[*]}"
COMP_WORDS=(hprof reco); COMP_CWORD=1; _hprof; echo "${COMPREPLY[@]}"
END
bash try.bash "$docs/bash/hprof" >out.txt
printf '%s\n' --duration cpu none: record >want.txt
diff want.txt out.txt || fail "bash completion"
