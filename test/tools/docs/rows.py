# SPDX-License-Identifier: MIT
"""usage: test/tools/docs/rows.py

Each row of the README's table of calls compiles with its headers, and links
with its files: its calls, as they are written there. Prints TAP.
"""
import glob
import re
import subprocess
import sys
import tempfile

ROWS = 12
BASE = ['wheel.c', 'wheel_now.c', 'timer_delay.c', 'jiffies.c']
CC = ['gcc', '-Wall', '-Wextra', '-Wno-unused-parameter', '-Werror', '-O1',
      '-Iinclude']
NAMES = '''
static uint32_t n = 10, first, ms, when;
uint32_t HAL_GetTick(void);
uint32_t HAL_GetTick(void) { return n + first + ms + when; }
'''
OBJECTS = {'jif_service': 'static struct jif_service s;\n'
                          'static struct jif_job job;\n'
                          'static uint64_t ns;\n',
           '&w': 'static struct jif_wheel w;\n',
           '&t': 'static struct jif_timer t;\n',
           '&p': 'static struct jif_periodic p;\n'}


def program(calls, headers):
    text = ''.join(f'#include <jif/{header}>\n' for header in headers)
    text += '#include <stddef.h>\n' + NAMES
    text += '' if ' fn(' in calls else '#define fn NULL\n'
    text += ''.join(line for word, line in OBJECTS.items() if word in calls)
    spans = [span for span in re.findall(r'`([^`]+)`', calls)
             if not re.search(r'^\w+\(\)$', span)]
    text += '\n'.join(span for span in spans if span.endswith('}'))
    text += '\nint main(void)\n{\n'
    text += ''.join(f'\t(void){span};\n' for span in spans
                    if re.match(r'jif_\w+\(|JIF_', span))
    return text + '\treturn 0;\n}\n', len(spans)


def is_right(calls, headers, files):
    sources = ['lib/' + name for name in BASE]
    if 'all' in files:
        sources = glob.glob('lib/*.c')
    for name in re.findall(r'[\w/*]+\.c', files):
        sources += glob.glob('lib/' + name) or ['lib/' + name]
    text, count = program(calls, re.findall(r'\w+\.h', headers))
    with tempfile.TemporaryDirectory() as folder:
        with open(f'{folder}/row.c', 'w', encoding='ascii') as file:
            file.write(text)
        return count and not subprocess.run(
            [*CC, f'{folder}/row.c', *sorted(set(sources)), '-pthread',
             '-o', f'{folder}/row'], check=False).returncode


def main():
    with open('README.md', encoding='utf-8') as file:
        page = file.read()
    table = page.partition('| what | call |')[2].partition('\n\n')[0]
    rows = [line.strip('| ').split(' | ')
            for line in re.findall(r'^\| .*', table, re.M)]
    bad = 0
    for number, row in enumerate(rows, 1):
        good = is_right(row[1], row[2], ' '.join(row[3:]))
        bad += not good
        print(f'{"" if good else "not "}ok {number} - {row[0]}')
    print(f'1..{len(rows)}')
    return bad or len(rows) != ROWS


if __name__ == '__main__':
    sys.exit(main())
