#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Profiles programs that nobody here wrote with hprof and with perf at the same time, and compares.

  real_programs.py HPROF [redis postgres node clang esbuild] [--seconds 20] [--samply PATH]

For each program: the share of hprof's samples that reach the thread's root (>= 95 % wanted), and the
flat shares of the ten hottest functions in both, each difference in standard deviations (|z| <= 4
wanted, from the sample counts). With --samply the same against samply, in a second run.
Needs: perf, and for each program its package (redis-server redis-tools postgresql nodejs clang, and
esbuild through npm). A program that is not there is named and left out.
"""
import argparse
import collections
import glob
import gzip
import json
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
from pprof_read import Profile  # noqa: E402

RATE = 99


def normal(name):
    """One spelling for what two symbolizers call the same function."""
    name = re.sub(r'@@?[A-Z]+_[0-9.]+$', '', name)
    name = re.sub(r'(\.(cold|part|isra|constprop|lto_priv|llvm)(\.\d+)*)+$', '', name)
    return re.sub(r'\+0x[0-9a-f]+$', '', name)


def flat_hprof(path):
    profile = Profile(path)
    flat = collections.Counter()
    for stack, values, _ in profile.samples:
        name = profile.physical(stack[0]) if stack else None
        flat[normal(name) if name else '[unknown]'] += values[0]
    return flat


def flat_perf(path, pid):
    only = ['--pid', str(pid)] if pid else []
    out = subprocess.run(
        ['perf', 'report', '-i', path, '--no-children', '-g', 'none', '--no-inline', '--no-demangle', '-F',
         'sample,symbol', '--stdio', '-w', '0', '-n'] + only, capture_output=True, text=True).stdout
    flat = collections.Counter()
    for line in out.splitlines():
        match = re.match(r'\s*(\d+)\s+\[.\]\s+(\S.*?)\s*$', line)
        if match:
            name = match.group(2)
            flat['[unknown]' if re.match(r'(0x)?[0-9a-f]{16}$', name) else normal(name)] += int(match.group(1))
    return flat


def flat_samply(path):
    """Leaf functions of the Firefox profile that samply writes, by its symbol sidecar."""
    profile = json.load(gzip.open(path) if path.endswith('.gz') else open(path))
    syms = json.load(open(re.sub(r'\.json(\.gz)?$', '.syms.json', path)))
    strings = syms['string_table']
    tables = {}
    for lib in syms['data']:
        tables[lib['debug_name'], lib['debug_id'].upper()] = sorted(
            (e['rva'], e['rva'] + e['size'], strings[e['symbol']]) for e in lib['symbol_table'])
    flat = collections.Counter()
    for thread in profile['threads']:
        frames, stacks, funcs = thread['frameTable'], thread['stackTable'], thread['funcTable']
        resources, names = thread['resourceTable'], thread['stringArray']
        weights = thread['samples'].get('weight') or [1] * thread['samples']['length']
        for stack, weight in zip(thread['samples']['stack'], weights):
            if stack is None:
                continue
            frame = stacks['frame'][stack]
            func = frames['func'][frame]
            name = names[funcs['name'][func]]
            resource = funcs['resource'][func]
            if resource is not None and resource >= 0 and resources['lib'][resource] is not None:
                lib = profile['libs'][resources['lib'][resource]]
                address = frames['address'][frame]
                for begin, end, symbol in tables.get((lib['debugName'], lib['breakpadId'].upper()), []):
                    if begin <= address < end:
                        name = symbol
            flat[normal(name)] += weight
    return flat


def compare(title, ours, theirs):
    """Prints the ten hottest functions of both; returns the largest |z|."""
    n, m = sum(ours.values()), sum(theirs.values())
    if not n or not m:
        print(f'  {title}: {n} against {m} samples, nothing to compare')
        return math.inf
    hottest = sorted(set(ours) | set(theirs), key=lambda f: -(ours[f] / n + theirs[f] / m))[:10]
    worst = 0
    print(f'  {"function":52} {"hprof":>7} {title:>7} {"z":>6}   ({n} against {m} samples)')
    for name in hottest:
        p = (ours[name] + theirs[name]) / (n + m)
        sigma = math.sqrt(max(p * (1 - p), 1e-12) * (1 / n + 1 / m))
        z = (ours[name] / n - theirs[name] / m) / sigma
        worst = max(worst, abs(z))
        print(f'  {name[:52]:52} {100 * ours[name] / n:6.2f}% {100 * theirs[name] / m:6.2f}% {z:6.2f}')
    return worst


class Program:
    """start() gives a PID to profile while the program is busy; None: run `command` under the profilers."""
    call_graph = 'dwarf'
    command = None
    needs = ()

    def __init__(self, folder):
        self.folder, self.children = folder, []

    def spawn(self, *args, **more):
        child = subprocess.Popen(args, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.folder,
                                 start_new_session=True, **more)
        self.children.append(child)
        return child

    def stop(self):
        for child in reversed(self.children):
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            child.wait()


class Redis(Program):
    needs = ('redis-server', 'redis-benchmark')

    def start(self):
        server = self.spawn('redis-server', '--port', '7391', '--save', '')
        time.sleep(1)
        self.spawn('redis-benchmark', '-p', '7391', '-l', '-q', '-t', 'set,get,lpush,lrange_100', '-P', '16', '-r', '100000')
        time.sleep(1)
        return server.pid


class Postgres(Program):
    needs = ()

    def start(self):
        tools = sorted(glob.glob('/usr/lib/postgresql/*/bin'))[-1]
        data = os.path.join(self.folder, 'data')
        os.chmod(self.folder, 0o777)
        as_user = ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] if os.getuid() == 0 else []
        quiet = dict(stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True, cwd=self.folder)
        subprocess.run(as_user + [tools + '/initdb', '-D', data, '-A', 'trust', '-U', 'postgres'], **quiet)
        self.spawn(*as_user, tools + '/postgres', '-D', data, '-p', '7392', '-k', self.folder, '-c', 'fsync=off')
        time.sleep(2)
        pgbench = [tools + '/pgbench', '-h', self.folder, '-p', '7392', '-U', 'postgres']
        subprocess.run(pgbench + ['-i', '-s', '5', 'postgres'], **quiet)
        self.spawn(*pgbench, '-S', '-c', '1', '-T', '600', 'postgres')
        time.sleep(1)
        return int(subprocess.run(['pgrep', '-f', 'postgres: postgres postgres'], capture_output=True,
                                  text=True).stdout.split()[0])


class Node(Program):
    needs = ('node',)
    call_graph = 'fp'

    def start(self):
        script = '''
          function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
          function words(n) { const m = new Map(); for (let i = 0; i < n; i++) { const k = 'k' + (i % 997);
            m.set(k, (m.get(k) || 0) + 1); } return m.size; }
          function loop() { let s = 0; for (;;) { s += fib(20); s += words(3000); s += JSON.stringify({s, a: [1,2,3]}).length; } }
          loop();'''
        child = self.spawn('node', '--perf-basic-prof', '-e', script)
        time.sleep(3)
        return child.pid


class Esbuild(Program):
    call_graph = 'fp'
    needs = ('npm',)

    def start(self):
        cache = os.environ.get('ESBUILD') or ''
        if not os.path.exists(cache):
            subprocess.run(['npm', 'install', '--prefix', self.folder, 'esbuild@0.25', 'typescript@5'], capture_output=True)
            cache = glob.glob(self.folder + '/node_modules/@esbuild/*/bin/esbuild')[0]
        source = max(glob.glob(os.path.dirname(cache) + '/../../../typescript/lib/*.js'), key=os.path.getsize)
        # --watch stays up; touching the input makes it bundle again.
        copy = os.path.join(self.folder, 'in.js')
        shutil.copy(source, copy)
        child = self.spawn(cache, copy, '--bundle', '--minify', '--platform=node', '--outfile=' + self.folder + '/out.js',
                           '--watch=forever', stdin=subprocess.PIPE)
        self.spawn('sh', '-c', f'while :; do echo "//x" >> {copy}; sleep 0.3; done')
        time.sleep(3)
        return child.pid


class Clang(Program):
    needs = ('clang++',)

    def start(self):
        source = os.path.join(self.folder, 'big.cpp')
        with open(source, 'w') as out:
            out.write('#include <regex>\n#include <map>\n#include <string>\n#include <algorithm>\n#include <iostream>\n')
            for i in range(60):
                out.write(f'struct T{i} {{ int v; bool operator<(const T{i}& o) const {{ return v < o.v; }} }};\n'
                          f'int f{i}(const std::string& s) {{ std::map<T{i}, std::string> m; m[T{i}{{1}}] = s; std::regex r(s);'
                          f' return std::regex_match(s, r) + m.size(); }}\n')
        self.command = ['clang++', '-std=c++17', '-O2', '-c', source, '-o', '/dev/null']
        return None


PROGRAMS = {'redis': Redis, 'postgres': Postgres, 'node': Node, 'clang': Clang, 'esbuild': Esbuild}


def profile_both(hprof, program, pid, seconds, folder):
    """Runs hprof and perf on the same program at the same time. For a command each has its own run."""
    ours, theirs = os.path.join(folder, 'hprof.pb.gz'), os.path.join(folder, 'perf.data')
    graph = program.call_graph if program.call_graph == 'fp' else 'dwarf,65528'
    perf = ['perf', 'record', '-q', '-F', str(RATE), '--call-graph', graph, '-o', theirs]
    record = [hprof, 'record', '-F', str(RATE), '-o', ours, '--json', '-q']
    if pid is None:
        recorder = subprocess.run(record + ['--children', '--'] + program.command, capture_output=True, text=True)
        subprocess.run(perf + ['--'] + program.command, capture_output=True)
    else:
        # As root hprof's timers belong to the CPUs; those of `perf record -p` belong to the threads and start
        # anew at each switch, which shows: a program that sleeps often seems to live in the switch. Like
        # is compared with like.
        whom = ['-a'] if os.getuid() == 0 else ['-p', str(pid)]
        other = subprocess.Popen(perf + whom + ['--', 'sleep', str(seconds)], stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
        recorder = subprocess.run(record + ['-d', str(seconds), str(pid)], capture_output=True, text=True)
        other.wait()
    if not os.path.exists(ours):
        raise RuntimeError(recorder.stderr.strip() or 'hprof wrote nothing')
    return json.loads(recorder.stdout), flat_hprof(ours), flat_perf(theirs, pid)


def with_samply(samply, hprof, program, pid, seconds, folder):
    ours, theirs = os.path.join(folder, 'hprof2.pb.gz'), os.path.join(folder, 'samply.json')
    args = [samply, 'record', '-s', '-n', '-r', str(RATE), '--unstable-presymbolicate', '-o', theirs]
    record = [hprof, 'record', '-F', str(RATE), '-o', ours, '--json', '-q']
    if pid is None:
        subprocess.run(record + ['--children', '--'] + program.command, capture_output=True)
        subprocess.run(args + ['--'] + program.command, capture_output=True)
    else:
        other = subprocess.Popen(args + ['-d', str(seconds), '-p', str(pid)], stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
        subprocess.run(record + ['-d', str(seconds), str(pid)], capture_output=True)
        try:
            other.wait(timeout=120)
        except subprocess.TimeoutExpired:
            other.kill()
    return flat_hprof(ours), flat_samply(theirs)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('hprof')
    parser.add_argument('programs', nargs='*', default=[], help=' '.join(PROGRAMS))
    parser.add_argument('--seconds', type=int, default=20)
    parser.add_argument('--samply')
    options = parser.parse_args()
    hprof = os.path.abspath(options.hprof)
    failed = []
    for name in options.programs or PROGRAMS:
        kind = PROGRAMS[name]
        absent = [tool for tool in kind.needs if not shutil.which(tool)]
        if absent:
            print(f'{name}: left out, {" ".join(absent)} not installed')
            continue
        with tempfile.TemporaryDirectory() as folder:
            program = kind(folder)
            try:
                pid = program.start()
                summary, ours, theirs = profile_both(hprof, program, pid, options.seconds, folder)
                rooted = 100 - 100 * summary['truncated'] / max(1, summary['samples'])
                print(f'{name}: {summary["samples"]} samples, {rooted:.2f} % reach the root, engine {summary["engine"]}')
                worst = compare('perf', ours, theirs)
                if rooted < 95 or worst > 4:
                    failed.append(f'{name} (perf)')
                if options.samply and name not in ('node', 'esbuild'):
                    ours, theirs = with_samply(options.samply, hprof, program, pid, options.seconds, folder)
                    if compare('samply', ours, theirs) > 4:
                        failed.append(f'{name} (samply)')
            except Exception as problem:  # one program that cannot run must not hide the others
                print(f'{name}: {type(problem).__name__}: {problem}')
                failed.append(name)
            finally:
                program.stop()
    print('failed: ' + ', '.join(failed) if failed else 'all agree')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
