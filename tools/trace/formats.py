# SPDX-License-Identifier: MIT
"""A recording as CSV, as VCD and as JSON of Chrome's trace viewer."""
import csv
import fractions
import itertools
import json

from recording import CHANGES, LEVELS, WAITS, note

NEAR = 10 ** 6   # units a tick, if no unit makes all ticks alike
BYTES = 10 ** 8     # of sigrok, which keeps all wires for each unit
HALF = fractions.Fraction(1, 2)


def level_name(level):
    return '' if level is None else LEVELS[level]


def write_csv(recordings, choice, out, *_):
    put = csv.writer(out, lineterminator='\n').writerow
    put('time,event,timer,expires,level,slot,from,late'.split(','))
    for event in choice.events(recordings[0]):
        put((event.time, event.event, event.timer, event.expires,
             level_name(event.level), event.slot,
             level_name(event.came_from), event.late))


class Counters:
    """How many timers are pending, and how many were moved on this tick."""

    def __init__(self):
        self.moved, self.waits, self.tick = 0, {}, None

    def count(self, event):
        """The counters that have changed, by name."""
        changed = {}
        if event.time != self.tick and self.moved:
            changed['moved'] = self.moved = 0
        self.tick = event.time
        if event.event == 'cascade':
            self.moved += 1
            changed['moved'] = self.moved
        before = len(self.waits)
        note(self.waits, event)
        if len(self.waits) != before:
            changed['pending'] = len(self.waits)
        return changed


class Dump:
    """VCD: the values that change on each tick, by the names of wires.

    waits: by timer, the wire of its wait; that of its expiries begins with x.
    """

    def __init__(self, timers, out, values):
        self.out, self.shown = out, {}
        self.waits = {timer: f'w{i}' for i, timer in enumerate(timers)}
        self.changed = dict.fromkeys([*values, *self.waits.values()], 0)

    def head(self, unit, modules):
        """By module, its variables, as they are declared."""
        self.out.write(f'$timescale {unit} $end\n' + ''.join(
            f'$scope module {module} $end\n' + ''.join(
                f'$var {variable} $end\n' for variable in variables) +
            '$upscope $end\n' for module, variables in modules.items()) +
            '$enddefinitions $end\n')

    def add(self, event, waits):
        """@waits: what it is to wait."""
        if event.event in ('sleep', 'wake'):
            self.changed['asleep'] = int(event.event == 'sleep')
        elif event.event in CHANGES:
            self.changed[self.waits[event.timer]] = \
                waits if event.event in WAITS else 0

    def show(self, time, form):
        changed = {name: value for name, value in self.changed.items()
                   if self.shown.get(name) != value}
        self.out.write(f'#{round(time)}\n' + ''.join(
            form(name, value) + '\n' for name, value in changed.items()))
        self.shown.update(changed)
        self.changed = {}


def bit(name, value):
    return f'{value}{name}'


def number(name, value):
    return bit(name, value) if name[0] in 'ax' else f'b{value:b} {name}'


def survey(choice, recording):
    """The timers that it shows, in order, and its last tick."""
    timers, last = set(), choice.begin
    for event in choice.until_end(recording):
        timers.add(event.timer)
        last = max(last, event.time)
    return sorted(timers - {''}), last


