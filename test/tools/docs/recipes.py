# SPDX-License-Identifier: MIT
"""usage: test/tools/docs/recipes.py FOLDER

What README.md and docs show as code is compiled from the page's own text, with
the files that the page names, for release and debug, and run: programs, rows
of tables and calls in the text. test/tools/docs/blocks says what each block
is. A debug build has nothing to report. Prints TAP; FOLDER is for objects.
"""
import functools
import glob
import os
import re
import subprocess
import sys

FOLDER = sys.argv[1]
CC = ['gcc', '-std=gnu11', '-Wall', '-Wextra', '-Werror', '-Iinclude']
CALLS = ['-Wno-unused-parameter', '-Wno-unused-value',
         '-Wno-unused-variable']
MODES = {'release': (), 'debug': ('-DCONFIG_JIF_DEBUG=1',)}
PAGES = ['README.md'] + sorted(set(glob.glob('docs/*.md')) -
                               {'docs/CHANGES.md'})
BLOCK = re.compile(r'^```(\w*)\n(.*?)^```', re.S | re.M)
CALL = re.compile(r'\b(?:jif|JIF)_\w+\([^)]')

# What the calls take for granted.
OBJECTS = {'w': 'struct jif_wheel', 'wheel': 'struct jif_wheel',
           't': 'struct jif_timer', 'timer': 'struct jif_timer',
           'p': 'struct jif_periodic', 's': 'struct jif_service',
           'job': 'struct jif_job', 'calendar': 'struct jif_calendar',
           'queue': 'struct jif_queue'}
ARRAYS = {'storage': 64, 'message': 4}
NUMBERS = {'n': 10, 'a': 10, 'b': 10, 'first': 10, 'ms': 10, 'delay': 10,
           'slack': 10, 'capacity': 2, 'ns': 10000000, 'when': 'jif_now() + 10',
           'expires': 'jif_now() + 10'}
PRELUDE = 'test/tools/docs/recipes.h'
WAIT = re.compile(r'JIF_(RECEIVE|A?WAIT\w*|SLEEP|YIELD)\(')
TASK = '''static void task_{number}(struct jif_task *task)
{{
	static struct jif_await place;
	static int err;
{numbers}
	JIF_TASK_BEGIN(task, &place);
	{calls};
	task_ended = true;
	JIF_TASK_END;
}}
'''


class Wrong(Exception):
    """A recipe that does not do what the page says."""


@functools.lru_cache(None)
def text_of(name):
    with open(name, encoding='utf-8') as file:
        return file.read()


README_TABLE = re.search(r'^\| what \|(?:.+\n)*', text_of('README.md'), re.M)[0]


def named(page, phrase):
    """The sources that a page names after a phrase, until its clause ends."""
    text = ' '.join(text_of(page).split())
    if phrase not in text:
        raise Wrong(f'{page} does not say "{phrase}"')
    clause = re.split(r'[.;:](?= )', text.partition(phrase)[2], 1)[0]
    return sources(re.findall(r'`([\w/*.]+\.c)`', clause))


def sources(names):
    found = []
    for name in names:
        path = name if '/' in name and os.path.exists(
            name.partition('/')[0]) else f'lib/{name}'
        if not glob.glob(path):
            raise Wrong(f'there is no {path}')
        found += sorted(glob.glob(path))
    return list(dict.fromkeys(found))


def run(command, **options):
    done = subprocess.run(command, text=True, capture_output=True, timeout=60,
                          check=False, **options)
    if done.returncode or done.stderr:
        raise Wrong(f'{" ".join(command)}: {done.returncode}\n{done.stderr}')
    return done.stdout


@functools.lru_cache(None)
def compiled(source, flags):
    """Its object, which is made once for all recipes."""
    target = f'{FOLDER}/{source.replace("/", "_")}{len(flags)}' + \
        re.sub(r'\W', '', ''.join(flags)) + '.o'
    run([*CC, *flags, '-c', '-o', target, source])
    return target


def built(text, files, *flags):
    """A program of that text and these sources."""
    with open(f'{FOLDER}/recipe.c', 'w', encoding='utf-8') as file:
        file.write(text)
    objects = [compiled(source, tuple(
        flag for flag in flags if flag.startswith('-D'))) for source in files]
    run([*CC, *flags, '-Itest/tools/docs/scheduler', f'{FOLDER}/recipe.c',
         *objects, '-pthread', '-o', f'{FOLDER}/recipe'])
    return f'{FOLDER}/recipe'


