# SPDX-License-Identifier: MIT
"""What was measured, and the file that keeps it."""
import collections
import csv
import statistics

# Of a row, with so many timers: of all repetitions.
Result = collections.namedtuple('Result', 'row what unit timers median min max')


def result(row, what, unit, timers, values):
    return Result(row, what, unit, timers, statistics.median(values),
                  min(values), max(values))


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
    with open(path, 'w', encoding='utf-8', newline='') as file:
        file.write(f'# {results.machine}\n')
        writer = csv.writer(file, lineterminator='\n')
        writer.writerow(Result._fields)
        for r in results.all:
            writer.writerow([*r[:4], *(f'{value:.6g}' for value in r[4:])])


def read(path):
    with open(path, encoding='utf-8', newline='') as file:
        machine = file.readline()[1:].strip()
        return Results([Result(
            line['row'], line['what'], line['unit'], int(line['timers']),
            *(float(line[name]) for name in ('median', 'min', 'max')))
            for line in csv.DictReader(file)], machine)
