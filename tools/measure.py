# SPDX-License-Identifier: MIT
"""What tools/size, tools/cycles, tools/worst and tools/worst-tick share.

Commands and compilers, the configurations and machines to measure on, budgets,
and the tables that are made of them.
"""
import os
import subprocess

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def output(command, **env):
    """What a command prints that is not of this make; it has to succeed."""
    kept = {k: v for k, v in os.environ.items()
            if k not in ('MAKEFLAGS', 'MFLAGS', 'MAKELEVEL')}
    return subprocess.run(command, check=True, text=True, env={**kept, **env},
                          stdout=subprocess.PIPE).stdout


def prefix_of(arch):
    """What the names of the cross compiler's programs begin with."""
    return {'rv32': 'riscv64-unknown-elf-', 'avr': 'avr-'}.get(
        arch, 'arm-none-eabi-')


def compiler_of(arch):
    compiler = prefix_of(arch) + 'gcc'
    return compiler + ' ' + output(
        [compiler, '-dumpfullversion', '-dumpversion']).strip()


def configure(arch, folder, spread):
    """The target's own configuration, but for CONFIG_JIF_SPREAD."""
    with open(f'tools/kbuild/configs/{arch}_defconfig',
              encoding='utf-8') as file:
        config = file.read().replace('CONFIG_JIF_SPREAD=0\n',
                                     f'CONFIG_JIF_SPREAD={spread}\n')
    path = f'{folder}/.config'
    os.makedirs(folder, exist_ok=True)
    if os.path.exists(path):
        with open(path, encoding='utf-8') as file:
            if file.read() == config:
                return
    with open(path, 'w', encoding='utf-8') as file:
        file.write(config)


def build_emulator():
    """The one for AVR is ours."""
    output(['make', '-s', 'build/host/test/target/avr/atmega328p'])


def emulate(arch, image, shift):
    """What an image counts: each line is a name and two numbers."""
    for line in output(['test/target/run.sh', arch, image],
                       TARGET_SHIFT=shift).splitlines():
        what, number, value = line.split()
        yield what, int(number), int(value)


def rows(path):
    """The lines of a budget, each a list of its fields."""
    with open(os.path.join(TOP, path), encoding='utf-8') as file:
        return [line.rstrip('\n').split('\t') for line in file
                if not line.startswith('#')]


def allowed(limit, same):
    """With another compiler than the budget's, a tenth more is let pass."""
    return limit if same else limit * 11 // 10


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
