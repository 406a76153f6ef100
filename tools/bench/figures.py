# SPDX-License-Identifier: MIT
"""Runs the programs of the rows: takes times, counts, verifies."""
import collections
import csv
import gzip
import os
import re
import subprocess
import sys

from results import Result
from rows import FOLDER, does

UNAVAILABLE = 77
SECONDS = 5         # more than that, once, is left out, or
SECONDS_EACH = 2e-5 # that for each timer
SECONDS_COUNTED = 60
MEMORY_WITH = 100000
COUNTED_WITH = 10000
VERIFIED_WITH = 100
TRACE = 'test/sim/traces/linux-tcp.csv.gz'
TRACE_FIRED = 102218
EVENTS = ('Ir', 'D1 misses', 'LL misses')

# What is counted: the workload, and the function in which callgrind counts.
Counted = collections.namedtuple('Counted', 'workload function')
COUNTED = collections.OrderedDict([
    ('arm', Counted('arm', 'arm_each')),
    ('cancel', Counted('arm', 'cancel_each')),
    ('rearm', Counted('rearm', 'rearm_each')),
    ('empty', Counted('empty', 'run_each')),
    ('run', Counted('run', 'run_each')),
    ('churn', Counted('churn', 'run_each')),
    ('sparse', Counted('sparse', 'sleep_each')),
])

# The workloads, and whether the number of timers is up to us.
WORKLOADS = collections.OrderedDict([
    ('arm', True), ('rearm', True), ('run', True), ('churn', True),
    ('worst', True), ('empty', False), ('sparse', False), ('trace', False),
])
UNITS = {'stops': 'per event', 'fired': 'timers', 'touched': 'entries'}


class Failure(Exception):
    """A program has failed: its row is not to be trusted."""


class Progress:
    """A line on the terminal that tells how far it has got."""

    def __init__(self, total):
        self.total, self.done = total, 0
        self.shown = sys.stderr.isatty()

    def step(self, text):
        self.done += 1
        if self.shown:
            print(f'\r\033[K[{self.done}/{self.total}] {text}', end='',
                  file=sys.stderr, flush=True)

    def end(self):
        if self.shown:
            print('\r\033[K', end='', file=sys.stderr, flush=True)


def run(command, seconds=SECONDS, stdin=None):
    """What it measures, by name: how often, and how much. None: it takes too
    long, or the row cannot do that."""
    try:
        done = subprocess.run(command, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=seconds,
                              input=stdin)
    except subprocess.TimeoutExpired:
        return None
    except FileNotFoundError as missing:
        raise Failure(f'{missing.filename} is not here') from None
    if done.returncode == UNAVAILABLE:
        return None
    if done.returncode:
        raise Failure(f'{" ".join(command)}: {done.stderr.strip()}')
    lines = (line.split('\t') for line in done.stdout.splitlines())
    return {what: (int(often), int(value)) for what, often, value in lines
            if int(often)}


def trace():
    """How many timers the recording has, and what the harness reads."""
    lines = []
    timers = 0
    with gzip.open(TRACE, 'rt', encoding='utf-8') as file:
        for row in csv.DictReader(file):
            timers = max(timers, int(row['timer']) + 1)
            if row['op'] != 'expire':
                expires = row['expires'] if row['op'] == 'start' else 0
                lines.append(f'{row["t_jiffies"]} {row["timer"]} {expires}')
    return timers, '\n'.join(lines) + '\n'


def verify(programs, number=VERIFIED_WITH):
    """Raises Failure unless each timer expires once, and not early."""
    results = []
    for name, program in programs.items():
        if name == 'null':
            continue
        got = run([program, 'verify', str(number)], SECONDS_COUNTED)
        if got is None:
            raise Failure(f'{program}: cannot be verified')
        for what, unit in (('late', 'ticks'), ('latest', 'ticks'),
                           ('inverted', 'of all')):
            if what in got:
                results.append(Result(name, what, unit, number,
                                      [got[what][1] / got[what][0]]))
    return results


