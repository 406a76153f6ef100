# SPDX-License-Identifier: MIT
"""Runs the programs of the rows, and counts what they do."""
import collections
import os
import re
import subprocess

from rows import FOLDER

UNAVAILABLE = 77
COUNTED_WITH = 10000

# Name: workload, and the function in which callgrind counts.
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
WORKLOADS = ('arm', 'rearm', 'empty', 'run', 'churn', 'sparse')


def run(command):
    """The lines that it prints, by their first word; {} if unavailable."""
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE)
    if done.returncode == UNAVAILABLE:
        return {}
    done.check_returncode()
    lines = {}
    for line in done.stdout.splitlines():
        what, operations, value = line.split('\t')
        lines[what] = int(operations), int(value)
    return lines


def instructions(program, what):
    """Per operation; None if the row cannot do that."""
    counted = COUNTED[what]
    out = f'{FOLDER}/callgrind.out'
    lines = run(['valgrind', '-q', '--tool=callgrind', '--collect-atstart=no',
                 f'--toggle-collect={counted.function}',
                 f'--callgrind-out-file={out}', program, counted.workload,
                 str(COUNTED_WITH), 'once'])
    if not lines.get(what, (0,))[0]:
        return None
    with open(out, encoding='utf-8') as file:
        total = int(re.search(r'^totals: (\d+)', file.read(), re.M).group(1))
    os.remove(out)
    return total / lines[what][0]


def nanoseconds(programs, workload, number, repetitions):
    """Per operation: by row and what was measured, a list of repetitions."""
    times = collections.defaultdict(list)
    for _ in range(repetitions):
        for name, program in programs.items():
            for what, (operations, value) in run(
                    [program, workload, str(number)]).items():
                if operations:
                    times[name, what].append(value / operations)
    return times
