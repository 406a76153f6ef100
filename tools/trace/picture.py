# SPDX-License-Identifier: MIT
"""Recordings as SVG, for light and dark pages."""
import collections
import math
from xml.sax.saxutils import escape

from recording import LEVELS, SLOTS, TICKS, Choice, note

WIDTH = 900
LEFT = 150
ROW = 24
ROWS = 40
BAR = 14

STYLE = '''<style>
text{font:12px Helvetica,Arial,sans-serif;fill:#24292f}
.title{font-size:15px;font-weight:bold}
.page{fill:#fff}
.slot{fill:#f3f4f6;stroke:#c4c9d0;stroke-width:.6}
.grid{stroke:#d8dce1;stroke-width:1}
.hand{fill:none;stroke:#24292f;stroke-width:2}
.ink{fill:#24292f}
.line{stroke:#24292f;stroke-width:1.4;fill:none}
.small{font-size:10px}
.on{fill:#111;font-size:10px;font-weight:bold}
.l0,.l1,.l2,.l3{stroke:none}
.l0{fill:#5aa9e6}.l1{fill:#3cc492}.l2{fill:#f0b429}.l3{fill:#e08cc0}
.late{fill:#d1242f}
@media (prefers-color-scheme:dark){
text{fill:#d7dde4}
.page{fill:#0d1117}
.slot{fill:#1b222b;stroke:#3d4651}
.grid{stroke:#2b333d}
.hand{stroke:#e6edf3}
.ink{fill:#d7dde4}
.line{stroke:#d7dde4}
.late{fill:#ff6a69}
.on{fill:#111}
}
</style>
'''


class Page:
    """Shapes, in the order in which they are drawn."""

    def __init__(self):
        self.shapes = []

    def add(self, shape):
        self.shapes.append(shape)

    def text(self, x, y, text, anchor='start', kind=''):
        kind = f' class="{kind}"' if kind else ''
        anchor = '' if anchor == 'start' else f' text-anchor="{anchor}"'
        self.add(f'<text x="{x:.1f}" y="{y:.1f}"{anchor}{kind}>'
                 f'{escape(text)}</text>')

    def rect(self, x, y, width, height, kind):
        self.add(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
                 f'height="{height:.1f}" class="{kind}"/>')

    def path(self, d, kind):
        self.add(f'<path d="{d}" class="{kind}"/>')

    def write(self, out, width, height, title):
        out.write('<svg xmlns="http://www.w3.org/2000/svg" '
                  f'viewBox="0 0 {width:.0f} {height:.0f}" '
                  f'width="{width:.0f}" height="{height:.0f}" role="img">\n'
                  f'<title>{escape(title or "jif")}</title>\n{STYLE}'
                  f'<rect width="{width:.0f}" height="{height:.0f}" '
                  'class="page"/>\n')
        out.writelines(shape + '\n' for shape in self.shapes)
        out.write('</svg>\n')


UNITS = (('d', 86400000), ('h', 3600000), ('min', 60000), ('s', 1000),
         ('ms', 1))


def span(ticks, tick, units=None):
    """A time for people; with units, at most so many of the largest."""
    left = ticks * tick
    if left != int(left):
        return f'{left:g} ms'
    parts = []
    for unit, size in UNITS:
        if left >= size:
            parts.append(f'{int(left // size)} {unit}')
            left %= size
    return ' '.join(parts[:units]) or '0'


STEPS = (('ms', (1, 2, 5, 10, 20, 50, 100, 200, 500)),
         ('s', (1, 2, 5, 10, 15, 30)), ('min', (1, 2, 5, 10, 15, 30)),
         ('h', (1, 2, 3, 6, 12)), ('d', (1, 2, 7, 14, 28)))


def steps(begin, end, tick):
    """Where an axis has labels: about eight, at round times."""
    sizes = [n * dict(UNITS)[unit] / tick for unit, ns in STEPS for n in ns]
    size = next((n for n in sizes if n >= 1 and (end - begin) / n <= 8),
                max(sizes[-1], (end - begin) / 8))
    return [round(n * size) for n in
            range(math.ceil(begin / size), int(end / size) + 1)]


class Axis:
    """Times from left to right."""

    def __init__(self, choice, last, tick):
        end = last if choice.end == math.inf else choice.end
        self.begin, self.tick = choice.begin, tick
        self.end = max(end, self.begin + 1)

    def x(self, time):
        time = min(max(time, self.begin), self.end)
        return LEFT + (WIDTH - LEFT - 30) * (time - self.begin) / (
            self.end - self.begin)

    def draw(self, page, top, bottom):
        for time in steps(self.begin, self.end, self.tick):
            x = self.x(time)
            page.path(f'M{x:.1f} {top:.1f}V{bottom:.1f}', 'grid')
            page.text(x, bottom + 15, span(time, self.tick, 2), 'middle',
                      'small')


