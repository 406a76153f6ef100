# SPDX-License-Identifier: MIT
"""What checks, budget and bench share: files, errors, commands, and tables on
pages."""
import os
import re
import subprocess

COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*', re.S)
errors = []


def read(name):
    with open(name, encoding='utf-8', errors='replace') as file:
        return file.read()


def line_at(text, at):
    return text.count('\n', 0, at) + 1


def error(place, what):
    errors.append(f'{place}: error: {what}')


def finish(what):
    """Prints the errors; returns what to exit with."""
    print(*errors, f'{what}{len(errors)} errors', sep='\n')
    return len(errors) > 0


def output(command):
    """What a command prints that is not of this make; it has to succeed."""
    env = {k: v for k, v in os.environ.items()
           if k not in ('MAKEFLAGS', 'MFLAGS', 'MAKELEVEL')}
    return subprocess.run(command, check=True, text=True, env=env,
                          stdout=subprocess.PIPE).stdout


def table(head, body):
    """In Markdown; all columns but the first are numbers."""
    lines = ['| ' + ' | '.join(map(str, row)) + ' |' for row in (head, *body)]
    lines.insert(1, '|---|' + '---:|' * (len(head) - 1))
    return '\n'.join(lines) + '\n'


def fill(page, marks, made, check):
    """Puts what is made for each pair of marks between them, or only tells
    whether it differs."""
    old = read(page)
    new = re.sub(marks, made, old, flags=re.S)
    if not check and new != old:
        with open(page, 'w', encoding='utf-8') as file:
            file.write(new)
    return new != old


def put(page, target, parts, check, differs):
    """Writes what a target of make makes into a page, or compares it, and says
    how it differs; returns how many errors there are.

    The only part of a page is called ''.
    """
    missing = set(parts)

    def made(mark):
        missing.discard(mark[2] or '')
        return mark[1] + parts.get(mark[2] or '', mark[3]) + mark[4]

    marks = f'(<!-- made by make {target}(?:: (\\w+))? -->\\n)(.*?)' \
        f'(<!-- end of what make {target} makes -->\\n)'
    changed = fill(page, marks, made, check=True)
    for part in sorted(missing):
        print(f'{page}:1: error: no place for {target}: {part} is marked')
    if check and changed:
        print(f'{page}: error: {differs}; run make {target}')
    elif not missing:
        fill(page, marks, made, check)
    return len(missing) + (check and changed)
