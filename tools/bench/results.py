# SPDX-License-Identifier: MIT
"""What was measured, and the file that keeps it."""
import csv
import statistics

COLUMNS = ('row', 'what', 'unit', 'timers', 'median', 'min', 'max',
           'repetitions', 'ratio')


class Result:
    """Of a row, with so many timers: the values of all repetitions."""

    def __init__(self, row, what, unit, timers, values):
        self.row, self.what, self.unit, self.timers = row, what, unit, timers
        self.median = statistics.median(values)
        self.min, self.max = min(values), max(values)
        self.repetitions = len(values)

    @property
    def key(self):
        return self.row, self.what, self.unit, self.timers


class Results:
    """All of them, to look one up."""

    def __init__(self, results=(), machine=''):
        self.all = {result.key: result for result in results}
        self.machine = machine

    def get(self, row, what, unit, timers):
        return self.all.get((row, what, unit, timers))

    def find(self, **wanted):
        return [result for result in self.all.values()
                if all(getattr(result, name) == value
                       for name, value in wanted.items())]

    def rows(self, **wanted):
        return list(dict.fromkeys(r.row for r in self.find(**wanted)))

    def numbers(self, **wanted):
        return sorted({r.timers for r in self.find(**wanted)})

    def ratio(self, result):
        """To jif, in the same run."""
        jif = self.get('jif', result.what, result.unit, result.timers)
        return result.median / jif.median if jif and jif.median else None


def write(results, path):
    with open(path, 'w', encoding='utf-8', newline='') as file:
        file.write(f'# {results.machine}\n')
        writer = csv.writer(file, lineterminator='\n')
        writer.writerow(COLUMNS)
        for r in results.all.values():
            ratio = results.ratio(r)
            writer.writerow([r.row, r.what, r.unit, r.timers,
                             f'{r.median:.6g}', f'{r.min:.6g}',
                             f'{r.max:.6g}', r.repetitions,
                             '' if ratio is None else f'{ratio:.4g}'])


def read(path):
    with open(path, encoding='utf-8', newline='') as file:
        machine = file.readline()[1:].strip()
        results = []
        for line in csv.DictReader(file):
            result = Result(line['row'], line['what'], line['unit'],
                            int(line['timers']),
                            [float(line['median'])])
            result.min, result.max = float(line['min']), float(line['max'])
            result.repetitions = int(line['repetitions'])
            results.append(result)
    return Results(results, machine)
