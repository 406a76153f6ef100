# SPDX-License-Identifier: MIT
"""Runs the programs of the rows: verifies, takes times, counts."""
import collections
import csv
import gzip
import os
import re
import shutil
import subprocess
import sys

from measure import read
from results import result
from rows import FOLDER, Failure, does

UNAVAILABLE = 77
SECONDS = 5         # more than that, once, is left out, or
SECONDS_EACH = 2e-5  # that for each timer
SECONDS_COUNTED = 60
MEMORY_WITH = 100000
COUNTED_WITH = 10000
VERIFIED_WITH = 100
RECORDING = 'test/tools/sim/traces/linux-tcp.csv.gz'
RECORDING_FIRED = 102218

# The counts: the workload, the functions that are counted, and how many timers
# there are.
COUNTED = {
    'arm': ('arm', 'arm_each', COUNTED_WITH),
    'cancel': ('arm', 'cancel_each', COUNTED_WITH),
    'rearm': ('rearm', 'rearm_each', COUNTED_WITH),
    'postpone': ('postpone', 'rearm_each run_each', COUNTED_WITH),
    'empty': ('empty', 'run_each', COUNTED_WITH),
    'run': ('run', 'run_each', COUNTED_WITH),
    'churn': ('churn', 'run_each', COUNTED_WITH),
    'sparse': ('sparse', 'sleep_each', COUNTED_WITH),
    'search': ('search', 'search_each', 100000),
    'wake': ('wake', 'wake_each', 10),
    'wake-1000': ('wake', 'wake_each', 1000),
}

# The workloads, and whether the number of timers is up to us; None: no times.
WORKLOADS = {
    'arm': True, 'rearm': True, 'postpone': True, 'run': True, 'churn': True,
    'worst': True, 'empty': False, 'sparse': False, 'recording': False,
    'search': None, 'wake': None,
}
UNITS = {'stops': 'per event', 'fired': 'timers', 'late': 'ticks',
         'latest': 'ticks', 'inverted': 'of all', 'timer': 'bytes',
         'wheel': 'bytes'}


def said(command, seconds=SECONDS, stdin=None):
    """What it measures, a name, how often and how much at a time. Nothing: it
    takes too long, or the row cannot do that."""
    try:
        done = subprocess.run(command, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=seconds,
                              input=stdin)
    except subprocess.TimeoutExpired:
        return []
    except FileNotFoundError as missing:
        raise Failure(f'{missing.filename} is not here') from None
    if done.returncode == UNAVAILABLE:
        return []
    if done.returncode:
        raise Failure(f'{" ".join(command)}: {done.stderr.strip()}')
    lines = (line.split('\t') for line in done.stdout.splitlines())
    return [(what, int(often), int(value)) for what, often, value in lines
            if int(often)]


def run(command, seconds=SECONDS, stdin=None):
    """The same, by name."""
    return {what: (often, value)
            for what, often, value in said(command, seconds, stdin)}


def recording():
    """How many timers it has, and what the harness reads."""
    lines = []
    timers = 0
    with gzip.open(RECORDING, 'rt', encoding='utf-8') as file:
        for row in csv.DictReader(file):
            timers = max(timers, int(row['timer']) + 1)
            if row['op'] != 'expire':
                expires = row['expires'] if row['op'] == 'start' else 0
                lines.append(f'{row["t_jiffies"]} {row["timer"]} {expires}')
    return timers, '\n'.join(lines) + '\n'


def verify(programs):
    """Raises Failure unless each timer expires once, and not early."""
    results = []
    for name, program in programs.items():
        if name == 'null':
            continue
        got = run([program, 'verify', str(VERIFIED_WITH)], SECONDS_COUNTED)
        if not got:
            raise Failure(f'{program}: cannot be verified')
        results += [result(name, what, UNITS[what], VERIFIED_WITH,
                           [value / often])
                    for what, (often, value) in got.items()
                    if what in UNITS]
    return results


