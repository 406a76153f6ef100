# SPDX-License-Identifier: MIT
"""Measurements, and the file that keeps them."""
import collections
import csv
import statistics

# Of a row, with so many timers: of all repetitions.
KEYS = ('row', 'unit', 'timers')
Result = collections.namedtuple('Result', 'row what unit timers median')


def result(row, what, unit, timers, values):
    return Result(row, what, unit, timers, statistics.median(values))


class Results:
    """All of them, to look one up."""

    def __init__(self, results, machine):
        self.all = list(results)
        self.machine = machine

    def find(self, **wanted):
        return [result for result in self.all
                if all(getattr(result, name) == value
                       for name, value in wanted.items())]

    def only(self, **wanted):
        """The first of them, or None."""
        found = self.find(**wanted)
        return found[0] if found else None

    def rows(self, **wanted):
        return list(dict.fromkeys(r.row for r in self.find(**wanted)))


def write(results, path):
    """A line for each row, unit and number of timers; a column for what."""
    lines = {}
    for r in results.all:
        lines.setdefault((r.row, r.unit, r.timers), {})[r.what] = \
            f'{r.median:.6g}'
    with open(path, 'w', encoding='utf-8', newline='') as file:
        file.write(f'# {results.machine}\n')
        writer = csv.DictWriter(file, lineterminator='\n', fieldnames=[
            *KEYS, *dict.fromkeys(r.what for r in results.all)])
        writer.writeheader()
        writer.writerows(dict(zip(KEYS, key), **values)
                         for key, values in lines.items())


def read(path):
    with open(path, encoding='utf-8', newline='') as file:
        machine = file.readline()[1:].strip()
        return Results([Result(line['row'], what, line['unit'],
                               int(line['timers']), float(value))
                        for line in csv.DictReader(file)
                        for what, value in line.items()
                        if value and what not in KEYS], machine)
