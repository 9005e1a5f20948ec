# SPDX-License-Identifier: Apache-2.0
"""Reads a pprof file with nothing but its field numbers: a second opinion on what hprof writes."""
import gzip
import sys


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def fields(data):
    """Yields (number, value) of a message; length-delimited values as bytes."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 2:
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
            if len(value) != size:
                raise ValueError('truncated field')
        elif key & 7 == 1:
            value, at = data[at:at + 8], at + 8
        else:
            raise ValueError(f'wire type {key & 7}')
        yield key >> 3, value


def numbers(value):
    """A repeated scalar, packed or not."""
    if isinstance(value, int):
        return [value]
    out, at = [], 0
    while at < len(value):
        one, at = varint(value, at)
        out.append(one)
    return out


def signed(value):
    return value - (1 << 64) if value >> 63 else value


class Profile:
    """sample_types: [(type, unit)]; samples: [(stack leaf first, [values], {label: value})], where a
    stack holds location ids; locations: id -> (mapping id, address, [(function id, line)]);
    functions: id -> (name, system name, file); mappings: id -> file name; ranges: mapping id -> (start,
    file offset)."""

    def __init__(self, path):
        data = open(path, 'rb').read()
        if data[:2] == b'\x1f\x8b':
            data = gzip.decompress(data)
        raw = list(fields(data))
        strings = [v.decode() for n, v in raw if n == 6]
        self.sample_types, self.samples, self.comments = [], [], []
        self.mappings, self.ranges, self.locations, self.functions = {}, {}, {}, {}
        for number, value in raw:
            if number == 1:
                f = dict(fields(value))
                self.sample_types.append((strings[f.get(1, 0)], strings[f.get(2, 0)]))
            elif number == 2:
                stack, values, labels = [], [], {}
                for n, v in fields(value):
                    if n == 1:
                        stack += numbers(v)
                    elif n == 2:
                        values += [signed(x) for x in numbers(v)]
                    elif n == 3:
                        f = dict(fields(v))
                        labels[strings[f[1]]] = strings[f[2]] if 2 in f else signed(f.get(3, 0))
                self.samples.append((stack, values, labels))
            elif number == 3:
                f = dict(fields(value))
                self.mappings[f[1]] = strings[f.get(5, 0)]
                self.ranges[f[1]] = f.get(2, 0), f.get(4, 0)
            elif number == 4:
                ident = mapping = address = 0
                lines = []
                for n, v in fields(value):
                    if n == 1:
                        ident = v
                    elif n == 2:
                        mapping = v
                    elif n == 3:
                        address = v
                    elif n == 4:
                        f = dict(fields(v))
                        lines.append((f.get(1, 0), f.get(2, 0)))
                self.locations[ident] = (mapping, address, lines)
            elif number == 5:
                f = dict(fields(value))
                self.functions[f[1]] = tuple(strings[f.get(i, 0)] for i in (2, 3, 4))
            elif number == 13:
                self.comments += [strings[x] for x in numbers(value)]

    def frames(self, stack):
        """Names of a stack, leaf first, inlined frames included; an unnamed one is None."""
        for location in stack:
            lines = self.locations[location][2]
            if not lines:
                yield None
            for function, _ in lines:
                yield self.functions[function][0]

    def physical(self, location):
        """The symbol of the function that holds a location's code, or None."""
        lines = self.locations[location][2]
        if not lines:
            return None
        name, system_name, _ = self.functions[lines[-1][0]]
        return system_name or name


    def folded(self, column=0, lines=False):
        """Stacks as folded text, root first: {"main;f": value of the column}. With lines: "f:12"."""
        out = {}
        for stack, values, _ in self.samples:
            names = []
            for location in stack:
                for function, line in self.locations[location][2] or [(0, 0)]:
                    name = self.functions[function][0] if function else '?'
                    names.append(f'{name}:{line}' if lines else name)
            key = ';'.join(reversed(names))
            out[key] = out.get(key, 0) + values[column]
        return out


if __name__ == '__main__':
    # pprof_read.py [--folded|--lines] FILE
    profile = Profile(sys.argv[-1])
    if sys.argv[1] in ('--folded', '--lines'):
        for stack, value in sorted(profile.folded(lines=sys.argv[1] == '--lines').items()):
            print(stack, value)
    else:
        print(profile.sample_types, len(profile.samples), 'samples')
        for stack, values, labels in profile.samples:
            print(values, labels, ';'.join(x or '?' for x in reversed(list(profile.frames(stack)))))
