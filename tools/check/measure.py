# SPDX-License-Identifier: MIT
"""What budget and bench share: commands, and tables on pages."""
import os
import re
import subprocess


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
    with open(page, encoding='utf-8') as file:
        old = file.read()
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
