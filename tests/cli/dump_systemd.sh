# SPDX-License-Identifier: Apache-2.0
# serial
# What systemd hears: ready, signs of life, reloading, stopping.
. "$SOURCE/tests/cli/dump.bash"
start_busy
can_profile
cat >listen.py <<'END'
import os, socket
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind('notify')
open('listening', 'w').close()
while True:
    print(s.recv(4096).decode(), flush=True)
END
python3 listen.py >heard.txt & LISTENER=$!
for _ in {1..50}; do [ -e listening ] && break; sleep 0.1; done
NOTIFY_SOCKET=$PWD/notify WATCHDOG_USEC=400000 start_dump "$TARGET" --folder out --interval 1s -F 49
wait_for grep -q '^READY=1' heard.txt
heard() { [ "$(grep -c "^$2" heard.txt)" -ge "$1" ]; }
wait_for heard 5 WATCHDOG=1
wait_for grep -q '^STATUS=[0-9]* files in out' heard.txt
kill -HUP $DUMP
wait_for grep -q '^RELOADING=1' heard.txt
wait_for heard 2 READY=1
stop_dump
wait_for grep -q '^STOPPING=1' heard.txt
kill $LISTENER