def memory(programs):
    return [result(name, what, UNITS[what], MEMORY_WITH, [value // often])
            for name, program in programs.items() if name != 'null'
            for what, (often, value) in run(
                [program, 'memory', str(MEMORY_WITH)]).items()]


def times(programs, workloads, numbers, repetitions):
    """The rows take turns, so that what slows down the machine hits all."""
    timers, text = recording()
    todo = [(workload, number) for workload in workloads
            if WORKLOADS[workload] is not None
            for number in ([timers] if workload == 'recording' else
                           numbers if WORKLOADS[workload] else numbers[:1])]
    given_up = set()
    results = []
    for workload, number in todo:
        print(f'{workload}, {number:,} timers', file=sys.stderr)
        values = collections.defaultdict(list)
        for _ in range(1 if workload == 'worst' else repetitions):
            for name, program in programs.items():
                if (name, workload) in given_up or not does(name, workload):
                    continue
                got = run([program, workload, str(number)],
                          max(SECONDS, SECONDS_EACH * number) *
                          (2 if workload == 'worst' else 1),
                          stdin=text if workload == 'recording' else None)
                if not got:
                    given_up.add((name, workload))
                for what, (often, value) in got.items():
                    values[name, what].append(value / often)
        results += [result(name, what, UNITS.get(what, 'ns'), number, found)
                    for (name, what), found in values.items()
                    if (name, workload) not in given_up]
    return results


def check_recording(results):
    """Raises Failure if an exact row has not fired all of the recording."""
    exact = {r.row for r in results if r.what == 'latest' and not r.median}
    for r in results:
        if r.what == 'fired' and r.row in exact and (
                r.median != RECORDING_FIRED):
            raise Failure(f'{r.row}: {r.median:.0f} timers of the recording '
                          f'fired, not {RECORDING_FIRED}')


def inclusive(path):
    """Instructions by function, with all that it calls."""
    totals, names = collections.Counter(), {}
    function = None
    for line in read(path).splitlines():
        named = re.match(r'(c?)fn=(\(\d+\))(?: (.*))?', line)
        if named:
            name = names.setdefault(named[2], named[3])
            function = function if named[1] else name
        elif re.match(r'[+*\d-]\S* \d+$', line):
            totals[function] += int(line.split()[1])
    return totals


def processes(program, pairs):
    """What callgrind counts of each workload, and what that says: the program
    starts once."""
    functions = {function for _, functions, _ in COUNTED.values()
                 for function in functions.split()}
    out = f'{FOLDER}/callgrind.out'
    shutil.rmtree(out, ignore_errors=True)
    os.mkdir(out)
    words = [str(word) for pair in pairs for word in pair]
    got = []
    for what, often, value in said(
            ['valgrind', '-q', '--tool=callgrind', '--collect-atstart=no',
             *(f'--toggle-collect={function}' for function in functions),
             f'--callgrind-out-file={out}/%p', program, 'counted',
             str(SECONDS_COUNTED), *words], SECONDS_COUNTED * len(words)):
        if what == 'process':
            got.append((value, {}))
        else:
            got[-1][1][what] = often, value
    found = {pair: (inclusive(f'{out}/{process}') if lines else {}, lines)
             for pair, (process, lines) in zip(pairs, got)}
    shutil.rmtree(out)
    return found


def count(name, program, whats):
    """Instructions per operation, as callgrind counts them, and wake-ups."""
    pairs = dict.fromkeys((COUNTED[what][0], COUNTED[what][2])
                          for what in whats)
    found = processes(program, list(pairs)) if pairs else {}
    counted = []
    for what in whats:
        workload, functions, number = COUNTED[what]
        totals, got = found.get((workload, number), ({}, {}))
        done = what.split('-')[0]
        if done not in got:
            continue
        total = sum(totals[function] for function in functions.split())
        counted.append(result(name, what, 'instructions', number,
                              [total / got[done][0]]))
        if 'stops' in got:
            often, stops = got['stops']
            counted.append(result(name, 'stops', 'per event', number,
                                  [stops / often]))
    return counted


def counts(programs, workloads=WORKLOADS):
    return [found for name, program in programs.items()
            for found in count(name, program, [
                what for what, (workload, *_) in COUNTED.items()
                if workload in workloads and does(name, workload)])]
