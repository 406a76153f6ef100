#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: test/face/kernels/zephyr/counts.py FOLDER TRACER [LIMITS]

Prints what Zephyr's time-outs cost in each queue that FOLDER has: of counts.c,
KIND.elf for a Cortex-M3 and KIND for the host; of kernel/timeout.c, KIND-O2.o
and KIND-Os.o. It fails if a figure of jif's is above that in LIMITS, by default
test/budget/zephyr; with another compiler than named there, a tenth is let pass.
To renew the limits: cp build/zephyr-counts test/budget/zephyr.
"""
import collections
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, 'tools/check')

from measure import output, read, table

HEAD = '''Instructions of a Cortex-M3, as a caller pays them: mean (most); {},
-O2. N to M: N time-outs are pending, at up to M ticks.

add, abort: of one more
next: announce until one expires, whose handler adds it again
tick: announce a tick on which nothing is due
packet: abort one and add it again, far, as a network does
lock: the longest stretch under the lock, of all these
'''
PREFIX = 'arm-none-eabi-'
QEMU = 'qemu-system-arm -M mps2-an385 -display none -monitor none -serial ' \
    'stdio -semihosting-config enable=on,target=native -kernel'
QUEUES = {'list': 'delta list', 'bucket': 'buckets', 'skiplist': 'skip list',
          'minheap': 'min-heap', 'wheel': 'two-level wheel', 'module': 'jif'}
ROOTS = ('z_add_timeout', 'z_try_abort_timeout', 'z_timeout_remaining',
         'z_timeout_expires', 'z_get_next_timeout_expiry',
         'sys_clock_tick_get', 'sys_clock_announce_locked')
ACTIONS = (('m', '^<mark>:'), ('g', '^<group>:'), ('o', r'\tcpsid\ti'),
           ('a', r'\tcpsie\ti'), ('r', r'\tmsr\tPRIMASK'))


def places(image):
    """Writes what test/target/trace.h reads; returns which row a mark ends."""
    lines, rows, function = [], {}, ''
    for line in output([PREFIX + 'objdump', '-d', image]).splitlines():
        place, *rest = line.lstrip().split(':' if '\t' in line else ' ', 1)
        text = ''.join(rest)
        function = text if text.startswith('<') else function
        lines += [f'{place} {action} 0\n' for action, pattern in ACTIONS
                  if re.search(pattern, text)]
        if re.search(r'\tbl\t.*<mark>', text):
            rows[place] = re.sub('<row_(.*)>:', r'\1', function)
    with open(image + '.places', 'w', encoding='ascii') as file:
        file.writelines(lines)
    return rows


def says(text):
    """Of lines with a name and a number, these."""
    return {name: [int(number)] for name, number in
            re.findall('^(.*): (.*)$', text, re.M)}


def count(image, tracer):
    """What the image says, and the figures of each row of each group."""
    rows = places(image)
    done = subprocess.run(
        [*QEMU.split(), image, '-plugin', f'{tracer},at={image}.places'],
        capture_output=True, check=True, text=True)
    groups = re.findall('^.* to .*$', done.stdout, re.M)
    found = [collections.defaultdict(list) for _ in groups]
    held = [0] * len(groups)
    for line in done.stderr.splitlines():
        place, *words = line.split()[1:]
        group, length, locked = map(int, words)
        found[group - 1][rows[place]].append(length)
        held[group - 1] = max(held[group - 1], locked)
    figures = {}
    for group, every, most in zip(groups, found, held):
        figures |= {f'{group}: {row}': [round(sum(all) / len(all)), max(all)]
                    for row, all in every.items()}
        figures[group + ': lock'] = [most]
    return figures | says(done.stdout)


def sizes(path):
    """Of kernel/timeout.c with its queue."""
    figures = {}
    for flag in ('-Os', '-O2'):
        linked = f'{path}{flag}.linked'
        output([PREFIX + 'ld', '-r', '--gc-sections', f'{path}{flag}.o', '-o',
                linked, '-e', ROOTS[0], *(f'-u{root}' for root in ROOTS)])
        code, data, bss = map(int, output(
            [PREFIX + 'size', linked]).splitlines()[1].split()[:3])
        figures['code, ' + flag] = [code]
    return figures | {'RAM': [data + bss]}


def grown(figures, path, compiler):
    """Which of jif's are more than they may be."""
    measured_with, *lines = read(path).splitlines()
    slack = 1 if measured_with.endswith(compiler) else 1.1
    limits = dict(line.split(' | ') for line in lines)
    for key in sorted(figures.keys() ^ limits.keys()):
        yield f'{key}: it was not measured, or has no limit'
    for key in sorted(figures.keys() & limits.keys()):
        most = [int(limit) for limit in limits[key].split()]
        if any(value > limit * slack
               for value, limit in zip(figures[key], most)):
            yield f'{key}: {figures[key]}, the limit is {most}'


def cell(figure):
    mean, *most = [f'{number:,}' for number in figure] or '-'
    return mean + ''.join(f' ({number})' for number in most)


def main():
    folder, tracer, *limits = sys.argv[1:]
    compiler = 'gcc ' + output([PREFIX + 'gcc', '-dumpfullversion']).strip()
    found = {}
    for kind in QUEUES:
        path = f'{folder}/{kind}'
        found[kind] = count(path + '.elf', tracer) | sizes(path) | \
            says(output([path])) if os.path.exists(path) else {}
    jif = found['module']
    print(HEAD.format(compiler))
    print(table(['', *QUEUES.values()], [
        [key, *(cell(figures.get(key, [])) for figures in found.values())]
        for key in jif]))
    with open('build/zephyr-counts', 'w', encoding='utf-8') as file:
        file.write(f'at most, with {compiler}\n')
        file.writelines(f'{key} | {" ".join(map(str, figure))}\n'
                        for key, figure in jif.items())
    errors = list(grown(jif, *(limits or ['test/budget/zephyr']), compiler))
    print('\n'.join(errors))
    return bool(errors)


if __name__ == '__main__':
    sys.exit(main())
