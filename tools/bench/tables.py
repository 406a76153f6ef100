# SPDX-License-Identifier: MIT
"""The tables of the results, and the page that has them."""
import textwrap

import figures
import measure
import rows
from measure import table

PAGE = 'docs/performance.md'

TIMED = {
    'arm': 'arm', 'cancel': 'cancel', 're-arm': 'rearm',
    'run a week, per timer': 'run', 'churn, per expiry': 'churn',
}
FIXED = {
    'empty tick, ns': ('empty', 'ns'),
    'sparse, ns per expiry': ('sparse', 'ns'),
    'wake-ups per expiry': ('stops', 'per event'),
    'recording, ns per line': ('trace', 'ns'),
}

PARTS = ('machine', 'verified', 'instructions', *TIMED.values(), 'fixed',
         'worst')


def figure(value):
    """Three digits that mean something, or more before the point."""
    if value is None:
        return '-'
    if value >= 100 or value == int(value):
        return f'{value:,.0f}'
    return f'{value:.1f}' if value >= 10 else f'{value:.2f}'


def names(results, **wanted):
    measured = results.rows(**wanted)
    return [name for name in rows.ROWS if name in measured]


def only(results, row, what, unit):
    """The one result, whatever the number of timers is."""
    found = results.find(row=row, what=what, unit=unit)
    return found[0] if found else None


def median(result):
    return figure(result.median) if result else '-'


def verified(results):
    """What a row does, and with how much memory."""
    lines = []
    shown = names(results, what='late') + names(results, what='timer')
    for name in dict.fromkeys(shown):
        inverted = only(results, name, 'inverted', 'of all')
        lines.append([name] + [median(only(results, name, what, unit))
                               for what, unit in (
                                   ('late', 'ticks'), ('latest', 'ticks'))] + [
            f'{100 * inverted.median:.1f} %' if inverted else '-'] + [
            median(only(results, name, what, 'bytes'))
            for what in ('timer', 'wheel')])
    return table(['row', 'ticks late, mean', 'most', 'out of order',
                     'bytes per timer', 'per wheel'], lines)


def counted(results):
    whats = [what for what in figures.COUNTED
             if results.find(what=what, unit='instructions')]
    return table(['instructions', *whats], [
        [name] + [median(only(results, name, what, 'instructions'))
                  for what in whats]
        for name in names(results, unit='instructions')])


def misses(results):
    """Of the simulated caches."""
    found = results.find(unit='D1 misses')
    whats = list(dict.fromkeys(result.what for result in found))
    return table(['misses per operation, D1 / LL', *whats], [
        [name] + [' / '.join(median(only(results, name, what, unit))
                             for unit in ('D1 misses', 'LL misses'))
                  for what in whats]
        for name in names(results, unit='D1 misses')])


def cell(results, result):
    if not result:
        return '-'
    text = figure(result.median)
    if result.unit != 'ns':
        return text
    text += f' ({figure(result.min)} to {figure(result.max)})'
    if result.row in ('jif', 'null'):
        return text
    ratio = results.ratio(result)
    return text if ratio is None else f'{text}, x {figure(ratio)}'


def growth(results, row, what):
    """How much more an operation costs with 100,000 timers than with 1,000."""
    few = results.get(row, what, 'ns', 1000)
    many = results.get(row, what, 'ns', 100000)
    return figure(many.median / few.median) if few and many else '-'


def timed(results, title, what):
    numbers = results.numbers(what=what, unit='ns')
    return table([f'{title}: ns', *(f'{n:,}' for n in numbers),
                     '1e3 to 1e5'], [
        [name] + [cell(results, results.get(name, what, 'ns', n))
                  for n in numbers] + [growth(results, name, what)]
        for name in names(results, what=what, unit='ns')])


def fixed(results):
    head = [title for title, (what, unit) in FIXED.items()
            if results.find(what=what, unit=unit)]
    kinds = [FIXED[title] for title in head]
    shown = [name for name in rows.ROWS
             if any(only(results, name, *kind) for kind in kinds)]
    return table(['row', *head], [
        [name] + [cell(results, only(results, name, *kind))
                  for kind in kinds] for name in shown])


def worst(results):
    """The shortest of the longest ticks: the others were disturbed."""
    numbers = results.numbers(what='worst', unit='ns')
    lines = []
    for name in names(results, what='worst', unit='ns'):
        line = [name]
        for n in numbers:
            result = results.get(name, 'worst', 'ns', n)
            entries = results.get(name, 'touched', 'entries', n)
            line.append((figure(result.min / 1000) if result else '-') + (
                f' ({figure(entries.median)})' if entries else ''))
        lines.append(line)
    return table(['worst tick: us (entries)', *(f'{n:,}' for n in numbers)],
                    lines)


def parts(results):
    """All tables, by the name of their place on the page."""
    made = {}
    if results.find(what='late') or results.find(what='timer'):
        made['verified'] = verified(results)
    if results.find(unit='instructions'):
        made['instructions'] = counted(results)
    for title, what in TIMED.items():
        if results.find(what=what, unit='ns'):
            made[what] = timed(results, title, what)
    if any(results.find(what=what, unit=unit)
           for what, unit in FIXED.values()):
        made['fixed'] = fixed(results)
    if results.find(what='worst', unit='ns'):
        made['worst'] = worst(results)
    if results.find(unit='D1 misses'):
        made['misses'] = misses(results)
    made['machine'] = textwrap.fill(
        f'{results.machine}.', 80, break_on_hyphens=False) + '\n'
    return made


def put(results, check):
    """Writes the tables into the page, or compares; how many errors."""
    made = parts(results)
    for part in PARTS:
        if part not in made:
            print(f'{PAGE}: error: no results for {part}: run make bench, all '
                  'of it')
            return 1
    return measure.put(PAGE, 'bench-doc', {part: made[part] for part in PARTS},
                       check, 'the tables are not those of the results')
