#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What recording costs, against perf and samply in one run. Prints medians and ratios; asserts nothing.

  against_peers.py HPROF cost    --work build/release/tests/bench/work [--samply PATH] [--rounds 5]
  against_peers.py HPROF stop    [--flamegraph DIR] [--samply PATH] [--megabytes 500]
  against_peers.py HPROF own     --work build/release/tests/bench/work [--seconds 60]

cost: CPU seconds a fixed amount of work takes under each profiler, over the same without one.
stop: seconds from SIGINT to a named SVG on disk, for a program with that much debug info: hprof cold
      and with its symbol cache, perf script + stackcollapse-perf.pl + flamegraph.pl as they come and
      with --no-inline (--flamegraph: the folder of these scripts), and samply.
own:  hprof's own CPU share and peak memory while it records for a minute.
"""
import argparse
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

QUIET = dict(stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def measured_cpu(command):
    out = subprocess.run(command, capture_output=True, text=True).stdout
    return float([line for line in out.splitlines() if line.replace('.', '').isdigit()][-1])


def cost(options):
    work = [options.work, '2', str(options.rounds_of_work)]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for rate in (99, 999):
            profilers = {
                'none': work,
                'perf -g': ['perf', 'record', '-q', '-g', '-F', str(rate), '-o', 'perf.data', '--'] + work,
                'perf dwarf': ['perf', 'record', '-q', '--call-graph', 'dwarf', '-F', str(rate), '-o', 'perf.data', '--'] + work,
                'hprof': [options.hprof, 'record', '-q', '-F', str(rate), '-o', 'h.pb.gz', '--'] + work,
            }
            if options.samply:
                profilers['samply'] = [options.samply, 'record', '-s', '-n', '-r', str(rate), '-o', 's.json', '--'] + work
            times = {name: [] for name in profilers}
            for _ in range(options.rounds):
                for name, command in profilers.items():
                    times[name].append(measured_cpu(command))
            for name in profilers:
                ratios = [a / b for a, b in zip(times[name], times['none'])]
                print(f'{rate:4} Hz  {name:11} {statistics.median(times[name]):7.3f} s CPU  x{statistics.median(ratios):.4f}'
                      f'  ({min(ratios):.4f} .. {max(ratios):.4f})')


def big_program(folder, megabytes):
    """A program with at least that much debug info, most of it never hit, as in a real large binary."""
    source = '''#include <regex>\n#include <map>\n#include <string>\n#include <iostream>\n#include <unordered_map>\n#include <functional>\n
namespace unit%d { template <int N> struct Tag { int v; bool operator<(const Tag& o) const { return v < o.v; } };
template <int N> int deep(const std::string& s) { std::map<Tag<N>, std::string> m; m[Tag<N>{N}] = s;
  std::unordered_map<std::string, std::function<int(int)>> f; f[s] = [](int x) { return x + N; };
  std::regex r("a+b"); return std::regex_match(s, r) + int(m.size()) + f[s](N) + deep<N - 1>(s); }
template <> int deep<0>(const std::string&) { return 0; }
int run(const std::string& s) { return deep<24>(s); } }\n'''
    # Compiling half a gigabyte takes an hour; some units are compiled and linked many times over
    # under other names, each with debug info of its own at addresses of its own.
    def compile_unit(number):
        name = os.path.join(folder, f'u{number}')
        open(name + '.cpp', 'w').write(source % number)
        return subprocess.Popen(['g++', '-O1', '-g', '-fno-gnu-unique', '-c', name + '.cpp', '-o', name + '.o'])

    distinct = range(8)
    for first in distinct[::2]:
        for job in [compile_unit(first), compile_unit(first + 1)]:
            job.wait()
    size = count = 0
    while size < megabytes << 20:
        unit, copy = os.path.join(folder, f'u{count % 8}'), os.path.join(folder, f'c{count}.o')
        if count < 8:
            subprocess.run(['ld', '-r', '--force-group-allocation', unit + '.o', '-o', unit + '.r.o'], check=True)
        run = f'_ZN5unit{count % 8}3runERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE'
        subprocess.run(['objcopy', '--keep-global-symbol=' + run, f'--keep-global-symbol=run_{count}', f'--redefine-sym={run}=run_{count}', unit + '.r.o', copy], check=True)
        if count < 8:
            sections = subprocess.run(['size', '-A', '-d', copy], capture_output=True, text=True).stdout
            unit_size = sum(int(line.split()[1]) for line in sections.splitlines() if line.startswith('.debug'))
        size += unit_size
        count += 1
    calls = ''.join(f'extern "C" int run_{i}(const std::string&);\n' for i in range(count))
    body = ''.join(f'sum = sum + run_{i}(text);' for i in range(count))
    open(os.path.join(folder, 'main.cpp'), 'w').write(
        f'#include <string>\n{calls}int main() {{ volatile int sum = 0; std::string text = "aaab"; for (;;) {{ {body} }} }}')
    program = os.path.join(folder, 'big')
    subprocess.run(['g++', '-O1', '-g', os.path.join(folder, 'main.cpp')] +
                   [os.path.join(folder, f'c{i}.o') for i in range(count)] + ['-Wl,-z,muldefs', '-o', program], check=True)
    for name in os.listdir(folder):
        if name.endswith('.o'):
            os.remove(os.path.join(folder, name))
    print(f'{count} units, {os.path.getsize(program) >> 20} MB')
    return program


def stop_and_wait(recorder, seconds):
    time.sleep(seconds)
    began = time.monotonic()
    recorder.send_signal(signal.SIGINT)
    recorder.wait()
    return time.monotonic() - began


def stop(options):
    folder = tempfile.mkdtemp(dir=options.scratch)
    program = options.program or big_program(folder, options.megabytes)
    os.chdir(folder)
    target = subprocess.Popen([program], **QUIET)
    results = {}
    try:
        os.environ['XDG_CACHE_HOME'] = os.path.join(folder, 'cache')
        record = [options.hprof, 'record', '-q', '-p', str(target.pid), '-o', 'h.svg']
        for name in ('hprof, cold', 'hprof, warm cache'):
            results[name] = stop_and_wait(subprocess.Popen(record, **QUIET), options.seconds)
        if options.samply:
            args = [options.samply, 'record', '-s', '-n', '-r', '99', '--unstable-presymbolicate', '-o', 's.json', '-p', str(target.pid)]
            results['samply (names, no picture)'] = stop_and_wait(subprocess.Popen(args, **QUIET), options.seconds)
        if options.flamegraph:
            perf = subprocess.Popen(['perf', 'record', '-q', '-F', '99', '--call-graph', 'dwarf', '-p', str(target.pid)], **QUIET)
            wait = stop_and_wait(perf, options.seconds)
            for name, more in (('perf --no-inline', '--no-inline'), ('perf as it comes', '')):
                began = time.monotonic()
                pipe = (f'perf script {more} 2>/dev/null | {options.flamegraph}/stackcollapse-perf.pl | '
                        f'{options.flamegraph}/flamegraph.pl > p.svg')
                try:
                    subprocess.run(['bash', '-c', pipe], timeout=options.patience, **QUIET)
                    results[name] = wait + time.monotonic() - began
                except subprocess.TimeoutExpired:
                    subprocess.run(['pkill', '-f', 'perf script'])
                    results[name + f' (given up)'] = options.patience
    finally:
        target.kill()
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)
    cold = results['hprof, cold']
    for name, seconds in results.items():
        print(f'{name:30} {seconds:9.2f} s   x{seconds / cold:.2f} of hprof cold')


def own(options):
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        target = subprocess.Popen([options.work, '2', '100000000'], **QUIET)
        try:
            for rate in (19, 99, 999):
                out = subprocess.run([options.hprof, 'record', '-q', '-F', str(rate), '-d', str(options.seconds), '--json', '-p',
                                      str(target.pid), '-o', 'h.pb.gz'], capture_output=True, text=True).stdout
                import json
                summary = json.loads(out)
                print(f'{rate:4} Hz  {summary["samples"]:7} samples  {100 * summary["own_cpu_s"] / options.seconds:6.3f} % of a core'
                      f'  {summary["own_peak_bytes"] / 2**20:7.1f} MiB peak')
        finally:
            target.kill()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('hprof', type=os.path.abspath)
    parser.add_argument('what', choices=['cost', 'stop', 'own'])
    parser.add_argument('--work', type=os.path.abspath)
    parser.add_argument('--samply')
    parser.add_argument('--flamegraph', type=os.path.abspath)
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--rounds-of-work', type=int, default=20000)
    parser.add_argument('--seconds', type=int, default=None)
    parser.add_argument('--megabytes', type=int, default=500)
    parser.add_argument('--program', type=os.path.abspath, help='a program with large debug info, instead of making one')
    parser.add_argument('--patience', type=int, default=900, help='seconds after which a peer is given up')
    parser.add_argument('--scratch', help='where to make the large program')
    parser.add_argument('--keep', action='store_true')
    options = parser.parse_args()
    options.seconds = options.seconds or (60 if options.what == 'own' else 5)
    {'cost': cost, 'stop': stop, 'own': own}[options.what](options)


if __name__ == '__main__':
    sys.exit(main())
