# SPDX-License-Identifier: MIT
"""The tables of the results, and the page that has them."""
import textwrap

import figures
import rows
from measure import fill, read, table
from results import Results

PAGE = 'docs/costs.md'

TIMED = ('arm', 'cancel', 'rearm', 'postpone', 'run', 'churn')
# Measured with one number of timers.
ONCE = ('empty', 'sparse', 'recording')
# A column, what it shows of the results, and by what that is divided.
DONE = (('late, mean', 'late', 1), ('late, most', 'latest', 1),
        ('out of order, %', 'inverted', .01), ('bytes a timer', 'timer', 1),
        ('bytes a wheel', 'wheel', 1), ('wake-ups', 'stops', 1))
# Columns that the page does without.
MORE = {('ticks', 'late'), ('instructions', 'postpone'), ('ns', 'cancel'),
        ('instructions', 'search'), ('instructions', 'wake'),
        ('instructions', 'wake-1000'), ('ns', 'postpone'), ('ns', 'empty'),
        ('timers', 'fired')}


def figure(value):
    """Two digits that mean something, or more before the point."""
    if value >= 100 or value == int(value):
        return f'{value:,.0f}'
    return f'{value:.1f}'


def column(results, what, divisor=1, numbers=None, **wanted):
    """What makes the cell of a row: a figure, or one a number of timers."""
    def cell(row):
        found = [results.only(row=row, what=what, **wanted, **timers)
                 for timers in ([{'timers': number} for number in numbers]
                                if numbers else [{}])]
        return '/'.join(figure(result.median / divisor) if result else '-'
                        for result in found) if any(found) else '-'
    return cell


def made(corner, columns, rows):
    """A table without rows and columns that have nothing to tell."""
    lines = [[row, *(cell(row) for cell in columns.values())] for row in rows]
    lines = [line for line in lines if set(line[1:]) - {'-'}]
    kept = [i for i in range(len(columns) + 1)
            if not i or any(line[i] != '-' for line in lines)]
    head = [corner, *columns]
    return table([head[i] for i in kept],
                 [[line[i] for i in kept] for line in lines])


def numbers_of(results, *whats):
    return sorted({r.timers for r in results.find(unit='ns')
                   if r.what in whats})


def parts(results):
    """All tables, by the name of their place on the page."""
    timed = numbers_of(results, *TIMED, 'worst')
    tables = {
        'done': made('row', {
            title: column(results, what, divisor)
            for title, what, divisor in DONE}, results.rows(what='timer')),
        'instructions': made('instructions', {
            what: column(results, what, unit='instructions')
            for what in figures.COUNTED}, results.rows(unit='instructions')),
        'times': made('ns', {
            **{what: column(results, what, numbers=timed, unit='ns')
               for what in TIMED},
            **{what: column(results, what, unit='ns') for what in ONCE},
            'worst tick, us': column(results, 'worst', 1000, timed, unit='ns'),
        }, results.rows(unit='ns')),
    }
    tables = {part: text for part, text in tables.items()
              if text.count('\n') > 2}
    tables['machine'] = textwrap.fill(
        f'{results.machine}.', 80, break_on_hyphens=False) + '\n'
    return tables


def outline(results):
    """Without those columns; of the times with few, more and most timers, the
    first and the last."""
    between = numbers_of(results, *TIMED)[1:-1]
    return Results([r for r in results.all if (r.unit, r.what) not in MORE and
                    (r.unit != 'ns' or r.timers not in between)],
                   results.machine, results.engine)


def put(results, check):
    """Writes the tables into the page, or compares; how many errors."""
    missing = set(rows.ROWS) - set(results.rows())
    if missing:
        print(f'{PAGE}: error: no results for {", ".join(sorted(missing))}: '
              'run make bench, all of it')
        return 1
    if check and results.engine != rows.engine():
        print(f'{PAGE}: error: lib/*.c and lib/*.h are not those that were '
              'measured: run make bench-doc')
        return 1
    made = parts(results)
    changed = fill(PAGE, r'(<!-- made by make bench-doc: (\w+) -->\n).*?'
                   '(?=<!-- end of what make bench-doc makes -->\n)',
                   lambda mark: mark[1] + made.get(mark[2], ''), check)
    if check and changed:
        print(f'{PAGE}: error: the tables are not those of the results; run '
              'make bench-doc')
    missing = [part for part in made if f'make bench-doc: {part} ' not in
               read(PAGE)]
    for part in missing:
        print(f'{PAGE}: error: no place for the table {part} is marked')
    return len(missing) + (check and changed)