def usual(page='README.md', phrase=None):
    """All of lib, and what the page adds."""
    return list(dict.fromkeys(
        named('README.md', ' Compile') +
        (named(page, phrase) if phrase else [])))


def single(mode, calls=''):
    """The files that packaging.md names for these calls."""
    table = text_of('docs/packaging.md').partition('To list single files')[2]
    files = named('docs/packaging.md', 'To list single files of `lib`:')
    for first, names in re.findall(r'^\| `(\w+)[^|]*\| (.*\.c) \|$', table,
                                   re.M):
        if first in calls + {'debug': 'CONFIG_JIF_DEBUG',
                             'spread': 'CONFIG_JIF_SPREAD'}.get(mode, ''):
            files += sources(names.split(', '))
    return list(dict.fromkeys(files))


# --- calls -------------------------------------------------------------------

def declared(calls, words):
    """Objects that a row passes by address, and those it has pointers to."""
    found = [f'\tstatic {kind} {name}{"" if f"&{name}" in calls else "[1]"};\n'
             for name, kind in OBJECTS.items() if name in words]
    return ''.join(found + [f'\tstatic unsigned char {name}[{size}];\n'
                            for name, size in ARRAYS.items()
                            if words & {name, 'queue'}])


def begun(calls, words, wheel, place):
    """What makes the objects that these calls do not make themselves."""
    if 'jif_wheel_init' not in calls:
        yield f'begin({wheel})'
    for name in {'t', 'timer'} & words:
        if 'jif_timer_init' not in calls:
            yield f'begin_timer({wheel}, {place(name)}, ' \
                f'{int(not re.search("_add|_mod", calls))})'
    if 'p' in words and 'jif_periodic_init' not in calls:
        yield f'begin_periodic({wheel}, {place("p")}, ' \
            f'{int("_start" not in calls)})'
    if 'calendar' in words:
        yield f'jif_calendar_init(&calendar, {wheel}, 1, 0)'
    if 'queue' in words and 'jif_queue_init' not in calls:
        yield 'jif_queue_init(&queue, storage, sizeof(message), 2)'


def function(number, spans):
    """A function that makes these calls, each of which has to succeed. What
    they need is made before, what is armed has to expire."""
    calls = '; '.join(spans)
    words = set(re.findall(r'\w+', calls))

    def place(name):
        return f'&{name}' if f'&{name}' in calls else name

    wheel = next((place(name) for name in ('w', 'wheel') if name in words),
                 'spare()')
    expected = words & {'t', 'timer', 'p'} and not re.search('_del|_stop',
                                                             calls)
    ends = f'end({wheel}, {int("_clock)" in calls)}, {int(bool(expected))})'
    steps = [*begun(calls, words, wheel, place),
             *(f'MAKE({span})' for span in spans), ends]
    # Its stop comes last, when the job has run.
    if 'jif_service' in calls:
        steps = [step for step in steps if '_service_stop' not in step]
        steps[0], steps[-1] = '(void)0', 'end_service(&s)'
    objects = declared(calls, words)
    numbers = ''.join(f'\tuint32_t {name} = {value};\n'
                      for name, value in NUMBERS.items() if name in words)
    text = f'static void recipe_{number}(void)\n{{\n'
    if WAIT.match(calls):
        text = objects + TASK.format(number=number, calls=calls,
                                     numbers=numbers) + text
        steps[-2:] = [f'end_task(task_{number})']
    else:
        text += objects + numbers
    return text + ''.join(f'\t{step};\n' for step in steps) + '}\n'


def program(headers, rows):
    text = ''.join(f'#include <jif/{header}>\n' for header in headers)
    text += f'#include "{os.path.abspath(PRELUDE)}"\n'
    for number, spans in enumerate(rows):
        text += ''.join(f'{span}\n' for span in spans if span.endswith('}'))
        text += function(number, [
            re.sub(r'(jif_(\w+)_init\(.*)\bfn\b', r'\1on_\2', span)
            for span in spans if not span.endswith('}')])
    # So late that a delay is no time.
    return text + 'int main(void)\n{\n' + '\tjif_tick();\n' * 50 + ''.join(
        f'\trecipe_{number}();\n' for number in range(len(rows))) + \
        '\treturn 0;\n}\n'


