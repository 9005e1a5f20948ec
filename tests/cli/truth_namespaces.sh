# A target in another mount and pid namespace, whose files hprof cannot see by path.
# serial
. "$(dirname "${BASH_SOURCE[0]}")/truth.bash"
need gcc
need unshare
unshare --mount --pid --fork true 2>/dev/null || skip "unshare needs root"
gcc -O2 -g -fomit-frame-pointer "$SPLIT" -o split
cat > inside.sh <<'INNER'
mount -t tmpfs none /mnt && cp "$1" /mnt/hidden-split && exec /mnt/hidden-split
INNER
unshare --mount --pid --fork --mount-proc sh inside.sh "$PWD/split" &
sleep 1
TARGET=$(pgrep -x hidden-split | head -1) || fail "target did not start"
record_folded "$TARGET"
kill -9 "$TARGET"
expect_share folded.txt '(^|;)half_of_it(;| )' 50
expect_most folded.txt '(^|;)main;run;' 98
