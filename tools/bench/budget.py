# SPDX-License-Identifier: MIT
"""The committed instructions per operation of our own rows."""
import figures
import measure
import rows

PATH = 'tools/bench/instructions.budget'
ROWS = ('jif', 'jif-plain', 'jif-postponed', 'jif-spread')
SLACK = 0.02        # more or less than that is a change
OTHER_SLACK = 0.10  # with another compiler than the budget's


def measured(names=ROWS):
    programs = rows.build(names)
    figures.verify(programs)
    return {(result.row, result.what): result.median
            for result in figures.instructions(programs)}


def write():
    counts = measured()
    with open(PATH, 'w', encoding='utf-8') as file:
        file.write('# Row, what, instructions per operation, counted by '
                   'callgrind, the harness\n# included; written by '
                   'tools/bench/bench --write.\n')
        file.write(f'-\tcompiler\t{rows.compiler()}\n')
        for (row, what), value in counts.items():
            file.write(f'{row}\t{what}\t{value:.2f}\n')


def read():
    name, budget = '', {}
    for row, what, value in measure.rows(PATH):
        if what == 'compiler':
            name = value
        else:
            budget[row, what] = float(value)
    return name, budget


def check():
    """Prints what is over the budget; returns how many figures are."""
    name, budget = read()
    slack = SLACK if name == rows.compiler() else OTHER_SLACK
    counts = measured(dict.fromkeys(row for row, _ in budget))
    failed = 0
    for key, limit in budget.items():
        value = counts.get(key, float('inf'))
        print(f'{" ".join(key):24}{value:10.2f}{limit:10.2f}')
        if value > limit * (1 + slack):
            failed += 1
            print(f'bench: {" ".join(key)}: {value:.2f} instructions, the '
                  f'budget is {limit:.2f}')
        elif value < limit * (1 - SLACK):
            print(f'bench: {" ".join(key)}: {value:.2f} instructions, less '
                  f'than the budget of {limit:.2f}: tools/bench/bench '
                  '--write')
    print(f'bench: {len(budget) - failed} passed, {failed} failed')
    return failed
