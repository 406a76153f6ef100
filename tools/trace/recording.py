# SPDX-License-Identifier: MIT
"""Reads recordings of include/jif/trace.h, and follows what timers do."""
import collections
import fnmatch
import fractions
import math
import os
import re
import stat
import subprocess
import sys

EVENTS = ('time', 'start', 'postpone', 'cascade', 'cancel', 'entry', 'exit',
          'init', 'sleep', 'wake')
WAITS = ('start', 'postpone', 'cascade')    # after those, a timer waits,
ENDS = ('entry', 'cancel')                  # and after these, it does not
CHANGES = WAITS + ENDS
NOWHERE = (None,) * 3                       # no expiry, level and slot
LEVELS = ('seconds', 'minutes', 'hours', 'days')
SLOTS = (60, 60, 24, 7)
TICKS = (1, 60, 3600, 86400)
SIZE_LIMIT, LINE_LIMIT = 1 << 30, 1 << 16
WRAP = 1 << 32
FURTHEST = (1 << 31) - 1

HEAD = 'jif-trace 1 hz= bits= turns= start= clock= hands=d:h:m:s time= lost= ' \
    'records='
HEAD_PATTERN = re.compile(
    r'jif-trace 1 hz=(#) bits=(32|64) turns=([12]) start=(#) clock=(#) '
    r'hands=(#):(#):(#):(#) time=(#) lost=(#) records=(#)$'
    .replace('#', '[0-9]{1,10}'))

TICK_PATTERN = re.compile(r'jif-tick (?=.*[1-9])[0-9]{1,15}(\.[0-9]{1,9})?$')

Head = collections.namedtuple(
    'Head', 'hz bits turns start clock hands time lost records')

# What has happened: time in ticks since the recording began, event, name of
# the timer, and what is known of it then.
Event = collections.namedtuple(
    'Event', 'time event timer expires level slot came_from late',
    defaults=(None,) * 5)


def note(waits, event):
    """Who waits, and since which event, after another event."""
    if event.event in WAITS:
        waits[event.timer] = event
    elif event.event in ENDS:
        waits.pop(event.timer, None)


def stop(path, line, why):
    sys.exit(f'{path}:{line}: error: {why}')


def read_head(path, number, line):
    found = HEAD_PATTERN.match(line)
    if not found:
        stop(path, number, f'expected "{HEAD}", found "{line[:60]}"')
    hz, bits, turns, start, clock, *hands, time, lost, records = map(
        int, found.groups())
    for hand, slots in zip(hands, reversed(SLOTS)):
        if hand >= slots:
            stop(path, number, f'expected a hand below {slots}, found {hand}')
    if not hz:
        stop(path, number, 'expected hz above 0, found 0')
    return Head(hz, bits, turns, start, clock, hands, time, lost, records)


def open_regular(path):
    """What has an end, and not too late: it is read twice."""
    file = open(path, encoding='utf-8', errors='replace',
                opener=lambda name, flags: os.open(name,
                                                   flags | os.O_NONBLOCK))
    found = os.fstat(file.fileno())
    if not stat.S_ISREG(found.st_mode):
        sys.exit(f'trace: error: {path}: is not a regular file')
    if found.st_size > SIZE_LIMIT:
        sys.exit(f'trace: error: {path}: is larger than 1 GiB')
    return file


def lines_of(file):
    """Each line, or of a long one the beginning, and its number."""
    number, begins = 0, True
    while line := file.readline(LINE_LIMIT):
        number += begins
        if begins:
            yield number, line
        begins = line.endswith('\n')


