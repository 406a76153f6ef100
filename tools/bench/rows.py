# SPDX-License-Identifier: MIT
"""The rows of the benchmark, and how each is built."""
import collections
import os
import subprocess

FOLDER = 'build/bench'
CFLAGS = ['-std=c11', '-D_GNU_SOURCE', '-O2', '-Wall', '-Wextra', '-Iinclude']
HARNESS = ('harness', 'timers', 'workloads')

# The engine is one unit with its row, so that its calls are inlined.
ENGINE = ['-fwhole-program', '-include', 'lib/wheel.c',
          '-include', 'lib/wheel_walk.c']

Row = collections.namedtuple('Row', 'source flags')


def jif(*options):
    return Row('jif', ENGINE + [f'-D{option}' for option in options])


HOST = 'CONFIG_JIF_HOST=1'
ROWS = collections.OrderedDict([
    ('null', Row('null', [])),
    ('jif', jif(HOST)),
    ('jif-plain', jif()),
    ('jif-postponed', jif(HOST, 'BENCH_POSTPONE=1')),
    ('jif-spread', jif(HOST, 'CONFIG_JIF_SPREAD=8')),
    ('jif-stops', jif(HOST, 'BENCH_STOPS=1')),
])


def compile_c(source, target, flags):
    subprocess.run([os.environ.get('CC', 'cc'), *CFLAGS, *flags, '-c',
                    '-o', target, source], check=True)


def build(names):
    """The programs of these rows, by name."""
    os.makedirs(FOLDER, exist_ok=True)
    objects = []
    for part in HARNESS:
        objects.append(f'{FOLDER}/{part}.o')
        compile_c(f'tools/bench/{part}.c', objects[-1], [])
    programs = {}
    for name in names:
        row = ROWS[name]
        programs[name] = f'{FOLDER}/{name}'
        compile_c(f'tools/bench/rows/{row.source}.c', f'{programs[name]}.o',
                  row.flags)
        subprocess.run([os.environ.get('CC', 'cc'), '-o', programs[name],
                        *objects, f'{programs[name]}.o'], check=True)
    return programs
