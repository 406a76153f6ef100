#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: test/wheel/model/fuzz/recording.py TOOL [SECONDS]

Gives the recordings of recording.txt to TOOL, which is tools/trace/trace, in
all its formats. What is wrong with a recording has to be said; of what is not,
JSON and SVG are read, and the decoder of the page counts as many expiries.

With SECONDS, it damages them at random for so long: what takes a new way
through the tool is damaged further, and the fewest that take all ways become
recording.txt.
"""
import collections
import contextlib
import csv
import importlib.machinery
import io
import json
import math
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import xml.etree.ElementTree as xml

import corpus

HERE = os.path.dirname(os.path.abspath(__file__))
INPUTS = f'{HERE}/recording.txt'
TOOL = os.path.abspath(sys.argv[1])
MOST = 6000
NUMBERS = (b'0', b'1', b'2', b'7', b'59', b'60', b'86400', b'2147483648',
           b'4294967295', b'4294967296', b'9' * 30, b'0.001', b'1' * 400,
           b'1' * 4400)

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(TOOL))
tool = importlib.machinery.SourceFileLoader('tool', TOOL).load_module()


class Wrong(Exception):
    pass


class Trail:
    """The ways that a run takes through the reading, from line to line."""

    def __init__(self):
        self.ways, self.last = set(), None

    def __call__(self, frame, event, _):
        code = frame.f_code
        if not code.co_filename.endswith(('/recording.py', '/formats.py')):
            return None
        if event == 'line':
            now = code.co_filename, frame.f_lineno
            self.ways.add((self.last, now))
            self.last = now
        return self

    @contextlib.contextmanager
    def followed(self):
        sys.settrace(self)
        try:
            yield
        finally:
            sys.settrace(None)


def convert(path, kind, trail=None):
    """What comes out; None if the recording is refused."""
    text, choice = io.StringIO(), tool.Choice([], 0, math.inf)
    try:
        with trail.followed() if trail else contextlib.nullcontext():
            recordings = [tool.Recording(path)]
            tool.FORMATS[kind](recordings, choice, text, '', [3600])
    except SystemExit as end:
        if not re.match(re.escape(path) + r':\d+: error: .', str(end.code)):
            raise Wrong(f'the error is "{end.code}"') from None
        return None
    out = text.getvalue()
    if kind == 'json':
        json.loads(out)
    elif kind in ('svg', 'rings', 'moves'):
        xml.fromstring(out.encode())
    return out


def attempt(data, kinds, folder, trail=None):
    path = f'{folder}/recording'
    with open(path, 'wb') as file:
        file.write(data)
    signal.setitimer(signal.ITIMER_VIRTUAL, 20)
    try:
        return [convert(path, kind, trail) for kind in kinds]
    except Exception:
        traceback.print_exc()
        sys.exit(f'{kinds}, of {data!r}')


def expiries(text):
    """How often each timer expired, without the names."""
    rows = csv.DictReader(io.StringIO(text))
    return sorted(collections.Counter(
        row['timer'] for row in rows if row['event'] == 'entry').values())


def compare(inputs):
    """With the decoder of the page."""
    node = ('const { load } = require("./test/tools/web/source.js");'
            'const { Recording } = load("jif.js", "recording.js");'
            'const texts = JSON.parse(require("fs").readFileSync(0));'
            'console.log(JSON.stringify(texts.map('
            '(text) => [...new Recording(text).runs.values()])));')
    texts = json.dumps([data.decode(errors='replace') for data, _ in inputs])
    got = subprocess.run(['node', '-e', node], input=texts.encode(),
                         stdout=subprocess.PIPE, check=True).stdout
    for (data, text), runs in zip(inputs, json.loads(got)):
        if expiries(text) != sorted(runs):
            sys.exit(f'trace: {expiries(text)}, recording.js: {sorted(runs)}, '
                     f'of {data!r}')


def replay(inputs, folder):
    good = []
    for data in inputs:
        text = attempt(data, tool.FORMATS, folder)[0]
        if text is not None:
            good.append((data, text))
    compare(good)
    print(f'# {len(inputs)} recordings, {len(good)} of them good')


def count_again(data):
    """The head says how many records there are."""
    records = len(re.findall(rb'^[0-9a-f]{16,24}$', data, re.M))
    return re.sub(rb'records=\d+', b'records=%d' % records, data, 1)


def damage(data, other):
    lines = data.splitlines(keepends=True)
    at = random.randrange(len(lines) + 1)
    kind = random.randrange(7)
    if kind == 0:
        lines[at:at + random.randrange(1, 4)] = []
    elif kind == 1:
        lines[at:at] = [random.choice(other.splitlines(keepends=True) or [b''])]
    elif kind == 2:
        lines[at:at] = lines[:random.randrange(1, 8)]
    data = b''.join(lines)
    if kind in (3, 4):
        numbers = list(re.finditer(rb'(?<![0-9a-f])\d+', data))
        if numbers:
            found = random.choice(numbers)
            data = data[:found.start()] + random.choice(NUMBERS) + \
                data[found.end():]
    elif kind == 5 and data:
        at = random.randrange(len(data))
        data = data[:at] + bytes([random.choice(b'0123456789abcdef')]) + \
            data[at + 1:]
    elif kind == 6:
        at = random.randrange(len(data) + 1)
        data = data[:at] + random.randbytes(random.randrange(3)) + \
            data[at + random.randrange(3):]
    return data


def change(inputs):
    data = random.choice(inputs)
    for _ in range(random.choice((1, 1, 2, 4))):
        data = damage(data, random.choice(inputs))
    return count_again(data) if random.randrange(4) else data


def ways_of(data, folder):
    trail = Trail()
    attempt(data, tool.FORMATS, folder, trail)
    return trail.ways


def shorten(data, ways, folder):
    """Without the lines that it does not need to take these ways."""
    lines = data.splitlines(keepends=True)
    for at in reversed(range(len(lines))):
        shorter = count_again(b''.join(lines[:at] + lines[at + 1:]))
        if ways <= ways_of(shorter, folder):
            lines = shorter.splitlines(keepends=True)
    return b''.join(lines)


def fewest(inputs, folder):
    """The smallest first, of each new way one that takes it."""
    kept, ways = [], set()
    for data in sorted(inputs, key=len):
        new = ways_of(data, folder) - ways
        if new:
            kept.append(shorten(data, new, folder))
            ways |= new
    return kept, len(ways)


def search(inputs, folder, seconds):
    kinds = list(tool.FORMATS)
    ways, runs, good, end = set(), 0, [], time.monotonic() + seconds
    for data in inputs:
        ways |= ways_of(data, folder)
    while time.monotonic() < end:
        data, trail = change(inputs), Trail()
        if len(data) > MOST:
            continue
        kind = random.choice(kinds)
        out = attempt(data, [kind], folder, trail)[0]
        if out is not None and kind == 'csv':
            good.append((data, out))
        runs += 1
        if trail.ways - ways:
            ways |= trail.ways
            inputs.append(data)
    compare(good)
    inputs, count = fewest(inputs, folder)
    print(f'# {runs} recordings, {count} ways from line to line, {len(good)} '
          'good ones compared')
    corpus.write(INPUTS, inputs)


def too_long(*_):
    raise Wrong('it takes too long')


def main():
    signal.signal(signal.SIGVTALRM, too_long)
    resource.setrlimit(resource.RLIMIT_AS, (1 << 31, 1 << 31))
    inputs = corpus.read(INPUTS)
    with tempfile.TemporaryDirectory() as folder:
        if len(sys.argv) > 2:
            search(inputs, folder, int(sys.argv[2]))
        else:
            replay(inputs, folder)


main()