def unit_of(tick, last, least, most):
    """A unit of VCD, and how many of these a tick has.

    The coarsest one of which a tick is a whole number, so that all ticks look
    alike, or else one that is near: times are rounded, so they do not drift. A
    tick has at least so many, and all until the last one at most so many.
    """
    scales = [tick / 1000 * 10 ** i for i in range(16)]
    fit = [i for i, scale in enumerate(scales) if scale >= least]
    fit = [i for i in fit if scales[i] * (last + 1) <= most] or fit[:1] or [15]
    best = next((i for i in fit if scales[i].denominator == 1), None)
    if best is None:
        best = next((i for i in fit if scales[i] >= NEAR), fit[-1])
    name = 's ms us ns ps fs'.split()[(best + 2) // 3]
    return f'{10 ** (-best % 3)} {name}', scales[best]


def ticks_of(recording, choice):
    return itertools.groupby(choice.until_end(recording),
                             lambda event: event.time)


def write_vcd(recordings, choice, out, *_):
    """Of each timer, where it waits, 0 for not at all, and its expiry; and
    counters."""
    recording = recordings[0]
    timers, last = survey(choice, recording)
    unit, scale = unit_of(recording.exact_tick, last, 1, 2 ** 63)
    dump = Dump(timers, out, ['pending', 'moved', 'asleep'])
    counters = Counters()
    dump.head(unit, {
        'wheel': ['integer 32 pending pending', 'integer 32 moved moved',
                  'wire 1 asleep asleep'],
        'timers': [variable for timer, wait in dump.waits.items()
                   for variable in (f'reg 3 {wait} {timer}',
                                    f'event 1 x{wait} {timer}.expires')]})
    for time, events in ticks_of(recording, choice):
        for event in events:
            dump.add(event, (event.level or 0) + 1)
            dump.changed.update(counters.count(event))
            if event.event == 'entry' and time >= choice.begin:
                expiry = 'x' + dump.waits[event.timer]
                dump.shown.pop(expiry, None)
                dump.changed[expiry] = 1
        if time >= choice.begin:
            dump.show(time * scale, number)
    if dump.changed:
        dump.show(choice.begin * scale, number)


def write_wires(recordings, choice, out, *_):
    """Of each timer, whether it waits, and half a tick for its expiries."""
    recording = recordings[0]
    timers, last = survey(choice, recording)
    unit, scale = unit_of(recording.exact_tick, last, 2,
                          BYTES / (len(timers) // 4 + 1))
    dump = Dump(timers, out, ['asleep'])
    dump.changed.update({'x' + wait: 0 for wait in dump.waits.values()})
    wires = [f'wire 1 {wire} {name}' for timer, wait in dump.waits.items()
             for wire, name in ((wait, timer),
                                ('x' + wait, timer + '.expires'))]
    dump.head(unit, {'jif': [*wires, 'wire 1 asleep asleep']})
    for time, events in ticks_of(recording, choice):
        expired = {}
        for event in events:
            dump.add(event, 1)
            if event.event == 'entry' and time >= choice.begin:
                expired['x' + dump.waits[event.timer]] = 1
        dump.changed.update(expired)
        if time >= choice.begin:
            dump.show(time * scale, bit)
        if expired:
            dump.changed = dict.fromkeys(expired, 0)
            dump.show((time + HALF) * scale, bit)
    dump.show((last + 1) * scale, bit)


def write_json(recordings, choice, out, *_):
    """A track a timer, with a slice for each wait; counters; the sleep."""
    recording = recordings[0]
    scale = 1000 * recording.tick
    tracks = {'': 0}

    def put(before=',\n', **fields):
        out.write(before + json.dumps(dict(fields, pid=1),
                                      separators=(',', ':')))

    def track(timer):
        if timer not in tracks:
            tracks[timer] = len(tracks)
            put(ph='M', name='thread_name', tid=tracks[timer],
                args={'name': timer})
        return tracks[timer]

    put('{"displayTimeUnit":"ms","traceEvents":[\n', ph='M',
        name='thread_name', tid=0, args={'name': 'main loop'})
    for stage in choice.stages(recording):
        if stage.end >= choice.begin:
            put(ph='X', name=LEVELS[stage.level], tid=track(stage.timer),
                ts=stage.begin * scale, dur=(stage.end - stage.begin) * scale,
                args={'slot': stage.slot, 'expires': stage.expires,
                      'by': stage.begun_by, 'until': stage.ended_by})
    counters, asleep = Counters(), None
    for event in choice.until_end(recording):
        for name, value in counters.count(event).items():
            if event.time >= choice.begin:
                put(ph='C', name=name, ts=event.time * scale,
                    args={name: value})
        if event.event == 'sleep':
            asleep = max(event.time, choice.begin)
        if event.time < choice.begin:
            continue
        if event.event == 'entry':
            put(ph='i', s='t', name='expires', tid=track(event.timer),
                ts=event.time * scale, args={'late': event.late})
        elif event.event == 'wake' and asleep is not None:
            put(ph='X', name='sleep', tid=0, ts=asleep * scale,
                dur=(event.time - asleep) * scale)
    out.write('\n]}\n')
