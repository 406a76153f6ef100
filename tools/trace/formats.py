# SPDX-License-Identifier: MIT
"""A recording as CSV, as VCD and as JSON of Chrome's trace viewer."""
import csv
import json

from recording import LEVELS


def level_name(level):
    return '' if level is None else LEVELS[level]


def write_csv(recording, choice, out):
    put = csv.writer(out, lineterminator='\n').writerow
    put('time,event,timer,expires,level,slot,from,late'.split(','))
    for event in choice.events(recording):
        put((event.time, event.event, event.timer, event.expires,
             level_name(event.level), event.slot,
             level_name(event.came_from), event.late))


class Counters:
    """How many timers are pending, and how many were moved on this tick."""

    def __init__(self):
        self.pending, self.moved, self.waiting = 0, 0, set()
        self.tick = None

    def count(self, event):
        """The counters that have changed, by name."""
        changed = {}
        if event.time != self.tick and self.moved:
            changed['moved'] = self.moved = 0
        self.tick = event.time
        if event.event == 'cascade':
            self.moved += 1
            changed['moved'] = self.moved
        before = len(self.waiting)
        if event.event in ('start', 'postpone', 'cascade'):
            self.waiting.add(event.timer)
        elif event.event in ('entry', 'cancel'):
            self.waiting.discard(event.timer)
        if len(self.waiting) != before:
            changed['pending'] = len(self.waiting)
        return changed


def code(number):
    """A name of a signal: digits of base 94."""
    text = ''
    while True:
        text += chr(33 + number % 94)
        number //= 94
        if not number:
            return text


class Vcd:
    """Two signals a timer: where it waits, 0 for not at all; its expiry."""

    def __init__(self, recording, choice, out):
        self.recording, self.choice, self.out = recording, choice, out
        timers = sorted({event.timer for event in
                         choice.until_end(recording) if event.timer})
        self.codes = {timer: (code(2 * i + 3), code(2 * i + 4))
                      for i, timer in enumerate(timers)}
        self.values = dict.fromkeys((code(0), code(1), code(2)), 0)
        self.values.update((wait, 0) for wait, _ in self.codes.values())
        self.unit = ('1 ms', recording.tick) if recording.tick >= 1 else \
            ('1 us', recording.tick * 1000)
        self.time = None

    def head(self):
        put = self.out.write
        put(f'$timescale {self.unit[0]} $end\n$scope module wheel $end\n'
            f'$var integer 32 {code(0)} pending $end\n'
            f'$var integer 32 {code(1)} moved $end\n'
            f'$var wire 1 {code(2)} asleep $end\n$upscope $end\n'
            '$scope module timers $end\n')
        for timer, (wait, expiry) in self.codes.items():
            put(f'$var reg 3 {wait} {timer} $end\n'
                f'$var event 1 {expiry} {timer}.expires $end\n')
        put('$upscope $end\n$enddefinitions $end\n')

    def set(self, name, value, width):
        if self.values[name] != value:
            self.values[name] = value
            if self.time is not None:
                self.out.write(f'{value}{name}\n' if width == 1 else
                               f'b{value:b} {name}\n')

    def at(self, time):
        if time != self.time:
            if self.time is None:
                self.out.write(f'#{round(time * self.unit[1])}\n$dumpvars\n')
                for name, value in self.values.items():
                    self.out.write(f'{value}{name}\n' if name == code(2) else
                                   f'b{value:b} {name}\n')
                self.out.write('$end\n')
            else:
                self.out.write(f'#{round(time * self.unit[1])}\n')
            self.time = time

    def write(self):
        self.head()
        counters = Counters()
        for event in self.choice.until_end(self.recording):
            if event.time >= self.choice.begin:
                self.at(event.time)
            for name, value in counters.count(event).items():
                self.set(code(name == 'moved'), value, 32)
            if event.event in ('sleep', 'wake'):
                self.set(code(2), int(event.event == 'sleep'), 1)
            if not event.timer:
                continue
            wait, expiry = self.codes[event.timer]
            if event.event in ('start', 'postpone', 'cascade'):
                self.set(wait, event.level + 1, 3)
            elif event.event in ('entry', 'cancel'):
                self.set(wait, 0, 3)
                if event.event == 'entry' and self.time is not None:
                    self.out.write(f'1{expiry}\n')


def write_vcd(recording, choice, out):
    Vcd(recording, choice, out).write()


def write_json(recording, choice, out):
    """A track a timer, with a slice for each wait; counters; the sleep."""
    scale = 1000 * recording.tick
    tracks = {'': 0}
    lines = []

    def put(**fields):
        lines.append(json.dumps(dict(fields, pid=1), separators=(',', ':')))
        if len(lines) > 1000:
            flush()

    def flush(end=',\n'):
        out.write(',\n'.join(lines) + (end if lines else ''))
        lines.clear()

    def track(timer):
        if timer not in tracks:
            tracks[timer] = len(tracks)
            put(ph='M', name='thread_name', tid=tracks[timer],
                args={'name': timer})
        return tracks[timer]

    out.write('{"displayTimeUnit":"ms","traceEvents":[\n')
    put(ph='M', name='thread_name', tid=0, args={'name': 'main loop'})
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
    flush('\n')
    out.write(']}\n')
