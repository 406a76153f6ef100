# SPDX-License-Identifier: MIT
"""All mutants of a source in one text: a variable says which one is there.

So they are compiled once. Each has a line of its own, by which the compiler
tells which ones it refuses.
"""
import collections
import re

DECLARATION = 'extern int jif_mutant;'
# What panics with its condition as the text.
BUG_ON = re.compile(r'(?<!#define )\bJIF_BUG_ON\(((?:[^()]|\([^()]*\))*)\)')


def one_line(text):
    return ' '.join(text.split())


def switch(number, new, old, statement):
    """Chooses between what a mutant has in a place, and what was there."""
    if statement:
        return f'\nif (jif_mutant == {number}) {{ {new}; }} else\n{old}'
    return f'(\njif_mutant == {number} ? ({new}) :\n({old}))'


def switched(text, mutants):
    """The text with all of them, each of which is its number, whether it is a
    statement, and the edit. What a panic says is the same with them.
    """
    bugs = {found.span(): found for found in BUG_ON.finditer(text)}
    places = collections.defaultdict(list, {span: [] for span in bugs})
    for number, statement, edit in mutants:
        places[edit.start, edit.end].append(
            (statement, number, one_line(edit.text)))
    spans = sorted(places, key=lambda span: (span[0], -span[1]))

    def emit(start, end, at):
        """The text between, with the places from that one on; and the next."""
        parts = []
        while at < len(spans) and spans[at][1] <= end:
            first, last = spans[at]
            parts.append(text[start:first])
            here, at = emit(first, last, at + 1)
            if (first, last) in bugs:
                here = (f'JIF_BUG({here[len("JIF_BUG_ON("):-1]}, '
                        f'"{one_line(bugs[first, last][1])}")')
            for statement, number, new in sorted(places[first, last]):
                here = switch(number, new, here, statement)
            parts.append(here)
            start = last
        return ''.join(parts) + text[start:end], at
    return f'{DECLARATION}\n{emit(0, len(text), 0)[0]}'


def refused(text, lines):
    """The numbers of the mutants that are on these lines, or around them."""
    rows = text.split('\n')
    for line in lines:
        for row in (line, line - 1, line + 1):
            found = 0 < row <= len(rows) and re.search(
                r'jif_mutant == (\d+)', rows[row - 1])
            if found:
                yield int(found[1])
                break