def memory(programs):
    results = []
    for name, program in programs.items():
        if name == 'null':
            continue
        got = run([program, 'memory', str(MEMORY_WITH)]) or {}
        for what in ('timer', 'wheel'):
            if what in got:
                results.append(Result(name, what, 'bytes', MEMORY_WITH,
                                      [got[what][1] // got[what][0]]))
    return results


def patience(workload, number):
    """Seconds; the week of the worst tick is done several times."""
    seconds = max(SECONDS, SECONDS_EACH * number)
    return 2 * seconds if workload == 'worst' else seconds


def cells(workloads, numbers, recorded):
    """What is to be timed, with how many timers each."""
    for workload in workloads:
        if workload == 'trace':
            yield workload, recorded
        else:
            for number in numbers if WORKLOADS[workload] else numbers[:1]:
                yield workload, number


def times(programs, workloads, numbers, repetitions):
    """The rows take turns, so that what slows down the machine hits all."""
    timers, text = trace() if 'trace' in workloads else (0, None)
    todo = list(cells(workloads, numbers, timers))
    progress = Progress(len(todo) * repetitions * len(programs))
    given_up = set()
    results = []
    for workload, number in todo:
        values = collections.defaultdict(list)
        for _ in range(1 if workload == 'worst' else repetitions):
            for name, program in programs.items():
                progress.step(f'{workload} {number:,} {name}')
                if (name, workload) in given_up or not does(name, workload):
                    continue
                got = run([program, workload, str(number)],
                          patience(workload, number),
                          stdin=text if workload == 'trace' else None)
                if got is None:
                    given_up.add((name, workload))
                for what, (often, value) in (got or {}).items():
                    values[name, what].append(value / often)
        results += [Result(name, what, UNITS.get(what, 'ns'), number, found)
                    for (name, what), found in values.items()
                    if (name, workload) not in given_up]
    progress.end()
    return results


def check_trace(results):
    """Raises Failure if a row that is exact has not fired what jif fires."""
    for result in results:
        if result.what == 'fired' and result.median != TRACE_FIRED:
            raise Failure(f'{result.row}: {result.median:.0f} timers of the '
                          f'recording fired, not {TRACE_FIRED}')


def touched(programs, numbers):
    """Entries moved or expired in the worst tick, where the row counts."""
    results = []
    for name, program in programs.items():
        for number in numbers:
            got = run([program, 'worst', str(number), 'once'],
                      patience('worst', number)) or {}
            if 'touched' in got:
                results.append(Result(name, 'touched', 'entries', number,
                                      [got['touched'][1]]))
    return results


def count(program, what, number, cache=False):
    """Events per operation, as callgrind counts them; None if there are none:
    instructions, and misses of the first and the last cache."""
    counted = COUNTED[what]
    out = f'{FOLDER}/callgrind.out'
    got = run(['valgrind', '-q', '--tool=callgrind', '--collect-atstart=no',
               f'--toggle-collect={counted.function}',
               *(['--cache-sim=yes'] if cache else []),
               f'--callgrind-out-file={out}', program, counted.workload,
               str(number), 'once'], SECONDS_COUNTED) or {}
    if what not in got:
        return None
    with open(out, encoding='utf-8') as file:
        text = file.read()
    os.remove(out)
    events = re.search(r'^events: (.*)', text, re.M).group(1).split()
    totals = re.search(r'^totals: (.*)', text, re.M).group(1).split()
    total = dict(zip(events, map(int, totals)))
    sums = [total['Ir'], total.get('D1mr', 0) + total.get('D1mw', 0),
            total.get('DLmr', 0) + total.get('DLmw', 0)]
    return [value / got[what][0] for value in sums]


def instructions(programs, workloads=None, number=COUNTED_WITH, cache=False):
    results = []
    whats = [what for what, counted in COUNTED.items()
             if not workloads or counted.workload in workloads]
    progress = Progress(len(programs) * len(whats))
    for name, program in programs.items():
        for what in whats:
            progress.step(f'callgrind {what} {name}')
            if not does(name, COUNTED[what].workload):
                continue
            counts = count(program, what, number, cache)
            if not counts:
                continue
            for event, value in zip(EVENTS if cache else EVENTS[:1], counts):
                unit = 'instructions' if event == 'Ir' else event
                results.append(Result(name, what, unit, number, [value]))
    progress.end()
    return results
