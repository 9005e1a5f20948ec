#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Asks the same of Go's net/http/pprof and of hprof serve and prints a table of what they answer.

  compare_pprof_http.py GO_BASE_URL HPROF_BASE_URL [kinds hprof has, comma separated]

Compared: status, content type, disposition, nosniff, the body where it is a fixed text, and for
profiles their sample types. A kind hprof has not must be 404 with a reason. Exit 1 on a difference.
"""
import http.client
import os
import sys
import tempfile
import urllib.parse

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from pprof_read import Profile  # noqa: E402

KINDS = ['allocs', 'block', 'goroutine', 'heap', 'mutex', 'threadcreate']
# (method, path below /debug/pprof, body, what is compared besides status and headers)
ASK = [('GET', '/', None, 'index'), ('GET', '', None, None), ('HEAD', '/', None, None),
       ('GET', '/cmdline', None, 'text'), ('GET', '/cmdline?debug=1', None, 'text'),
       ('GET', '/profile?seconds=1', None, 'profile'), ('GET', '/profile?seconds=1&debug=1', None, 'profile'),
       ('POST', '/profile?seconds=1', 'x=1', 'profile'),
       ('GET', '/symbol', None, 'text'), ('GET', '/symbol?0x1', None, 'text'), ('GET', '/symbol?zz+0x0', None, 'text'),
       ('POST', '/symbol', '0x1+0x2', 'text'), ('POST', '/symbol', '', 'text'),
       ('GET', '/nosuch', None, 'text'), ('GET', '/nosuch?seconds=1', None, 'text'), ('GET', '/profile/', None, 'text'),
       ('GET', '/..%2f..%2fetc/passwd', None, None), ('GET', '/heap/x', None, 'text')]
for kind in KINDS:
    ASK += [('GET', f'/{kind}', None, 'profile'), ('GET', f'/{kind}?debug=1', None, 'layout'),
            ('GET', f'/{kind}?debug=x', None, 'profile'), ('GET', f'/{kind}?seconds=1', None, 'profile'),
            ('GET', f'/{kind}?seconds=0', None, 'text'), ('GET', f'/{kind}?seconds=x', None, 'text'),
            ('GET', f'/{kind}?seconds=-1', None, 'text'), ('GET', f'/{kind}?seconds=1&debug=1', None, 'text')]


def ask(base, method, path, body):
    url = urllib.parse.urlparse(base)
    connection = http.client.HTTPConnection(url.hostname, url.port, timeout=60)
    connection.request(method, '/debug/pprof' + path, body=body, headers={'Accept-Encoding': 'gzip'})
    response = connection.getresponse()
    data = response.read()
    headers = {name: response.getheader(name) for name in
               ('Content-Type', 'Content-Disposition', 'X-Content-Type-Options', 'X-Go-Pprof', 'Content-Encoding', 'Location')}
    return response.status, headers, data


def sample_types(data):
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        profile = Profile(file.name)
        return profile.sample_types, profile.samples


def differences(path, how, go, ours, has):
    kind = path.split('?')[0].strip('/')
    if kind in KINDS and kind not in has:
        bad = ours[0] != 404 or ours[1]['X-Go-Pprof'] != '1' or len(ours[2]) < 20
        return ['a missing kind must be 404 with a reason'] if bad else []
    out = [f'status {go[0]} / {ours[0]}'] if go[0] != ours[0] else []
    out += [f'{name}: {go[1][name]} / {ours[1][name]}' for name in go[1] if go[1][name] != ours[1][name]]
    if out:
        return out
    if how == 'text' and kind != 'cmdline' and go[2] != ours[2]:
        out.append(f'body {go[2][:60]!r} / {ours[2][:60]!r}')
    if how == 'profile' and go[0] == 200:
        theirs, mine = sample_types(go[2])[0], sample_types(ours[2])[0]
        if theirs != mine:
            out.append(f'sample types {theirs} / {mine}')
    if how == 'index':
        for part in (b'<title>/debug/pprof/</title>', b"<a href='profile?debug=1'>profile</a>", b'Profile Descriptions:'):
            if part not in go[2] or part not in ours[2]:
                out.append(f'index lacks {part!r}')
    return out


def main():
    go_base, our_base = sys.argv[1:3]
    has = sys.argv[3].split(',') if len(sys.argv) > 3 else []
    bad = 0
    for method, path, body, how in ASK:
        go, ours = ask(go_base, method, path, body), ask(our_base, method, path, body)
        found = differences(path, how, go, ours, has)
        bad += bool(found)
        print(f'{method:5} {path:36} {go[0]} {ours[0]}  {"; ".join(found) or "equal"}')
    print(f'{len(ASK)} requests, {bad} differ')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
