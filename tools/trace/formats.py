# SPDX-License-Identifier: MIT
"""A recording as CSV, as VCD and as JSON of Chrome's trace viewer."""
import csv
import fractions
import itertools
import json

from recording import CHANGES, ENDS, LEVELS, WAITS, note

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


class Vcd:
    """Of each timer, where it waits, 0 for not at all, and its expiry; and
    counters."""

    def __init__(self, timers, out):
        self.out, self.time = out, None
        self.waits = {timer: f'w{i}' for i, timer in enumerate(timers)}
        self.values = dict.fromkeys(
            ['pending', 'moved', 'asleep', *self.waits.values()], 0)

    def head(self, unit):
        put = self.out.write
        put(f'$timescale {unit} $end\n$scope module wheel $end\n'
            '$var integer 32 pending pending $end\n'
            '$var integer 32 moved moved $end\n'
            '$var wire 1 asleep asleep $end\n$upscope $end\n'
            '$scope module timers $end\n')
        for timer, wait in self.waits.items():
            put(f'$var reg 3 {wait} {timer} $end\n'
                f'$var event 1 x{wait} {timer}.expires $end\n')
        put('$upscope $end\n$enddefinitions $end\n')

    def put(self, values):
        for name, value in values.items():
            self.out.write(f'{value}asleep\n' if name == 'asleep' else
                           f'b{value:b} {name}\n')

    def at(self, time):
        if time == self.time:
            return
        self.out.write(f'#{time}\n')
        if self.time is None:
            self.out.write('$dumpvars\n')
            self.put(self.values)
            self.out.write('$end\n')
        self.time = time

    def add(self, event, changed):
        if event.event in ('sleep', 'wake'):
            changed['asleep'] = int(event.event == 'sleep')
        elif event.event in WAITS:
            changed[self.waits[event.timer]] = event.level + 1
        elif event.event in ENDS:
            changed[self.waits[event.timer]] = 0
        if self.time is not None:
            self.put({name: value for name, value in changed.items()
                      if self.values[name] != value})
            if event.event == 'entry':
                self.out.write(f'1x{self.waits[event.timer]}\n')
        self.values.update(changed)


def survey(choice, recording):
    """The timers that it shows, in order, and its last tick."""
    timers, last = set(), 0
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


def write_vcd(recordings, choice, out, *_):
    recording = recordings[0]
    timers, last = survey(choice, recording)
    unit, scale = unit_of(recording.exact_tick, last, 1, 2 ** 63)
    vcd = Vcd(timers, out)
    vcd.head(unit)
    counters = Counters()
    for event in choice.until_end(recording):
        if event.time >= choice.begin:
            vcd.at(round(event.time * scale))
        vcd.add(event, counters.count(event))


class Wires:
    """Of each timer, whether it waits, and half a tick for its expiries."""

    def __init__(self, timers, out, scale):
        self.out, self.scale = out, scale
        self.names = {timer: f'w{i}' for i, timer in enumerate(timers)}
        self.shown, self.expired = {}, set()
        self.changed = dict.fromkeys(
            ['asleep', *self.names.values(),
             *('x' + name for name in self.names.values())], 0)

    def head(self, unit):
        self.out.write(f'$timescale {unit} $end\n$scope module jif $end\n')
        for timer, name in self.names.items():
            self.out.write(f'$var wire 1 {name} {timer} $end\n'
                           f'$var wire 1 x{name} {timer}.expires $end\n')
        self.out.write('$var wire 1 asleep asleep $end\n'
                       '$upscope $end\n$enddefinitions $end\n')

    def show(self, time):
        changed = {name: value for name, value in self.changed.items()
                   if self.shown.get(name) != value}
        self.out.write(f'#{round(time * self.scale)}\n' + ''.join(
            f'{value}{name}\n' for name, value in changed.items()))
        self.shown.update(changed)
        self.changed = {}

    def add(self, event, shown):
        name = self.names.get(event.timer)
        if event.event in ('sleep', 'wake'):
            self.changed['asleep'] = int(event.event == 'sleep')
        elif event.event in CHANGES:
            self.changed[name] = int(event.event in WAITS)
        if event.event == 'entry' and shown:
            self.changed['x' + name] = 1
            self.expired.add('x' + name)

    def end_pulses(self, time):
        if self.expired:
            self.changed = dict.fromkeys(self.expired, 0)
            self.expired.clear()
            self.show(time)


def write_wires(recordings, choice, out, *_):
    recording = recordings[0]
    timers, last = survey(choice, recording)
    unit, scale = unit_of(recording.exact_tick, last, 2,
                          BYTES / (len(timers) // 4 + 1))
    wires = Wires(timers, out, scale)
    wires.head(unit)
    for time, events in itertools.groupby(choice.until_end(recording),
                                          lambda event: event.time):
        for event in events:
            wires.add(event, time >= choice.begin)
        if time >= choice.begin:
            wires.show(time)
            wires.end_pulses(time + HALF)
    wires.show(last + 1)


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
        if event.time < choice.begin:
            continue
        if event.event == 'entry':
            put(ph='i', s='t', name='expires', tid=track(event.timer),
                ts=event.time * scale, args={'late': event.late})
        elif event.event == 'sleep':
            asleep = event.time
        elif event.event == 'wake' and asleep is not None:
            put(ph='X', name='sleep', tid=0, ts=asleep * scale,
                dur=(event.time - asleep) * scale)
    out.write('\n]}\n')