def records_of(path, skip=False):
    """Each head, name and record of a file, or no records; what is between
    them is not for us."""
    left, pattern, number = 0, None, 0
    with open_regular(path) as file:
        for number, line in lines_of(file):
            if left and skip:
                left -= 1
            elif left:
                if not (found := pattern.match(line)):
                    stop(path, number, f'expected {head.bits // 4 + 8} '
                         'hexadecimal digits, a record: '
                         f'{head.records - left + 1} of {head.records}; '
                         f'found "{line.rstrip()[:60]}"')
                left -= 1
                yield number, int(found[1], 16), int(found[2], 16)
            elif line.startswith('jif-trace'):
                head = read_head(path, number, line.rstrip())
                left = head.records
                pattern = re.compile(
                    f'([0-9a-f]{{{head.bits // 4}}})([0-9a-f]{{8}})\n?$')
                yield number, head, None
            elif line.startswith('jif-name '):
                words = line.split()
                if len(words) != 3 or not re.match('[0-9a-f]+$', words[1]) \
                        or not words[2].isprintable():
                    stop(path, number, 'expected "jif-name", a number in '
                         'hexadecimal and a name without spaces')
                yield number, words[2], int(words[1], 16)
            elif line.startswith('jif-tick '):
                if not TICK_PATTERN.match(line):
                    stop(path, number, 'expected "jif-tick" and milliseconds')
                yield number, None, fractions.Fraction(line.split()[1])
    if left:
        stop(path, number + 1, f'expected a record: {head.records - left + 1} '
             f'of {head.records}; found the end of the file')
    if pattern is None:
        stop(path, 1, f'expected "{HEAD}" somewhere, found no such line')