def spans_of(line):
    """The calls of a row, or of a line of text."""
    return [span for span in re.findall(r'`([^`]+)`', line)
            if CALL.search(span) or
            span.endswith('}') and 'jif' in span]


def try_row(row):
    """A row of README's table, with the files that it needs."""
    spans = spans_of(row)
    for mode, flags in (*MODES.items(),
                        ('spread', ('-DCONFIG_JIF_SPREAD=8',))):
        if spans:
            run([built(program(['jif.h'], [spans]), single(mode, row), *CALLS,
                       *flags)])


def try_calls(page):
    """Those of the other rows and of the text of a page."""
    text = BLOCK.sub('', text_of(page)).replace(README_TABLE, '')
    shown = ''.join(text_of(name) for name in
                    glob.glob('docs/examples/**/*.c', recursive=True))
    rows = []
    for line in re.findall(r'^\|.*|(?:^[^|\n].*\n)+', text, re.M):
        spans = [span for span in spans_of(' '.join(line.split()))
                 if span not in shown]
        rows += [spans] if line.startswith('|') else [[s] for s in spans]
    rows = [spans for spans in rows if spans]
    for flags in MODES.values() if rows else ():
        run([built(program(['jif.h'], rows), usual(), *CALLS, *flags)])
    return len(rows)


# --- blocks ------------------------------------------------------------------

def squeezed(text):
    text = re.sub(r'/\*.*?\*/', '', text, flags=re.S)
    return '\n' + '\n'.join(' '.join(line.split()) for line in
                            text.splitlines() if line.strip()) + '\n'


def try_program(page, block, after, words, phrase):
    """A whole program, beside which there may be a board; it prints the next
    block."""
    files = usual(page, phrase)
    for mode, flags in MODES.items():
        got = run([built(block, (single(mode) if words == ['single'] else
                                 files + words), *flags)])
        if got != after:
            raise Wrong(f'{mode}: it prints\n{got}')


def try_compile(_page, block, _after, words, _phrase):
    """A program for a board: compiled with these files, and not run."""
    for flags in MODES.values():
        for source in words:
            compiled(source, flags)
        run([*CC, *flags, '-c', '-x', 'c', '-o', f'{FOLDER}/recipe.o', '-'],
            input=block)


def try_part(_page, block, _after, words, phrase):
    """Lines of a file that a test compiles and runs; with sources beside it, as
    here."""
    name, *others = words
    if squeezed(block) not in squeezed(text_of(name)):
        raise Wrong(f'{name} has other lines')
    if not any(name.rpartition('/')[2] in text_of(script) or
               os.path.dirname(name) in text_of(script)
               for script in glob.glob('test/**/*.sh', recursive=True)):
        raise Wrong(f'no test has {name}')
    for flags in MODES.values() if phrase == 'compile' else ():
        compiled(name, flags)
    for flags in MODES.values() if phrase == 'run' else ():
        run([built(f'#include "{os.path.abspath(name)}"\n',
                   usual() + others, *flags,
                   '-Itest/tools/docs/examples/stand-in')])


def try_cc(_page, block, _after, words, _phrase):
    """A command that compiles client.c, which is that file."""
    for flags in MODES.values():
        command = block.replace('...', f'{" ".join(flags)} -o {FOLDER}/cc')
        run(['sh', '-c', command.replace('client.c', words[0])])
        run([f'{FOLDER}/cc'])


def try_by(page, _block, _after, words, _phrase):
    """What that script runs or compares, or that no test runs."""
    if words and page.rpartition('/')[2] not in text_of(words[0]):
        raise Wrong(f'{words[0]} does not read {page}')


TRY = {'program': try_program, 'compile': try_compile, 'part': try_part,
       'cc': try_cc, 'by': try_by, 'output': try_by, 'text': try_by}


def blocks():
    """What there is to try of the blocks: a name, a function, arguments."""
    known = {}
    for line in text_of('test/tools/docs/blocks').splitlines():
        if line and not line.startswith('#'):
            page, first, what = line.split('\t')
            known.setdefault((page, first), []).append(what)
    for page in PAGES:
        found = [match[2] for match in BLOCK.finditer(text_of(page))]
        for block, after in zip(found, found[1:] + ['']):
            first = block.strip().split('\n', 1)[0]
            rows = known.get((page, first)) or ['nothing']
            what = rows.pop(0).partition(': ')
            kind, *words = what[0].split()
            yield (f'{page}: {first}', TRY.get(kind, unknown), page, block,
                   after, words if kind not in ('output', 'text') else [],
                   what[2])
    for (page, first), rows in known.items():
        yield from ((f'{page}: {first}', unknown, page) for _ in rows)


