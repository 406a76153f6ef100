# SPDX-License-Identifier: MIT
"""The tables of the results, and the page that has them."""
import textwrap

import figures
import measure
import rows
from measure import table
from results import Results

PAGE = 'docs/performance.md'

TIMED = ('arm', 'cancel', 'rearm', 'postpone', 'run', 'churn')
# Measured with one number of timers.
ONCE = ('empty', 'sparse', 'recording')
# A column, what it shows of the results, and by what that is divided.
DONE = (('late, mean', 'late', 1), ('late, most', 'latest', 1),
        ('out of order, %', 'inverted', .01), ('bytes a timer', 'timer', 1),
        ('bytes a wheel', 'wheel', 1), ('wake-ups', 'stops', 1))
# Columns that the page does without.
MORE = {('ticks', 'late'), ('per event', 'stops'),
        ('instructions', 'postpone'), ('instructions', 'churn'),
        ('instructions', 'sparse'), ('ns', 'cancel'), ('ns', 'postpone'),
        ('ns', 'empty')}


def figure(value):
    """Two digits that mean something, or more before the point."""
    if value is None:
        return '-'
    if value >= 100 or value == int(value):
        return f'{value:,.0f}'
    return f'{value:.1f}'


def median(result, divisor=1):
    return figure(result.median / divisor) if result else '-'


def filled(head, lines):
    """A table without rows and columns that have nothing to tell."""
    told = [row for row in lines if set(row[1:]) - {'-'}]
    kept = [i for i, _ in enumerate(head)
            if not i or any(row[i] != '-' for row in told)]
    return table([head[i] for i in kept],
                 [[row[i] for i in kept] for row in told])


def done(results):
    """What a row does, and with how much memory."""
    return filled(['row', *(title for title, _, _ in DONE)], [
        [name, *(median(results.only(row=name, what=what), divisor)
                 for _, what, divisor in DONE)]
        for name in results.rows(what='timer')])


def counted(results):
    return filled(['instructions', *figures.COUNTED], [
        [name, *(median(results.only(row=name, what=what,
                                     unit='instructions'))
                 for what in figures.COUNTED)]
        for name in results.rows(unit='instructions')])


def each(results, numbers, divisor=1, **wanted):
    """A cell with a figure for each number of timers."""
    found = [results.only(timers=number, unit='ns', **wanted)
             for number in numbers]
    return '/'.join(median(result, divisor) for result in found) if any(
        found) else '-'


def timed(results):
    numbers = sorted({r.timers for r in results.find(unit='ns')
                      if r.what in TIMED + ('worst',)})
    return filled(['ns', *TIMED, *ONCE, 'worst tick, us'], [
        [name, *(each(results, numbers, row=name, what=what)
                 for what in TIMED),
         *(median(results.only(row=name, what=what, unit='ns'))
           for what in ONCE),
         each(results, numbers, 1000, row=name, what='worst')]
        for name in results.rows(unit='ns')])


def parts(results):
    """All tables, by the name of their place on the page."""
    made = {'done': done(results), 'instructions': counted(results),
            'times': timed(results)}
    made = {part: text for part, text in made.items()
            if text.count('\n') > 2}
    made['machine'] = textwrap.fill(
        f'{results.machine}.', 80, break_on_hyphens=False) + '\n'
    return made


def outline(results):
    """Without those columns; of the times with few, more and most timers, the
    first and the last."""
    numbers = sorted({r.timers for r in results.find(unit='ns')
                      if r.what in TIMED})
    return Results([r for r in results.all if (r.unit, r.what) not in MORE and
                    (r.unit != 'ns' or r.timers not in numbers[1:-1])],
                   results.machine)


def put(results, check):
    """Writes the tables into the page, or compares; how many errors."""
    missing = set(rows.ROWS) - set(results.rows())
    if missing:
        print(f'{PAGE}: error: no results for {", ".join(sorted(missing))}: '
              'run make bench, all of it')
        return 1
    return measure.put(PAGE, 'bench-doc', parts(outline(results)), check,
                       'the tables are not those of the results')
