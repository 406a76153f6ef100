# SPDX-License-Identifier: MIT
"""usage: test/tools/docs/blocks.py

Every block of C in README.md and docs is a program that compiles without a
warning, or part of a file in docs/examples or test, line by line: these are
compiled and run by other tests. Prints TAP.
"""
import glob
import re
import subprocess
import sys

CHECK = ['gcc', '-std=gnu11', '-Wall', '-Wextra', '-Wpedantic', '-Werror',
         '-Iinclude', '-Itest/tools/docs/scheduler', '-fsyntax-only', '-x',
         'c', '-']


def squeezed(text):
    text = re.sub(r'/\*.*?\*/', '', text, flags=re.S)
    return '\n'.join(' '.join(line.split()) for line in text.splitlines()
                     if line.strip()) + '\n'


def sources():
    names = [name for folder in ('docs/examples', 'test', 'include')
             for name in glob.glob(f'{folder}/**/*', recursive=True)
             if re.search(r'\.(c|cc|h)$', name)]
    for name in names:
        with open(name, encoding='utf-8') as file:
            yield '\n' + squeezed(file.read())


def is_right(block, texts):
    if 'int main(' in block and block.startswith('#include'):
        return not subprocess.run(CHECK, input=block, text=True,
                                  check=False).returncode
    return any('\n' + squeezed(block) in text for text in texts)


def main():
    texts = list(sources())
    count = bad = 0
    for name in ['README.md'] + sorted(glob.glob('docs/*.md')):
        with open(name, encoding='utf-8') as file:
            page = file.read()
        for match in re.finditer(r'^```c(?:pp)?\n(.*?)^```', page, re.S | re.M):
            count += 1
            good = is_right(match[1], texts)
            bad += not good
            first = squeezed(match[1]).split('\n', 1)[0]
            print(f'{"" if good else "not "}ok {count} - {name}: {first}')
    print(f'1..{count}')
    return bad or count < 10


if __name__ == '__main__':
    sys.exit(main())
