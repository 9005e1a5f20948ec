#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pprof -> pprof and pprof -> top against google/pprof and against gzip alone, on one core.

    pprof_against_google.py HPROF [SAMPLES]

Makes a profile of SAMPLES (300000) random stacks of 25 frames, then prints medians of five runs and
the ratios. Needs `pprof` (google/pprof) or `go tool pprof` in PATH. The last line of each job says
what gzip alone would take: Python's zlib is the same library, without anything around it.
"""
import gzip
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import zlib


def varint(n):
    out = bytearray()
    while n >= 0x80:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    out.append(n)
    return bytes(out)


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def make_profile(samples, functions=5000, depth=25):
    rng = random.Random(1)
    texts = [b"", b"samples", b"count", b"cpu", b"nanoseconds"]
    texts += [b"package/module.function_number_%d" % i for i in range(functions)]
    parts = [field(1, field(1, 1) + field(2, 2)), field(1, field(1, 3) + field(2, 4))]
    for _ in range(samples):
        stack = b"".join(varint(rng.randint(1, functions)) for _ in range(depth))
        count = rng.randint(1, 9)
        parts.append(field(2, field(1, stack) + field(2, varint(count) + varint(count * 10000000))))
    for i in range(1, functions + 1):
        parts.append(field(4, field(1, i) + field(3, 0x400000 + 16 * i) + field(4, field(1, i) + field(2, i % 999))))
    for i in range(1, functions + 1):
        parts.append(field(5, field(1, i) + field(2, 4 + i) + field(3, 4 + i)))
    parts += [field(6, t) for t in texts]
    return b"".join(parts)


def run(command):
    """(seconds, peak bytes) of one run on one core."""
    start = time.perf_counter()
    pid = os.fork()
    if pid == 0:
        os.sched_setaffinity(0, {0})
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        os.execvp(command[0], command)
    _, status, usage = os.wait4(pid, 0)
    assert status == 0, command
    # CPU time: a wall clock on a shared machine measures the others.
    return usage.ru_utime + usage.ru_stime, time.perf_counter() - start, usage.ru_maxrss * 1024


def median(command):
    runs = [run(command) for _ in range(5)]
    cpu, wall, peak = (statistics.median(column) for column in zip(*runs))
    print(f"{os.path.basename(command[0]):8s} {' '.join(command[1:3])[:40]:40s} "
          f"cpu {cpu:7.3f} s  wall {wall:7.3f} s  peak {peak / 1e6:7.1f} MB")
    return cpu, peak


def gzip_alone(packed, level):
    times = []
    for _ in range(5):
        start = time.process_time()
        raw = zlib.decompress(packed, 31)
        packer = zlib.compressobj(level, zlib.DEFLATED, 31)
        packer.compress(raw)
        packer.flush()
        times.append(time.process_time() - start)
    print(f"inflate and deflate alone, zlib level {level}: {statistics.median(times):.3f} s")
    return statistics.median(times)


def main():
    hprof = sys.argv[1]
    samples = int(sys.argv[2]) if len(sys.argv) > 2 else 300000
    peer = ["pprof"] if shutil.which("pprof") else ["go", "tool", "pprof"]
    with tempfile.TemporaryDirectory() as folder:
        raw = make_profile(samples)
        packed = gzip.compress(raw, 6)
        path = os.path.join(folder, "in.pb.gz")
        with open(path, "wb") as out:
            out.write(packed)
        print(f"{samples} samples, {len(raw) / 1e6:.1f} MB raw, {len(packed) / 1e6:.1f} MB gzip")
        os.sched_setaffinity(0, {0})
        ours, peak = median([hprof, "convert", path, "-q", "-o", os.path.join(folder, "out.pb.gz")])
        theirs, _ = median(peer + ["-proto", "-symbolize=none", "-output=" + os.path.join(folder, "peer.pb.gz"), path])
        wall = gzip_alone(packed, 1)
        print(f"pprof -> pprof: {theirs / ours:.1f} x google/pprof (bar 6), {ours / wall:.2f} x gzip alone "
              f"(bar 1.3), memory {peak / len(raw):.2f} x raw (bar 3)")
        ours, _ = median([hprof, "convert", path, "-q", "--format", "top", "-o", os.path.join(folder, "top.txt")])
        theirs, _ = median(peer + ["-top", "-symbolize=none", "-output=" + os.path.join(folder, "peer.txt"), path])
        print(f"pprof -> top: {theirs / ours:.1f} x google/pprof (bar 20)")


if __name__ == "__main__":
    main()
