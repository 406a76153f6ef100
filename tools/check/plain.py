#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: tools/check/plain.py

Prints the sentences of comments and documents that are longer than 35 words,
and the idioms of the file idioms: Debian's `style` and `diction` find them. An
item of a list, a parameter, and each case of a Return: is a sentence.
"""
import glob
import os
import re
import subprocess

from measure import read

WORDS = 35
IDIOMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'idioms')
READ = ['lib/**/*.[ch]', 'include/**/*.h', 'include/**/*.hpp',
        'README.md', 'docs/*.md']
COMMENT = re.compile(r'/\*.*?\*/', re.S)
DROPPED = re.compile(r'^```.*?^```|^\|.*?$|(?<=\])\([^)]*\)', re.M | re.S)
FIGURE = re.compile(r'\t| {3}|.*(\S   |\t|\S  +\S.*  )|[-=]+|\W*$')
CASE = re.compile(r'@[\w.]+:|Return:')
BEGIN = re.compile(r'\f|@[\w.]+:|[A-Z]\w+:|[-*+#] |\d+\. |W\d|'
                   r'[\w ]+(\(\))? - ')


def comments_of(text):
    """What is no comment is blank, and so is what frames a comment."""
    kept, end = [], 0
    for match in COMMENT.finditer(text):
        kept.append('\n' * text.count('\n', end, match.start()))
        kept.append(re.sub(r'(?m)^[ \t]*\*/|\*/$|^[ \t]*\* ?', '',
                           match.group().replace('/*', '\f', 1)))
        end = match.end()
    return ''.join(kept)


def units_of(text):
    """Where each paragraph, item or case begins, and its words."""
    units, case = [], False
    for number, line in enumerate(text.split('\n'), 1):
        if CASE.match(line) or units and case and line.strip() and \
                not BEGIN.match(line):
            case = True
            line = line.replace(';', '.').replace(':\t', '. ')
        elif not line.strip() or FIGURE.match(line):
            units.append([number + 1, ''])
            case = False
            continue
        else:
            case = False
        if BEGIN.match(line) or not units:
            units.append([number, ''])
        units[-1][1] += line.strip('\f* \t') + '\n'
    return units


def judge():
    """One line for each sentence that is too long, or has an idiom."""
    marked = []
    for name in sorted({name for where in READ
                        for name in glob.glob(where, recursive=True)}):
        text = read(name)
        text = DROPPED.sub(lambda match: '\n' * match[0].count('\n'), text) \
            if name.endswith('.md') else comments_of(text)
        marked += [f'#line {number} "{name}"\n{words.rstrip(" .")}.\n'
                   for number, words in units_of(text) if words.strip()]
    said = []
    for tool, what in ((['style', '-L', 'en', f'--print-long={WORDS + 1}'],
                        f'more than {WORDS} words'),
                       (['diction', '-d', '-n', '-f', IDIOMS], 'an idiom')):
        out = subprocess.run(tool, input=''.join(marked), text=True,
                             capture_output=True, check=False).stdout
        said += [f'{row[0]}: error: {what}: {row[1]}' for row in
                 re.findall(r'^([\w/.+-]+:\d+): (.*)', out, re.M)]
    return said


if __name__ == '__main__':
    print('\n'.join(judge()))
