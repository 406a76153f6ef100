# SPDX-License-Identifier: MIT
"""Measurements, and the file that keeps them."""
import collections
import csv
import statistics

# Of a row, with so many timers: of all repetitions.
Result = collections.namedtuple('Result', 'row what unit timers median')


def result(row, what, unit, timers, values):
    return Result(row, what, unit, timers, statistics.median(values))


class Results:
    """All of them, to look one up."""

    def __init__(self, results, machine, engine):
        self.all = list(results)
        self.machine = machine
        self.engine = engine

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
    """A line for each row, a column for what, its unit and how many timers."""
    lines = {}
    for r in results.all:
        lines.setdefault(r.row, {'row': r.row})[
            f'{r.what}/{r.unit}/{r.timers}'] = f'{r.median:.6g}'
    with open(path, 'w', encoding='utf-8', newline='') as file:
        file.write(f'# {results.machine}\n# {results.engine}\n')
        writer = csv.DictWriter(file, lineterminator='\n', fieldnames=dict.
                                fromkeys(name for line in lines.values()
                                         for name in line))
        writer.writeheader()
        writer.writerows(lines.values())


def read(path):
    with open(path, encoding='utf-8', newline='') as file:
        machine, engine = (file.readline()[1:].strip() for _ in range(2))
        found = []
        for line in csv.DictReader(file):
            row = line.pop('row')
            for name, value in line.items():
                what, unit, timers = name.split('/')
                if value:
                    found.append(Result(row, what, unit, int(timers),
                                        float(value)))
        return Results(found, machine, engine)
