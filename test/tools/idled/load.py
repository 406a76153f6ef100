#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""usage: test/tools/idled/load.py IDLED [CONNECTIONS]

idled at length, `make idled-load`: 20,000 connections, or as many as this
machine lets a process open, that beat each 5 s and are closed after 30 s; some
fall silent, and the server is stopped for 3 s. Then no descriptor is left for
10 who connect, and then 5,000 connect a second; then one floods it, and then
512 do.
docs/linux.md has the figures; fails if idled closes a wrong connection. The
clients give way to the server, for they need more of the processor than it.
"""
import multiprocessing
import os
import resource
import selectors
import socket
import statistics
import sys
import time

from client import Connection, Crowd, Server

IDLE, BEAT = 30, 5
STORM, STORM_SECONDS = 5000, 10
CLIENTS = 4
SOURCES = [f'127.0.0.{i}' for i in range(2, 18)]


def cpu_seconds(pid):
    fields = open(f'/proc/{pid}/stat').read().rsplit(')', 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')


def resident(pid):
    rows = (row.split() for row in open(f'/proc/{pid}/smaps_rollup'))
    return next(int(row[1]) for row in rows if row[0] == 'Rss:') * 1024


def wakeups(pid):
    rows = (row.split() for row in open(f'/proc/{pid}/status'))
    return next(int(row[1]) for row in rows if row[0][:9] == 'voluntary')


def files(pid):
    return len(os.listdir(f'/proc/{pid}/fd'))


def beat_all(crowd, until, rate=None):
    """Each beats once in BEAT seconds, one after the other; new ones come."""
    begin, position, added = time.monotonic(), 0, 0
    while (now := time.monotonic()) < until:
        if rate and added < rate[1]:
            for _ in range(int((now - begin) * rate[0]) - added):
                if added < rate[1]:
                    crowd.add()
                    added += 1
        beating = crowd.all[crowd.silent:]
        upto = int((now - begin) * len(beating) / BEAT)
        for i in range(position, min(upto, position + len(beating))):
            connection = beating[i % len(beating)]
            if not connection.closed:
                connection.beat()
        position = max(position, upto)
        crowd.look(0.002)


def member(port, count, commands):
    """A process with part of the connections."""
    os.nice(10)
    crowd = Crowd(port, 0, SOURCES)
    crowd.silent = 0
    beat_all(crowd, time.monotonic() + 10, (STORM / 2, count))
    commands.send(len(crowd.open()))
    commands.recv()
    crowd.silent = count // 10
    beat_all(crowd, time.monotonic() + 2 * IDLE + 5)
    crowd.look()
    silent = crowd.all[:crowd.silent]
    commands.send((len(silent), sum(c.closed for c in crowd.all[crowd.silent:]),
                   len(crowd.early(IDLE)),
                   [c.longest - IDLE for c in silent if c.closed]))


def steady(server, connections):
    pid = server.process.pid
    before, own = resident(pid), files(pid)
    pipes = []
    for _ in range(2):
        here, there = multiprocessing.Pipe()
        multiprocessing.Process(target=member, daemon=True, args=(
            server.port, connections // 2, there)).start()
        pipes.append(here)
    assert sum(pipe.recv() for pipe in pipes) == connections
    while files(pid) < own + connections:
        time.sleep(0.1)
    per_connection = (resident(pid) - before) / connections
    begin, used, woken = time.monotonic(), cpu_seconds(pid), wakeups(pid)
    for pipe in pipes:
        pipe.send('go on')
    time.sleep(IDLE / 2)
    seconds, used = time.monotonic() - begin, cpu_seconds(pid) - used
    woken = wakeups(pid) - woken
    server.pause()
    time.sleep(3)
    server.resume()
    silent, wrong, early, late = zip(*(pipe.recv() for pipe in pipes))
    late = sorted(sum(late, []))
    print(f'connections: {connections}, each beats every {BEAT} s; '
          f'idle after {IDLE} s')
    print(f'memory per connection, in the process: {per_connection:.0f} bytes')
    print(f'CPU: {1000 * used / seconds:.0f} ms a second, '
          f'{woken / seconds:.0f} wake-ups')
    print(f'fell silent: {sum(silent)}; closed of these: {len(late)}, of the '
          f'others: {sum(wrong)}; too early: {sum(early)}')
    print(f'late, as the clients see it: median '
          f'{1000 * statistics.median(late):.0f} ms, most '
          f'{1000 * late[-1]:.0f} ms')
    return len(late) == sum(silent) and not sum(wrong) and not sum(early)


def starved(server):
    """Those who connect are there when there are descriptors again."""
    pid = server.process.pid
    limit = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (files(pid), limit[1]))
    waiting = [Connection(server.port) for _ in range(10)]
    time.sleep(1)
    begin, used, woken = time.monotonic(), cpu_seconds(pid), wakeups(pid)
    time.sleep(2)
    seconds, used = time.monotonic() - begin, cpu_seconds(pid) - used
    woken = wakeups(pid) - woken
    resource.prlimit(pid, resource.RLIMIT_NOFILE, limit)
    time.sleep(1)
    lost = sum(c.look() for c in waiting)
    print(f'without a descriptor for 10 who connect: CPU '
          f'{1000 * used / seconds:.0f} ms a second, {woken / seconds:.0f} '
          f'wake-ups; lost of these: {lost}')
    return not lost


def overflows():
    """How often a queue of connections that wait to be accepted was full."""
    names, values = (line.split() for line in open('/proc/net/netstat')
                     if line.startswith('TcpExt'))
    return int(values[names.index('ListenOverflows')])


def storm_member(port, commands):
    """Connections that come, beat once and go, when the server does, too."""
    os.nice(10)
    selector = selectors.DefaultSelector()
    total = STORM * STORM_SECONDS // CLIENTS
    begin, come, gone, wrong = time.monotonic(), 0, 0, 0
    while gone < total:
        due = int((time.monotonic() - begin) * STORM / CLIENTS)
        for _ in range(min(due - come, total - come, STORM // 100)):
            connection = Connection(port, SOURCES[come % len(SOURCES)])
            selector.register(connection.socket, selectors.EVENT_WRITE,
                              connection)
            come += 1
            took = time.monotonic() - begin
        for key, _ in selector.select(0.005 if come < total else 1):
            if key.events == selectors.EVENT_WRITE and key.data.beat():
                try:
                    key.fileobj.shutdown(socket.SHUT_WR)
                except OSError:
                    pass  # the server has reset it
                selector.modify(key.fileobj, selectors.EVENT_READ, key.data)
            elif key.data.look():
                wrong += key.data.reset or key.events != selectors.EVENT_READ
                gone += 1
                selector.unregister(key.fileobj)
                key.fileobj.close()
    commands.send((total, took, wrong))
    commands.recv()


def storm(server):
    pid = server.process.pid
    full = overflows()
    used, pipes = cpu_seconds(pid), []
    for _ in range(CLIENTS):
        here, there = multiprocessing.Pipe()
        multiprocessing.Process(target=storm_member, daemon=True,
                                args=(server.port, there)).start()
        pipes.append(here)
    results = [pipe.recv() for pipe in pipes]
    used = cpu_seconds(pid) - used
    n, lost = sum(r[0] for r in results), sum(r[2] for r in results)
    seconds = max(r[1] for r in results)
    print(f'storm: {n / seconds:.0f} connects a second for {seconds:.0f} s; '
          f'closed by mistake: {lost} of {n}; its queue was full '
          f'{overflows() - full} times; CPU: {1e6 * used / n:.0f} us each')
    return not lost


def flood(server, count):
    """How long a turn takes it, when much of each waits for it."""
    def used_ns():
        path = f'/proc/{server.process.pid}/schedstat'
        return int(open(path, encoding='ascii').read().split()[0])

    crowd = Crowd(server.port, count)
    before = server.wait_for(lambda now: now['accepted'] == count)
    server.pause()
    used = used_ns()
    sent = sum(c.socket.send(bytes(2 ** (21 if count == 1 else 17)))
               for c in crowd.all)
    server.resume()
    now = server.wait_for(lambda now: now['received_bytes'] == sent)
    turns = now['wakeups'] - before['wakeups']
    print(f'flood of {count}: CPU of a turn: '
          f'{(used_ns() - used) / turns / 1e3:.0f} us')


def main():
    wanted = int(sys.argv[2]) if len(sys.argv) > 2 else 20000
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    connections = min(wanted, most - 64) // 2 * 2
    flags = f'--idle={IDLE}s', f'--connections={connections}'
    with Server(sys.argv[1], *flags) as server:
        right = steady(server, connections)
    with Server(sys.argv[1], *flags) as server:
        right = starved(server) and storm(server) and right
        counters = server.counters()
        right = counters['accepted'] == 10 + STORM * STORM_SECONDS and right
    for count in 1, 512:
        with Server(sys.argv[1], *flags) as server:
            flood(server, count)
    return not right


sys.exit(main())
