# SPDX-License-Identifier: MIT
"""What tools/budget and tools/bench share: commands, and tables on pages."""
import os
import subprocess


def output(command, **env):
    """What a command prints that is not of this make; it has to succeed."""
    kept = {k: v for k, v in os.environ.items()
            if k not in ('MAKEFLAGS', 'MFLAGS', 'MAKELEVEL')}
    return subprocess.run(command, check=True, text=True, env={**kept, **env},
                          stdout=subprocess.PIPE).stdout


def rows(path):
    """The lines of a budget, each a list of its fields."""
    with open(path, encoding='utf-8') as file:
        return [line.rstrip('\n').split('\t') for line in file
                if not line.startswith('#')]


def table(head, body):
    """In Markdown; all columns but the first are numbers."""
    lines = ['| ' + ' | '.join(map(str, row)) + ' |' for row in (head, *body)]
    lines.insert(1, '|---|' + '---:|' * (len(head) - 1))
    return '\n'.join(lines) + '\n'


def put(page, target, parts, check, differs):
    """Writes what a target of make makes between its marks on a page.

    Or compares it, and says how it differs; returns how many errors there are.
    The only part of a page is called ''.
    """
    with open(page, encoding='utf-8') as file:
        text = file.read()
    new = text
    end = f'<!-- end of what make {target} makes -->\n'
    for part, made in parts.items():
        name = f'{target}: {part}' if part else target
        begin = f'<!-- made by make {name} -->\n'
        start = new.find(begin) + len(begin)
        stop = new.find(end, start)
        if begin not in new or stop < 0:
            print(f'{page}:1: error: no place for {name} is marked')
            return 1
        new = new[:start] + made + new[stop:]
    if check and new != text:
        print(f'{page}: error: {differs}; run make {target}')
        return 1
    if not check:
        with open(page, 'w', encoding='utf-8') as file:
            file.write(new)
    return 0
