# SPDX-License-Identifier: Apache-2.0
"""Reads every file of a dump folder and fails on a bad or foreign one; prints what they add up to.

usage: dump_check.py FOLDER [PID]
prints: files=N samples=N sum=SECONDS span=SECONDS gap=SECONDS end=UNIX_SECONDS
        sum of durations, first start to last end, greatest gap or overlap, end of the last window
"""
import os
import re
import sys

sys.path.insert(0, os.path.dirname(__file__))
import pprof_read  # noqa: E402

NAME = re.compile(r'^([a-z]+)\.(\d+)\.(\d+)(-\d+)?\.(pb\.gz|txt)$')


def header(path):
    data = open(path, 'rb').read()
    if data[:2] == b'\x1f\x8b':
        data = pprof_read.gzip.decompress(data)
    start = duration = samples = 0
    for number, value in pprof_read.fields(data):
        if number == 9:
            start = value
        elif number == 10:
            duration = value
        elif number == 2:
            values = [x for n, v in pprof_read.fields(value) if n == 2 for x in pprof_read.numbers(v)]
            samples += values[0]
    return start, duration, samples


def main():
    folder = sys.argv[1]
    windows = []
    for name in sorted(os.listdir(folder)):
        match = NAME.match(name)
        if not match:
            if name.startswith('.hprof-dump.json'):
                continue
            sys.exit(f'foreign file {name}')
        if len(sys.argv) > 2 and match[3] != sys.argv[2]:
            continue
        pprof_read.Profile(os.path.join(folder, name))  # reads all of it
        start, duration, samples = header(os.path.join(folder, name))
        if start // 10**9 != int(match[2]):
            sys.exit(f'{name}: begins at {start}')
        windows.append((start, duration, samples))
    windows.sort()
    gap = 0
    for before, after in zip(windows, windows[1:]):
        gap = max(gap, abs(after[0] - before[0] - before[1]))
    end = max((s + d for s, d, _ in windows), default=0)
    span = end - windows[0][0] if windows else 0
    total = sum(d for _, d, _ in windows)
    print(f'files={len(windows)} samples={sum(n for _, _, n in windows)} sum={total / 1e9:.3f} '
          f'span={span / 1e9:.3f} gap={gap / 1e9:.4f} end={end / 1e9:.3f}')


if __name__ == '__main__':
    main()
