# SPDX-License-Identifier: MIT
"""The pictures of the results, by gnuplot."""
import subprocess

from rows import FOLDER, ROWS

PANELS = (('arm', 'arm'), ('cancel', 'cancel'), ('rearm', 're-arm'),
          ('run', 'run a week, per timer'), ('churn', 'churn, per expiry'))
COLOURS = {
    'jif': '#d62728', 'jif-postponed': '#ff9896', 'jif-spread': '#ff7f0e',
    'heap': '#7f7f7f', 'list': '#c7c7c7', 'libev': '#1f77b4',
    'libuv': '#2ca02c', 'libevent': '#9467bd', 'libevent-common': '#c5b0d5',
    'glib': '#8c564b', 'dpdk': '#17becf',
}
HEAD = '''set terminal svg size {} font "sans,12" background "white"
set output "{}"
set datafile separator whitespace
set logscale xy
set format x "10^{{%T}}"
set xrange [{}:{}]
set grid
set xlabel "timers"
'''


def head(results, size, path):
    numbers = results.numbers(what='arm', unit='ns')
    return HEAD.format(size, path, numbers[0] / 1.5, numbers[-1] * 1.5)


def data(results, what, pick):
    """A block of points per row; for which rows there is one."""
    blocks, shown = [], []
    for name in ROWS:
        points = sorted((r.timers, pick(r)) for r in results.find(
            row=name, what=what, unit='ns')) if name in COLOURS else []
        if points:
            shown.append(name)
            blocks.append('\n'.join(f'{n} {value}' for n, value in points))
    return blocks, shown


def curves(results, what, pick):
    """The part of a script that draws them."""
    blocks, shown = data(results, what, pick)
    path = f'{FOLDER}/{what}.dat'
    with open(path, 'w', encoding='utf-8') as file:
        file.write('\n\n\n'.join(blocks) + '\n')
    return 'plot ' + ', '.join(
        f'"{path}" index {i} with linespoints pt 7 ps 0.5 '
        f'lw {2.5 if name.startswith("jif") else 1.2} lc rgb '
        f'"{COLOURS[name]}" title "{name}"'
        for i, name in enumerate(shown)) + '\n'


def key(shown):
    """A panel that has nothing but the key."""
    return ('set key center center noautotitle\nunset border\nunset tics\n'
            'unset xlabel\nunset ylabel\nunset title\nunset logscale\n'
            'set xrange [0:1]\nset yrange [0:1]\nplot ' + ', '.join(
                f'NaN with linespoints pt 7 ps 0.5 lw 2 lc rgb '
                f'"{COLOURS[name]}" title "{name}"' for name in shown) + '\n')


def ns_script(results, path):
    script = head(results, '1100,700', path) + (
        'set multiplot layout 2,3\nset ylabel "ns"\nunset key\n')
    seen = set()
    for what, title in PANELS:
        seen |= set(data(results, what, lambda r: r.median)[1])
        script += f'set title "{title}"\n' + curves(
            results, what, lambda r: r.median)
    return script + key([name for name in ROWS if name in seen])


def worst_script(results, path):
    return head(results, '800,500', path) + (
        'set ylabel "worst tick, us"\nset key outside right\n') + curves(
            results, 'worst', lambda r: r.min / 1000)


def draw(results, folder):
    for name, script in (('ns', ns_script), ('worst', worst_script)):
        path = f'{folder}/performance-{name}.svg'
        subprocess.run(['gnuplot'], input=script(results, path), text=True,
                       check=True)
