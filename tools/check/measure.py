# SPDX-License-Identifier: MIT
"""What checks, budget and bench share: files, errors, commands, and tables on
pages."""
import os
import pathlib
import re
import subprocess

COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*', re.S)
errors = []


def read(name):
    return pathlib.Path(name).read_text('utf-8', 'replace')


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
        pathlib.Path(page).write_text(new, 'utf-8')
    return new != old
