#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: tools/check/reach.py

Prints what a reader of the engine meets from jif_wheel_run() to a callback:
each function, its lines and where it is, and all together; and how long the
files are that make up the plain wheel, and spreading. checkstyle fails when any
of that is above its limit. Debugging, tracing and spreading are left out, and
what is called by a pointer.
"""
import glob
import re
import subprocess

from measure import read

ROOT = 'jif_wheel_run'
FUNCTIONS, LINES, LONGEST = 36, 370, 24
READ = ((1100, 'wheel.c wheel.h levels.h wheel_list.h bitmap.h divide.h'),
        (380, 'levels_spread.h'))
APART = re.compile('debug|trace|record|snapshot|spread')


def measured(names):
    """Of each function: file, first line, number of lines, name."""
    for row in subprocess.run(['pmccabe', *names], capture_output=True,
                              text=True, check=True).stdout.splitlines():
        *_, first, length, place, function = row.split()
        yield place.partition('(')[0], int(first), int(length), function


def functions():
    """The place and the text of each, from its type to the last brace."""
    names = [name for name in glob.glob('lib/*.[ch]') +
             glob.glob('include/jif/*.h') + ['lib/port/none/jif_port.h']
             if not APART.search(name)]
    found = {}
    for name, first, length, function in measured(names):
        text = read(name).splitlines()[first - 1:][:length]
        if function == 'LIST_NAME':
            function = 'timers_' + re.search(r'NAME\((\w+)', text[0])[1]
        if '{' in text:
            found[function] = f'{name}:{first}', text
    return found


def reached():
    """The functions, in the order in which they are met."""
    known, names = functions(), [ROOT]
    for name in names:
        names += dict.fromkeys(
            call for call in re.findall(r'\b(\w+)\(', ' '.join(known[name][1]))
            if call in known and call not in names)
    return {name: (known[name][0], len(known[name][1])) for name in names}


def judge():
    """What there is to say, and what is above its limit."""
    found = reached()
    rows = [(FUNCTIONS, len(found), f'{ROOT}() reaches %d functions'),
            (LINES, sum(length for _, length in found.values()),
             'and %d lines')]
    rows += [(LONGEST, length, f'{place}: {name}() has %d lines')
             for name, (place, length) in found.items()]
    rows += [(limit, sum(read(f'lib/{name}').count('\n')
                         for name in names.split()), f'{names}: %d lines')
             for limit, names in READ]
    return ([text % value for _, value, text in rows],
            [f'{text % value}, more than {limit}'
             for limit, value, text in rows if value > limit])


if __name__ == '__main__':
    print('\n'.join(judge()[0]))