class Timeline:
    """A row for each timer, with a bar for each wait, as wide as it lasted."""

    def __init__(self, recording, choice, title):
        self.page, self.recording, self.title = Page(), recording, title
        stages = [stage for stage in choice.stages(recording)
                  if stage.end >= choice.begin]
        self.rows = {}
        for stage in sorted(stages, key=lambda stage: stage.begin):
            self.rows.setdefault(stage.timer, []).append(stage)
        last = max((stage.end + (stage.late or 0) for stage in stages),
                   default=choice.begin)
        self.axis = Axis(choice, last, recording.tick)
        self.top = 40 if title else 14

    def bar(self, runs, stage, y):
        """Those that are narrower than a dot make one with their neighbours."""
        begin, end = self.axis.x(stage.begin), self.axis.x(stage.end)
        last = runs.get(stage.level)
        if last and end - begin < 1 and begin - last[1] < 1.5:
            last[1] = max(end, last[1])
            return
        self.end_bar(runs, stage.level, y)
        runs[stage.level] = [begin, end]

    def end_bar(self, runs, level, y):
        if level in runs:
            begin, end = runs.pop(level)
            self.page.rect(begin, y, max(end - begin, .8), BAR, f'l{level}')

    def mark(self, drawn, stage, y):
        """Marks leave room between each other, more where bars are narrow."""
        begin, end = self.axis.x(stage.begin), self.axis.x(stage.end)
        room = 3 if end - begin > 3 else 40

        def is_new(event, x):
            key = event, round(x / room), room
            return key not in drawn and not drawn.add(key)

        if stage.begun_by != 'cascade' and is_new('armed', begin):
            self.page.add(f'<circle cx="{begin:.1f}" cy="{y + BAR / 2}" r="3" '
                          'class="ink"/>')
        if stage.late:
            x = self.axis.x(stage.end + stage.late)
            self.page.rect(end, y + 4, max(x - end, 1), BAR - 8, 'late')
            if is_new('late', end):
                self.page.text(x + 3, y + 11, f'{stage.late} late',
                               kind='small')
        if stage.ended_by == 'entry' and is_new('entry', end):
            self.page.path(f'M{end:.1f} {y - 2}l5 5h-10zv{BAR + 4}', 'line')
        if stage.ended_by == 'cancel' and is_new('cancel', end):
            self.page.path(f'M{end - 4:.1f} {y + 3}l8 8m0 -8l-8 8', 'line')

    def row(self, stages, y):
        runs, drawn = {}, set()
        for stage in stages:
            self.bar(runs, stage, y)
        for level in list(runs):
            self.end_bar(runs, level, y)
        for stage in stages:
            self.mark(drawn, stage, y)

    def legend(self, y):
        x = LEFT
        for level, name in enumerate(LEVELS):
            self.page.rect(x, y - 10, 12, 12, f'l{level}')
            self.page.text(x + 17, y, f'waits with the {name}', kind='small')
            x += 140
        self.page.add(f'<circle cx="{x + 4}" cy="{y - 4}" r="3" class="ink"/>')
        self.page.text(x + 12, y, 'armed', kind='small')
        self.page.path(f'M{x + 60} {y - 10}l5 5h-10zv12', 'line')
        self.page.text(x + 70, y, 'expires', kind='small')
        self.page.path(f'M{x + 122} {y - 8}l8 8m0 -8l-8 8', 'line')
        self.page.text(x + 136, y, 'cancelled', kind='small')

    def write(self, out):
        if self.title:
            self.page.text(14, 24, self.title, kind='title')
        shown = list(self.rows)[:ROWS]
        bottom = self.top + len(shown) * ROW + 6
        self.axis.draw(self.page, self.top, bottom)
        for row, timer in enumerate(shown):
            y = self.top + row * ROW + 6
            self.page.text(LEFT - 10, y + 11, timer, 'end')
            self.row(self.rows[timer], y)
        if len(self.rows) > ROWS:
            self.page.text(14, bottom + 15, f'{len(self.rows) - ROWS} more '
                           'timers', kind='small')
        self.legend(bottom + 40)
        self.page.write(out, WIDTH, bottom + 54, self.title)


def write_timeline(recordings, choice, out, title, _):
    Timeline(recordings[0], choice, title).write(out)


# Of each ring, the radius in which its slots begin, from the seconds up.
INNER = (115, 88, 61, 34)
THICK = 24
FRAME = 300
MIDDLE = FRAME / 2
NAMED = 4


def point(radius, level, slot):
    """Clockwise from the top, where slot 0 is."""
    angle = 2 * math.pi * slot / SLOTS[level]
    return MIDDLE + radius * math.sin(angle), MIDDLE - radius * math.cos(angle)


def slot_shape(level, slot):
    inner, outer = INNER[level], INNER[level] + THICK
    corners = ('{:.1f} {:.1f}'.format(*point(radius, level, slot + side))
               for radius, side in ((outer, -.5), (outer, .5), (inner, .5),
                                    (inner, -.5)))
    return 'M{}A{o} {o} 0 0 1 {}L{}A{i} {i} 0 0 0 {}z'.format(
        *corners, o=outer, i=inner)