class Symbols:
    """What the symbols of a program call timers that have no name."""

    def __init__(self, elf):
        done = subprocess.run(['nm', '-S', elf], check=False, text=True,
                              stdout=subprocess.PIPE)
        if done.returncode:
            sys.exit(f'trace: error: {elf}: nm finds no symbols in it')
        rows = (line.split() for line in done.stdout.splitlines())
        self.rows = sorted((int(row[0], 16), int(row[1], 16), row[3])
                           for row in rows
                           if len(row) == 4 and row[2] in 'bBdDsS')

    def find(self, number, bits):
        """The number is of an address without bits at both ends."""
        unit, span = bits // 8, 1 << (bits - 13)
        for place, size, name in self.rows:
            offset = (number - place // unit) % span * unit
            if offset < size:
                return f'{name}+{offset}' if offset else name
        return None


class Recording:
    """A file; events() reads it from its beginning, each time.

    names: by number; lost: how many records; tick: in milliseconds, and exact.
    """

    def __init__(self, path, elf=None):
        self.path = path
        self.names = {}
        self.lost = 0
        self.head = tick = None
        self.symbols = Symbols(elf) if elf else None
        for _, what, value in records_of(path, skip=True):
            if isinstance(what, Head):
                self.head = self.head or what
                self.lost += what.lost
            elif isinstance(what, str):
                self.names[value] = what
            elif what is None:
                tick = value
        self.exact_tick = tick or fractions.Fraction(1000, self.head.hz)
        self.tick = float(self.exact_tick)

    def name(self, number):
        if number not in self.names:
            self.names[number] = self.symbols and self.symbols.find(
                number, self.head.bits) or f'{number:x}'
        return self.names[number]

    def hand_time(self, time):
        """Ticks since all hands were at 0, of a time of the recording."""
        head = self.head
        days, hours, minutes, seconds = head.hands
        shown = ((days * 24 + hours) * 60 + minutes) * 60 + seconds
        return shown - (head.clock - head.start) % WRAP + time

    def events(self, wanted):
        """Of the timers whose names are wanted."""
        return Follower(self, wanted).follow()


class Follower:
    """Follows each timer, from event to event.

    waits: by timer, when it expires, its level and its slot; timers: by number,
    the names of those that are wanted.
    """

    def __init__(self, recording, wanted):
        self.recording, self.wanted = recording, wanted
        self.waits, self.timers = {}, {}
        self.head = recording.head
        self.time, self.clock = 0, self.head.start
        self.begins = None

    def set_clock(self, clock):
        """Time goes on, by less than a turn of the counter."""
        self.time += (clock - self.clock) % WRAP
        self.clock = clock

    def to_come(self, clock):
        """A time of the engine's, which may have gone by."""
        ticks = (clock - self.clock) % WRAP
        return self.time + (ticks if ticks <= FURTHEST else ticks - WRAP)

    def place(self, number, expires):
        """Level and slot, as a user sees them."""
        first = 1
        for level, slots in enumerate(SLOTS):
            if number < first + slots * self.head.turns:
                return level, (number - first) % slots
            first += slots * self.head.turns
        if expires is None:
            return 3, None
        day = self.recording.hand_time(expires) // TICKS[3]
        return 3, day % SLOTS[3]

    def expiry(self, level, slot, remaining):
        """When a timer expires that was not seen when it was armed.

        With spreading that is not known: the hands do not tell the turn.
        """
        if slot is None or self.head.turns > 1:
            return None
        now = self.recording.hand_time(self.time)
        turn = TICKS[level] * SLOTS[level]
        reached = now - now % turn + slot * TICKS[level]
        if reached + remaining < now:
            reached += turn
        return self.time + reached + remaining - now

    def armed(self, event, name, slot, value):
        before = self.waits.get(name, NOWHERE)
        if event == 'cascade':
            expires = before[0]
            level, place = self.place(slot, expires)
            if expires is None:
                expires = self.expiry(level, place, value)
        else:
            expires = self.to_come(value)
            level, place = self.place(slot, expires)
        self.waits[name] = expires, level, place
        return Event(self.time, event, name, expires, level, place, before[1])

    def event(self, what, value):
        bits = self.head.bits - 13
        number, slot = what & ((1 << bits) - 1), what >> (bits + 4)
        event = EVENTS[what >> bits & 15]
        if event == 'time':
            self.set_clock(value)
            return None
        if event == 'sleep':
            return Event(self.time, event, '', self.time + value)
        if event == 'wake':
            return Event(self.to_come(value), event, '')
        if number not in self.timers:
            name = self.recording.name(number)
            self.timers[number] = name if self.wanted(name) else None
        name = self.timers[number]
        if name is None:
            return None
        if event in WAITS:
            return self.armed(event, name, slot, value)
        if event == 'cancel' and name not in self.waits:
            return None
        expires, level, place = self.waits.pop(name, NOWHERE) if \
            event in ENDS else NOWHERE
        return Event(self.time, event, name, expires, level, place, None,
                     value if event == 'entry' else None)

    def follow(self):
        """In order of time: the wheel's clock is behind a sleep's end."""
        path, slept = self.recording.path, []
        for line, what, value in records_of(path):
            if isinstance(what, Head):
                if what.lost or what.start != self.head.start:
                    self.waits.clear()
                self.head = what
                self.begins = what.time
            if not isinstance(what, int):
                continue
            kind = what >> (self.head.bits - 13) & 15
            if kind >= len(EVENTS):
                stop(path, line, f'expected an event below {len(EVENTS)}, '
                     f'found {kind}')
            if self.begins is not None and kind:
                self.set_clock(self.begins)
            self.begins = None
            event = self.event(what, value)
            if event and event.event in ('sleep', 'wake'):
                time = max([event.time, *(each.time for each in slept)])
                slept.append(event._replace(time=time))
            elif event:
                while slept and slept[0].time <= event.time:
                    yield slept.pop(0)
                yield event
        yield from slept


class Choice:
    """Which timers, by patterns of names, and what time: end is included."""

    def __init__(self, patterns, begin, end):
        self.patterns, self.begin, self.end = patterns, begin, end

    def has(self, name):
        return not self.patterns or any(fnmatch.fnmatchcase(name, pattern)
                                        for pattern in self.patterns)

    def until_end(self, recording):
        """Also what is before that time: it tells who waits then."""
        for event in recording.events(self.has):
            if event.time > self.end:
                return
            yield event

    def events(self, recording):
        return (event for event in self.until_end(recording)
                if event.time >= self.begin)

    def stages(self, recording):
        """Each wait of a timer on a level, within that time."""
        waits, time = {}, self.begin
        for event in self.until_end(recording):
            time = max(time, event.time)
            if event.timer in waits and event.event in CHANGES:
                yield self.stage(waits[event.timer], event)
            note(waits, event)
        end = time if self.end == math.inf else self.end
        for event in waits.values():
            yield self.stage(event, event._replace(time=end, event='',
                                                   late=None))

    def stage(self, begin, end):
        return Stage(begin.timer, begin.level, begin.slot,
                     max(begin.time, self.begin), end.time, begin.event,
                     end.event, end.late, begin.expires)


# A timer waits on a level, from an event to another one, '' for none.
Stage = collections.namedtuple(
    'Stage', 'timer level slot begin end begun_by ended_by late expires')
