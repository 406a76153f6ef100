# SPDX-License-Identifier: MIT
"""The rows of the benchmark, and how each is built."""
import collections
import glob
import hashlib
import os
import pathlib
import re
import subprocess

from measure import COMMENT, output, read

FOLDER = os.environ.get('BENCH_BUILD', 'build/bench')
SOURCES = os.environ.get('BENCH_ROWS', 'tools/check/bench/rows')
CC = os.environ.get('CC', 'cc')
CFLAGS = ['-D_GNU_SOURCE', '-O2', '-fno-pie', '-Wall', '-Wextra',
          '-Wno-unused-parameter']
HARNESS = ('tools/check/bench/harness', 'tools/check/bench/workloads',
           'tools/check/bench/verify', 'test/wheel/model/oracle')

LINUX = '/usr/src/linux-source-6.1.tar.xz'

# In a copy of a library, what rows/virtual.h has is called instead.
VIRTUAL = ('clock_gettime', 'gettimeofday', 'epoll_wait')

# A user's configuration: what `make install` leaves out of the library.
PLAIN = ('PORT_SIM', 'DEBUG', 'TRACE')

# @source: in rows/. @flags: for the compiler. @link: for the linker. @library:
# of which a copy with a virtual clock is linked. @package: Debian's, and the
# file that tells that it is there. @prepare: makes sources or a library ready,
# and returns flags and what to link. @only: the workloads that make sense, if
# not all do.
Row = collections.namedtuple(
    'Row', 'source flags link library package prepare only',
    defaults=((), (), None, None, None, None))


class Failure(Exception):
    """A row cannot be built or has failed: its figures are not to be had."""


def said(*command):
    return output(command).strip()


def library(name, *options):
    """jif as its users link it, built by its own make."""
    folder = os.path.abspath(f'{FOLDER}/{name}')
    os.makedirs(folder, exist_ok=True)
    with open(f'{folder}/.config', 'w', encoding='utf-8') as file:
        file.writelines(f'# CONFIG_JIF_{option} is not set\n'
                        for option in PLAIN)
        file.writelines(f'{option}\n' for option in options)
    said('make', '-s', f'O={folder}', f'{folder}/libjif.a')
    return [f'-I{folder}/include', '-Iinclude'], [f'{folder}/libjif.a']


def unit():
    """The engine as one unit with its row, so that its calls are inlined."""
    flags = []
    for source in ['lib/wheel.c', *sorted(glob.glob('lib/wheel_*.c')),
                   *glob.glob('lib/timer*.c'), 'lib/jiffies.c']:
        flags += ['-include', source]
    return flags + ['-fwhole-program', '-Iinclude'], []


def linux():
    """The kernel's timer.c, and headers: what it includes is empty, but for
    its own timer.h and list.h."""
    folder = f'{FOLDER}/linux'
    kept = ['kernel/time/timer.c', 'include/linux/timer.h',
            'include/linux/list.h']
    if not os.path.exists(f'{folder}/{kept[-1]}'):
        os.makedirs(folder, exist_ok=True)
        top = os.path.basename(LINUX).removesuffix('.tar.xz')
        said('tar', '-xJf', LINUX, '-C', folder, '--strip-components=1',
             *(f'{top}/{path}' for path in kept))
    for path in kept:
        for name in re.findall(r'^#include [<"](.*)[>"]',
                               read(f'{folder}/{path}'), re.M):
            header = pathlib.Path(folder, 'include', name)
            header.parent.mkdir(parents=True, exist_ok=True)
            header.touch()
    return [f'-I{folder}/include', f'-I{folder}/kernel/time'], []


ROWS = {
    'null': Row('null', only=('arm', 'rearm', 'postpone')),
    'jif': Row('jif', prepare=lambda: library('jif')),
    'jif-unit': Row('jif', prepare=unit),
    'jif-spread': Row('jif', prepare=lambda: library(
        'jif-spread', 'CONFIG_JIF_SPREAD=8')),
    'kernel': Row('kernel', ['-w', '-std=gnu11', '-fno-strict-aliasing',
                             '-ffunction-sections'],
                  ['-Wl,--gc-sections'], package=('linux-source-6.1', LINUX),
                  prepare=linux),
    'tree': Row('tree', package=('libbsd-dev',
                                 '/usr/include/bsd/sys/tree.h')),
    'heap': Row('heap'),
    'libev': Row('libev', link=['-lm'], library='libev.a',
                 package=('libev-dev', '/usr/include/ev.h')),
    'libuv': Row('libuv', link=['-l:libuv_a.a', '-lpthread', '-ldl'],
                 package=('libuv1-dev', '/usr/include/uv.h')),
    'libevent': Row('libevent', library='libevent_core.a',
                    package=('libevent-dev',
                             '/usr/include/event2/event.h')),
}


def does(name, workload):
    only = ROWS[name].only
    return not only or workload in only + ('verify', 'memory')


def compile_c(source, target, flags=()):
    subprocess.run([CC, '-std=c11', *CFLAGS, *flags, '-c', '-o', target,
                    f'{source}.c'], check=True)
    return target


def virtual(name):
    """A copy of the library that has no clock of its own."""
    copy = f'{FOLDER}/{name}'
    renames = [f'--redefine-sym={call}=virtual_{call}' for call in VIRTUAL]
    said('objcopy', *renames, said(CC, f'-print-file-name={name}'), copy)
    return copy


def build_row(name, harness):
    row = ROWS[name]
    program = f'{FOLDER}/{name}.row'
    if row.package and not os.path.exists(row.package[1]):
        raise Failure(f'{name}: {row.package[0]} is not here: make bench '
                      'installs it')
    flags, link = row.prepare() if row.prepare else ([], [])
    flags = [*row.flags, *flags]
    objects = [compile_c(f'{SOURCES}/{row.source}', f'{program}.o', flags)]
    if row.library:
        objects.append(virtual(row.library))
    subprocess.run([CC, '-no-pie', '-o', program, *harness, *objects, *link,
                    *row.link], check=True)
    return program


def build(names):
    """The programs of these rows, by name."""
    os.makedirs(FOLDER, exist_ok=True)
    harness = [compile_c(part, f'{FOLDER}/{os.path.basename(part)}.o')
               for part in HARNESS]
    return {name: build_row(name, harness) for name in names}


def engine():
    """What was measured: a hash of its sources without comments and blanks."""
    text = ''.join(COMMENT.sub('', read(name))
                   for name in sorted(glob.glob('lib/*.[ch]')))
    return hashlib.sha256(''.join(text.split()).encode()).hexdigest()[:12]


def machine():
    """What the figures are of: the processor and the versions."""
    model = re.search(r'^model name\s*: (.*)', read('/proc/cpuinfo'), re.M)
    versions = [f'{CC} {said(CC, "-dumpfullversion", "-dumpversion")}']
    for row in ROWS.values():
        if row.package and os.path.exists(row.package[1]):
            versions.append(said('dpkg-query', '-W', '-f',
                                 '${Package} ${Version}', row.package[0]))
    return ', '.join([model.group(1) if model else 'an unknown processor',
                      *versions])