def try_kernel(kernel, *options):
    """Its example with the sources and the port that the page's column names,
    on a stand-in."""
    table = [row.strip('| ').split(' | ') for row in re.findall(
        r'^\| .*', text_of('docs/kernels.md'), re.M)]
    column = table[0].index(kernel)
    names = re.findall(r'`(lib/(?!firm)[\w/*]+\.c)`',
                       ' '.join((table[1][0], table[1][column + 1])))
    port = re.search(r"'(.*)'", table[2][column + 1])[1]
    folder = f'test/face/kernels/{kernel.lower()}'
    beside = 'test/tools/docs/examples/stand-in'
    for flags in MODES.values():
        run([*CC[:2], CC[-1], *flags, *options, f'-DJIF_PORT={port}',
             f'-I{folder}/stand-in', f'-I{folder}', f'-I{beside}',
             f'docs/examples/{kernel.lower()}.c', f'{folder}/button.c',
             f'{folder}/stand-in/{kernel.lower()}.c', f'{beside}/threads.c',
             *(f'{folder}/host.c',) * bool(options), *sources(names), '-o',
             f'{FOLDER}/recipe'])
        if 'the sensor is silent' not in run([f'{FOLDER}/recipe']):
            raise Wrong(f'{kernel}: the timer does not run')


def parts():
    """The sources of each row of CONTRIBUTING's table of who calls whom, from
    the top."""
    for row in re.findall(r'^\| ([^-|][^|]*) \| `([^|]*)', text_of(
            'docs/CONTRIBUTING.md').partition('| part |')[2].partition(
                '\n\n')[0], re.M):
        folder, found = '', []
        for name in re.findall(r'[\w/]+\.c|[\w/]+/(?=`)', row[1]):
            folder = os.path.dirname(name) or folder
            path = f'{folder}/{os.path.basename(name)}'
            found += sources([path if path.endswith('.c') else f'{path}*.c'])
        yield row[0], found


def try_arrows():
    """No source calls one of a lower row, but for the last one."""
    table = list(parts())
    defined, wanted = {}, []
    for number, (_, names) in enumerate(table[:-1]):
        for name in names:
            flags = ('-DJIF_PORT="none/jif_port.h"',) * ('kernel' in name)
            for line in run(['nm', compiled(name, flags)]).splitlines():
                kind, symbol = line.split()[-2:]
                if kind in 'TDBR':
                    defined[symbol] = number
                elif kind == 'U':
                    wanted.append((number, name, symbol))
    wrong = [f'{name} calls {symbol}()' for number, name, symbol in wanted
             if defined.get(symbol, -1) > number]
    if wrong or len(wanted) < 100:
        raise Wrong('\n'.join(wrong))


def unknown(page, *_):
    raise Wrong(f'test/tools/docs/blocks and {page} do not have the same '
                'blocks: say there what each is')


def recipes():
    yield from blocks()
    for row in re.findall(r'^\| (?!what).*', README_TABLE, re.M):
        yield f'README.md: {row.split(" | ")[0][2:]}', try_row, row
    for page in PAGES:
        yield f'{page}: the other calls', try_calls, page
    yield 'docs/CONTRIBUTING.md: who calls whom', try_arrows
    yield 'docs/kernels.md: FreeRTOS', try_kernel, 'FreeRTOS'
    yield ('docs/kernels.md: ThreadX', try_kernel, 'ThreadX',
           '-DFIRST_TICK=0', '-DMAY_BE_LATE=1', '-DFARTHEST=300')


def main():
    count = bad = 0
    for count, (name, attempt, *words) in enumerate(recipes(), 1):
        try:
            attempt(*words)
            print(f'ok {count} - {name}')
        except (Wrong, subprocess.TimeoutExpired) as wrong:
            bad += 1
            print(f'not ok {count} - {name}')
            print(re.sub(r'^', '#     ', str(wrong), flags=re.M))
    print(f'1..{count}')
    return bad or count < 50


if __name__ == '__main__':
    sys.exit(main())
