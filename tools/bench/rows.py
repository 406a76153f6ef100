# SPDX-License-Identifier: MIT
"""The rows of the benchmark, and how each is built."""
import collections
import os
import subprocess

from measure import output

FOLDER = 'build/bench'
SOURCES = 'tools/bench'
CC = os.environ.get('CC', 'cc')
CFLAGS = ['-std=c11', '-D_GNU_SOURCE', '-O2', '-fno-pie', '-Wall', '-Wextra',
          '-Iinclude']
HARNESS = ('harness', 'workloads', 'trace', 'verify', 'oracle', 'timers',
           'report')

# The engine is one unit with its row, so that its calls are inlined.
ENGINE = ['-fwhole-program', '-include', 'lib/wheel.c',
          '-include', 'lib/wheel_walk.c']

# In a copy of a library, what rows/virtual.c has is called instead.
VIRTUAL = ('clock_gettime', 'gettimeofday', 'epoll_wait', 'poll')

# @source: in rows/. @flags: for the compiler. @parts: other sources, with flags
# of their own. @library: of which a copy with a virtual clock is linked.
# @link: for the linker. @config: the name for pkg-config. @package: Debian's.
# @only: the workloads that make sense, if not all do, and why.
Row = collections.namedtuple(
    'Row', 'source flags parts library link config package only why',
    defaults=([], [], None, [], None, None, None, None))


def jif(*options):
    return Row('jif', ENGINE + [f'-D{option}' for option in options])


def faulty(fault):
    return Row('faulty', [f'-DFAULT={fault}'],
               parts=[('heap', ['-Dbench_ops=heap_ops'])])


HOST = 'CONFIG_JIF_HOST=1'
ROWS = collections.OrderedDict([
    ('null', Row('null', only=('arm', 'rearm'),
                 why='it keeps no timers')),
    ('jif', jif(HOST)),
    ('jif-plain', jif()),
    ('jif-postponed', jif(HOST, 'BENCH_POSTPONE=1')._replace(
        only=('rearm', 'trace'), why='it differs from jif in how it re-arms')),
    ('jif-spread', jif('CONFIG_JIF_SPREAD=8')),
    ('jif-stops', jif(HOST, 'BENCH_STOPS=1')._replace(
        only=('sparse',), why='it differs from jif in how it sleeps')),
    ('heap', Row('heap')),
    ('list', Row('list')),
    ('libev', Row('libev', library='libev.a', link=['-lm'],
                  package='libev-dev')),
    ('libuv', Row('libuv', library='libuv_a.a', link=['-lpthread', '-ldl'],
                  package='libuv1-dev')),
    ('libevent', Row('libevent', ['-DCOMMON=0'], library='libevent_core.a',
                     package='libevent-dev')),
    ('libevent-common', Row('libevent', ['-DCOMMON=1'],
                            library='libevent_core.a', package='libevent-dev',
                            only=('rearm',),
                            why='it is for few distinct delays')),
    ('glib', Row('glib', library='libglib-2.0.a', config='glib-2.0',
                 link=['-lpcre2-8', '-lm', '-lpthread'],
                 package='libglib2.0-dev',
                 only=('arm', 'rearm', 'empty', 'sparse'),
                 why='each turn looks at all timers')),
    ('dpdk', Row('dpdk', ['-std=gnu11'], config='libdpdk', link=[
        '-l:librte_timer.a', '-l:librte_eal.a', '-l:librte_kvargs.a',
        '-l:librte_telemetry.a', '-lnuma', '-lbsd', '-lpthread', '-ldl',
        '-lm'], package='libdpdk-dev', only=('arm', 'rearm', 'empty'),
                 why='it reads the time stamp counter')),
])
FAULTS = collections.OrderedDict(
    (f'faulty-{name.lower()}', faulty(name))
    for name in ('LOSE', 'TWICE', 'EARLY', 'CANCELLED', 'LATE'))


def said(*command):
    return output(command).strip()


def compiler():
    return f'{CC} ' + said(CC, '-dumpfullversion', '-dumpversion')


def does(name, workload):
    only = ROWS[name].only if name in ROWS else None
    return not only or workload in only + ('verify', 'memory')


def available(row):
    """Is its library here?"""
    if row.library:
        return os.path.exists(said(CC, f'-print-file-name={row.library}'))
    return not row.config or subprocess.run(
        ['pkg-config', '--exists', row.config]).returncode == 0


def compile_c(source, target, flags):
    subprocess.run([CC, *CFLAGS, *flags, '-c', '-o', target,
                    f'{SOURCES}/{source}.c'], check=True)
    return target


def virtual(library):
    """Objects to link: a copy of the library that has no clock of its own."""
    copy = f'{FOLDER}/{library}'
    renames = [f'--redefine-sym={name}=virtual_{name}' for name in VIRTUAL]
    subprocess.run(['objcopy', *renames,
                    said(CC, f'-print-file-name={library}'), copy],
                   check=True)
    return [compile_c('rows/virtual', f'{FOLDER}/virtual.o', []), copy]


def build_row(name, row, harness):
    program = f'{FOLDER}/{name}'
    flags = list(row.flags)
    if row.config:
        flags += said('pkg-config', '--cflags', row.config).split()
    objects = [compile_c(f'rows/{row.source}', f'{program}.o', flags)]
    for part, part_flags in row.parts:
        objects.append(compile_c(f'rows/{part}', f'{program}-{part}.o',
                                 part_flags))
    if row.library:
        objects += virtual(row.library)
    subprocess.run([CC, '-no-pie', '-o', program, *harness, *objects,
                    *row.link], check=True)
    return program


def build(names):
    """The programs of these rows, by name; those that can be had here."""
    os.makedirs(FOLDER, exist_ok=True)
    harness = [compile_c(part, f'{FOLDER}/{part}.o', []) for part in HARNESS]
    known = {**ROWS, **FAULTS}
    return {name: build_row(name, known[name], harness)
            for name in names if available(known[name])}


def build_counting(names):
    """Programs that count the entries they move, of those rows that can."""
    harness = [f'{FOLDER}/{part}.o' for part in HARNESS]
    return {name: build_row(f'{name}-counting', ROWS[name]._replace(
        flags=ROWS[name].flags + ['-DCONFIG_JIF_TRACE=1', '-include',
                                  'lib/trace.c']), harness)
            for name in names if ROWS[name].source == 'jif'}


def machine():
    """What the figures are of: the processor and the versions."""
    model = 'an unknown processor'
    with open('/proc/cpuinfo', encoding='utf-8') as file:
        for line in file:
            if line.startswith('model name'):
                model = line.split(':')[1].strip()
                break
    versions = [compiler()]
    for package in sorted({row.package for row in ROWS.values()
                           if row.package and available(row)}):
        versions.append(said('dpkg-query', '-W', '-f', '${Package} ${Version}',
                             package))
    return ', '.join([model, *versions])