def label(page, level, slot, text, kind):
    x, y = point(INNER[level] + THICK / 2, level, slot)
    page.text(x, y + 4, str(text), 'middle', kind)


def draw_empty(page):
    """The rings without anything on them, once for all pictures of a page."""
    page.add('<defs><g id="rings">')
    for level, slots in enumerate(SLOTS):
        for slot in range(slots):
            page.path(slot_shape(level, slot), 'slot')
            if slots < 60 or slot % 5 == 0:
                label(page, level, slot, slot, 'small')
    page.add('</g></defs>')


class Rings:
    """The four rings at a time, with their hands and what waits on them."""

    def __init__(self, recording, choice, at):
        self.recording, self.at = recording, at
        self.waits = {}
        for event in Choice(choice.patterns, 0, at).until_end(recording):
            note(self.waits, event)
        self.counts = collections.Counter(
            (event.level, event.slot) for event in self.waits.values())
        self.crowded = max(self.counts.values(), default=0) > 1
        shown = recording.hand_time(at)
        self.hands = [shown // ticks % slots
                      for ticks, slots in zip(TICKS, SLOTS)]

    def draw_level(self, page, level):
        for slot in range(SLOTS[level]):
            count = self.counts[level, slot]
            if count:
                page.path(slot_shape(level, slot), f'l{level}')
                label(page, level, slot, count if self.crowded else slot,
                      'on')
        page.path(slot_shape(level, self.hands[level]), 'hand')

    def draw(self, page):
        seconds, minutes, hours, days = self.hands
        clock = f'day {days}, {hours:02}:{minutes:02}:{seconds:02}'
        page.add('<use href="#rings"/>')
        for level in range(len(LEVELS)):
            self.draw_level(page, level)
        page.text(MIDDLE, MIDDLE - 2, f'{hours:02}:{minutes:02}:{seconds:02}',
                  'middle')
        page.text(MIDDLE, MIDDLE + 14, f'day {days}', 'middle', 'small')
        page.text(MIDDLE, FRAME + 10, clock, 'middle', 'title')
        named = sorted(self.waits.values(), key=lambda event: event.timer)
        for row, event in enumerate(named[:NAMED]):
            left = '' if event.expires is None else \
                f', due in {span(event.expires - self.at, self.recording.tick)}'
            page.text(MIDDLE, FRAME + 30 + 16 * row, f'{event.timer}: '
                      f'{LEVELS[event.level][:-1]} {event.slot}{left}',
                      'middle')
        if len(named) > NAMED:
            page.text(MIDDLE, FRAME + 30 + 16 * NAMED,
                      f'and {len(named) - NAMED} more', 'middle')
        return FRAME + 30 + 16 * min(len(named), NAMED + 1)


def write_rings(recordings, choice, out, title, times):
    page, x, height = Page(), 0, 0
    draw_empty(page)
    what = 'the slot'
    for recording in recordings:
        for at in times or [0]:
            page.add(f'<g transform="translate({x} 0)">')
            rings = Rings(recording, choice, at)
            what = 'how many wait' if rings.crowded else what
            height = max(height, rings.draw(page))
            page.add('</g>')
            x += FRAME
    for text in ('From the outside: seconds, minutes, hours, days.',
                 'Framed: where the hands point. On colour: ' + what + '.'):
        page.text(x / 2, height + 20, text, 'middle', 'small')
        height += 14
    height += 18
    page.write(out, x, height, title)


PANEL = 120


def write_moves(recordings, choice, out, title, _):
    """A panel for each recording, with how many were moved on each tick, to one
    scale."""
    page = Page()
    moves = [collections.Counter(
        event.time for event in choice.events(recording)
        if event.event == 'cascade') for recording in recordings]
    most = max((max(counts.values(), default=1) for counts in moves))
    last = max((max(counts, default=1) for counts in moves))
    axis = Axis(choice, last, recordings[0].tick)
    top = 40
    page.text(14, 24, title or 'Entries moved on each tick', kind='title')
    for recording, counts in zip(recordings, moves):
        bottom = top + PANEL
        axis.draw(page, top, bottom)
        name = recording.path.split('/')[-1].rsplit('.', 1)[0]
        page.text(14, top + 16, name)
        page.text(14, top + 34, f'at most {max(counts.values(), default=0)}',
                  kind='small')
        page.text(14, top + 50, f'{sum(counts.values())} in all', kind='small')
        columns = collections.Counter()
        for time, count in counts.items():
            x = round(axis.x(time))
            columns[x] = max(columns[x], count)
        for x, count in sorted(columns.items()):
            high = (PANEL - 10) * count / most
            page.rect(x, bottom - high, 2, high, 'l1')
        top = bottom + 34
    page.write(out, WIDTH, top, title)
