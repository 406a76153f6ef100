# SPDX-License-Identifier: MIT
"""A recording as CSV, as VCD and as JSON of Chrome's trace viewer."""
import csv
import json

from recording import ENDS, LEVELS, WAITS, note


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


def write_vcd(recordings, choice, out, *_):
    recording = recordings[0]
    unit, scale = ('1 ms', recording.tick) if recording.tick >= 1 else \
        ('1 us', recording.tick * 1000)
    vcd = Vcd(sorted({event.timer for event in choice.until_end(recording)
                      if event.timer}), out)
    vcd.head(unit)
    counters = Counters()
    for event in choice.until_end(recording):
        if event.time >= choice.begin:
            vcd.at(round(event.time * scale))
        vcd.add(event, counters.count(event))


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
