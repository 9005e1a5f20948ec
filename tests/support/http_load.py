#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Many clients at once against a server on this machine: http_load.py URL CLIENTS SECONDS

Mixes endpoints; 200, and the documented 429 and 503, are fine, everything else is counted as bad. A few
clients misbehave (slow headers, oversized ones, garbage, hanging up) and must neither hang nor get 200.
"""
import collections
import http.client
import random
import socket
import sys
import threading
import time
import urllib.parse

PATHS = ['/debug/pprof/', '/debug/pprof/cmdline', '/debug/pprof/symbol?0x1', '/debug/pprof/heap', '/healthz', '/metrics',
         '/api/targets', '/api/flame', '/', '/debug/pprof/profile?seconds=1', '/debug/pprof/profile?seconds=2']
FINE = {200, 429, 503}


def polite(host, port, end, seen, bad):
    chooser = random.Random(threading.get_ident())
    while time.monotonic() < end:
        path = chooser.choice(PATHS)
        try:
            connection = http.client.HTTPConnection(host, port, timeout=60)
            connection.request('GET', path)
            response = connection.getresponse()
            response.read()
            expected = FINE | ({404} if path.endswith('heap') or path == '/api/flame' else set())
            seen[response.status] += 1
            if response.status not in expected:
                bad.append(f'{path}: {response.status}')
            connection.close()
        except OSError as problem:
            bad.append(f'{path}: {problem}')


def rude(host, port, end, bad):
    chooser = random.Random(threading.get_ident())
    while time.monotonic() < end:
        try:
            with socket.create_connection((host, port), timeout=30) as connection:
                way = chooser.randrange(4)
                if way == 0:
                    for byte in b'GET / HTTP/1.1\r\nHost: localhost\r\n':
                        connection.send(bytes([byte]))
                        time.sleep(0.05)
                elif way == 1:
                    connection.sendall(b'GET / HTTP/1.1\r\nX: ' + b'a' * 200000 + b'\r\n\r\n')
                elif way == 2:
                    connection.sendall(bytes(chooser.randrange(256) for _ in range(1000)) + b'\r\n\r\n')
                else:
                    connection.sendall(b'GET /debug/pprof/profile?seconds=2 HTTP/1.1\r\nHost: localhost\r\n\r\n')
                    continue  # hangs up while the profile is made
                connection.settimeout(15)
                if b' 200 ' in connection.recv(100):
                    bad.append(f'rude way {way} got 200')
        except OSError:
            pass


def main():
    url = urllib.parse.urlparse(sys.argv[1])
    end = time.monotonic() + float(sys.argv[3])
    seen, bad = collections.Counter(), []
    threads = [threading.Thread(target=polite, args=(url.hostname, url.port, end, seen, bad)) for _ in range(int(sys.argv[2]))]
    threads += [threading.Thread(target=rude, args=(url.hostname, url.port, end, bad)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(dict(seen), f'{len(bad)} bad', bad[:5])
    return 1 if bad or not seen[200] else 0


if __name__ == '__main__':
    sys.exit(main())
