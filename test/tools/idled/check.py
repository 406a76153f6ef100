#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""usage: test/tools/idled/check.py PROGRAM [WORD]

Tests of idled, as TAP; with a WORD, those whose names have it. With $PATIENCE,
in seconds, the first that fails is the last.
"""
import errno
import os
import re
import resource
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import traceback

from prometheus_client.parser import text_string_to_metric_families

from client import Connection, Crowd, PATIENCE, Server

PROGRAM = sys.argv[1]
TCP_REPAIR = 19
tests = []


def test(function):
    tests.append(function)
    return function


def error_of(name):
    """What it is counted as."""
    return f'errors_total{{error="{name}"}}'


class TooSlow(Exception):
    pass


def patiently(check):
    """With longer times, if this machine cannot keep connections alive."""
    for idle_ms in 300, 1200, 4800, 19200:
        try:
            with Server(PROGRAM, f'--idle={idle_ms}ms') as server:
                check(server, idle_ms / 1000)
            return
        except TooSlow as reason:
            print(f'# with {idle_ms} ms: {reason}')
    raise AssertionError('the machine is too slow for any of these times')


def expect_silent_closed(crowd, beating, silent, idle):
    early = crowd.early(idle)
    assert not early, f'{len(early)} were closed too early'
    if any(c.closed for c in beating):
        raise TooSlow('some have not beaten in time')
    assert all(c.closed for c in silent)


def run_until_closed(crowd, beating, silent, idle):
    """And a while longer, in which the others could be closed by mistake."""
    crowd.run(beating, idle / 8, lambda: all(c.closed for c in silent))
    end = time.monotonic() + idle * 2
    crowd.run(beating, idle / 8, lambda: time.monotonic() > end)
    expect_silent_closed(crowd, beating, silent, idle)


@test
def exactly_the_silent_ones_are_closed():
    def check(server, idle):
        crowd = Crowd(server.port, 200)
        beating, silent = crowd.all[::2], crowd.all[1::2]
        run_until_closed(crowd, beating, silent, idle)
        counters = server.counters()
        assert counters['closed_idle'] == 100, counters
        assert counters['connections'] == 100, counters
        assert counters['closed_early'] == 0, counters
        assert counters['received_bytes'] >= 100, counters
    patiently(check)


@test
def urgent_bytes_are_signs_of_life():
    def check(server, idle):
        crowd = Crowd(server.port, 20)
        for connection in crowd.all:
            connection.flags = socket.MSG_OOB
        run_until_closed(crowd, crowd.all[::2], crowd.all[1::2], idle)
    patiently(check)


@test
def what_has_come_while_it_was_stopped_counts():
    def check(server, idle):
        crowd = Crowd(server.port, 200)
        server.wait_for(lambda now: now['accepted'] == 200)
        beating, silent = crowd.all[::2], crowd.all[1::2]
        for connection in crowd.all:
            connection.beat()
        now = server.wait_for(lambda now: now['closed_idle'] or
                              now['received_bytes'] == 200)
        if now['closed_idle']:
            raise TooSlow('some have not beaten in time')
        server.wait_for_state('S')  # or it would look before the wheel turns
        server.pause()
        time.sleep(idle * 3)
        for connection in beating:
            connection.beat()
            connection.longest = 0  # the server has not seen the gap
        server.resume()
        run_until_closed(crowd, beating, silent, idle)
    patiently(check)


@test
def a_wall_clock_that_is_set_changes_nothing():
    library = next(os.path.join(folder, 'faketime', 'libfaketime.so.1')
                   for folder in sys_libraries()
                   if os.path.isdir(os.path.join(folder, 'faketime')))
    with tempfile.NamedTemporaryFile('w', suffix='.time') as clock:
        env = {'LD_PRELOAD': library, 'FAKETIME_NO_CACHE': '1',
               'FAKETIME_DONT_FAKE_MONOTONIC': '1',
               'FAKETIME_TIMESTAMP_FILE': clock.name}

        def set_clock(offset):
            clock.seek(0)
            clock.write(offset + '\n')
            clock.truncate()
            clock.flush()

        set_clock('+0')
        with Server(PROGRAM, '--idle=2s', env=env) as server:
            crowd = Crowd(server.port, 20)
            server.wait_for(lambda now: now['accepted'] == 20)
            set_clock('-1h')
            for connection in crowd.all:
                connection.beat()
            server.wait_for(lambda now: now['received_bytes'] == 20)
            set_clock('+1h')
            server.counters()  # wakes it up
            crowd.run([], 0.1, lambda: not crowd.open())
            assert not crowd.early(2), 'some were closed too early'


def sys_libraries():
    for folder, names, _ in os.walk('/usr/lib'):
        if 'faketime' in names:
            yield folder


@test
def more_connections_than_allowed_are_refused():
    with Server(PROGRAM, '--connections=10', '--per-address=6') as server:
        one = [Connection(server.port, '127.0.0.2') for _ in range(8)]
        server.wait_for(lambda now: now['refused_address'] == 2)
        others = [Connection(server.port, f'127.0.0.{3 + i}')
                  for i in range(6)]
        server.wait_for(lambda now: now['refused_full'] == 2)
        counters = server.wait_for(lambda now: now['connections'] == 10)
        assert counters['accepted'] == 10, counters
        assert counters['addresses'] == 5, counters
        refused = [c for c in one + others if c.look()]
        assert len(refused) == 4, 'the refused ones know it'
        next(c for c in one if not c.closed).socket.close()
        server.wait_for(lambda now: now['connections'] == 9)
        another = Connection(server.port, '127.0.0.2')
        server.wait_for(lambda now: now['connections'] == 10)
        assert not another.look()


@test
def without_descriptors_those_who_connect_wait_and_nothing_spins():
    with Server(PROGRAM, '--idle=1h') as server:
        first = [Connection(server.port) for _ in range(5)]
        server.wait_for(lambda now: now['accepted'] == 5)
        used = len(os.listdir(f'/proc/{server.process.pid}/fd'))
        begin = time.monotonic()
        resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE,
                         (used, used))
        later = [Connection(server.port) for _ in range(4)]
        complaint = server.process.stderr.readline()
        assert 'accept()' in complaint and '(EMFILE)' in complaint, complaint
        time.sleep(1)
        for connection in first:
            connection.socket.close()
        counters = server.wait_for(lambda now: now['accepted'] == 9)
        assert not any(c.look() for c in later), 'they were lost'
        assert counters[error_of('EMFILE')] == counters['pauses'] > 0, counters
        pauses = 10 * (time.monotonic() - begin) + len(first) + 1
        assert counters['pauses'] <= pauses, (pauses, counters)
        assert counters['wakeups'] <= 6 * pauses + 60, (pauses, counters)
        for connection in later:
            connection.socket.close()
        _, _, complaint = server.stop()
        assert not complaint, complaint


@test
def peers_that_end_or_reset_or_vanish():
    with Server(PROGRAM, '--idle=500ms') as server:
        end, half, reset, vanish = (Connection(server.port) for _ in range(4))
        server.wait_for(lambda now: now['accepted'] == 4)
        end.socket.close()
        half.socket.shutdown(socket.SHUT_WR)
        reset.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                                struct.pack('ii', 1, 0))
        reset.socket.close()
        begin = vanish.last
        try:  # its end sends nothing any more; else, it is just silent
            vanish.socket.setsockopt(socket.IPPROTO_TCP, TCP_REPAIR, 1)
            vanish.socket.close()
        except PermissionError:
            print('# no CAP_NET_ADMIN: what vanishes is merely silent')
        counters = server.wait_for(lambda now: now['connections'] == 0)
        assert time.monotonic() - begin >= 0.5
        assert counters['closed_by_peer'] == 2, counters
        assert counters['closed_by_error'] == 1, counters
        assert counters[error_of('ECONNRESET')] == 1, counters
        assert counters['closed_idle'] == 1, counters


def notified(path, *flags, program=PROGRAM, **env):
    """A server that has told what it tells systemd to a socket."""
    systemd = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    systemd.settimeout(PATIENCE)
    systemd.bind(path)
    name = '@' + path[1:] if path[0] == '\0' else path
    server = Server(program, *flags, env={'NOTIFY_SOCKET': name, **env})
    assert systemd.recv(100) == b'READY=1'
    return server, systemd


@test
def a_stop_refuses_new_ones_and_lets_the_others_end():
    server, systemd = notified(f'\0idled-{os.getpid()}', '--grace=1h')
    with server:
        crowd = Crowd(server.port, 3)
        server.wait_for(lambda now: now['accepted'] == 3)
        server.process.terminate()
        assert systemd.recv(100) == b'STOPPING=1'
        late = Connection(server.port)
        crowd.all[0].beat()
        server.wait_for(lambda now: now['received_bytes'] == 1)
        assert late.ends(), 'a new one is refused'
        crowd.look()
        assert len(crowd.open()) == 3
        for connection in crowd.all:
            connection.socket.close()
        assert server.process.wait(PATIENCE) == 0
        said = server.process.stdout.read()
        assert said == ('accepted 3, closed: idle 0, by peer 3, by error 0, '
                        'by stop 0\n'), said


@test
def systemd_is_told_that_the_loop_turns():
    name = f'\0idled-{os.getpid()}'
    server, systemd = notified(name, '--grace=1h', WATCHDOG_USEC='400000')
    with server, systemd:
        begin = time.monotonic()
        assert [systemd.recv(100) for _ in range(4)] == 4 * [b'WATCHDOG=1']
        assert time.monotonic() - begin > 0.5, 'a period is half of that time'
        connection = Connection(server.port)
        server.wait_for(lambda now: now['accepted'] == 1)
        server.pause()
        systemd.setblocking(False)
        try:
            while systemd.recv(100):
                pass
        except BlockingIOError:
            pass
        time.sleep(1)
        server.resume()
        systemd.settimeout(PATIENCE)
        begin = time.monotonic()
        assert [systemd.recv(100) for _ in range(2)] == 2 * [b'WATCHDOG=1']
        assert time.monotonic() - begin > 0.1, 'those missed are left out'
        server.process.terminate()
        while systemd.recv(100) != b'STOPPING=1':
            pass
        assert systemd.recv(100) == b'WATCHDOG=1'
        connection.socket.close()
        assert server.process.wait(PATIENCE) == 0
    with tempfile.TemporaryDirectory() as folder:
        script = f'{folder}/idled'
        for pid, told in ('$$', b'WATCHDOG=1'), ('1', b'STOPPING=1'):
            with open(script, 'w') as file:
                file.write(f'#!/bin/sh\nWATCHDOG_PID={pid} exec {PROGRAM} "$@"')
            os.chmod(script, 0o700)
            server, systemd = notified(name, program=script, WATCHDOG_USEC='1')
            with server, systemd:
                server.process.terminate()
                assert systemd.recv(100) == told


@test
def a_stop_ends_after_its_grace_or_with_a_second_signal():
    with tempfile.TemporaryDirectory() as folder:
        server, _ = notified(folder + '/notify', '--grace=200ms')
    with server:
        crowd = Crowd(server.port, 3)
        server.wait_for(lambda now: now['accepted'] == 3)
        status, said, _ = server.stop()
        assert status == 0 and said.endswith('by stop 3\n'), said
        crowd.look(PATIENCE)
        assert not crowd.open()
    with Server(PROGRAM, '--grace=1h') as server:
        connection = Connection(server.port)
        server.wait_for(lambda now: now['accepted'] == 1)
        server.process.terminate()
        while not (late := Connection(server.port)).look():
            late.socket.close()
        status, said, _ = server.stop()
        assert status == 0 and said.endswith('by stop 1\n'), said
        assert connection.ends()


@test
def the_status_port_speaks_the_format_of_prometheus():
    with Server(PROGRAM, '--idle=200ms') as server:
        crowd = Crowd(server.port, 5)
        crowd.run([], 0.1, lambda: not crowd.open())
        server.wait_for(lambda now: now['closed_idle'] == 5)
        families = {family.name: family for family in
                    text_string_to_metric_families(server.fetch('/metrics'))}
        assert families['idled_accepted'].samples[0].value == 5
        assert families['idled_closed_idle'].samples[0].value == 5
        assert families['idled_connections'].samples[0].value == 0
        assert families['idled_errors'].type == 'counter'
        late = families['idled_late_seconds']
        assert late.type == 'histogram'
        rows = {s.name + str(s.labels.get('le', '')): s.value
                for s in late.samples}
        assert rows['idled_late_seconds_bucket+Inf'] == 5
        assert rows['idled_late_seconds_count'] == 5
        ends = [s.labels['le'] for s in late.samples if 'le' in s.labels]
        assert len(ends) == len(set(ends)) == 12, ends
        with socket.create_connection(('127.0.0.1', server.status_port)) as s:
            for byte in b'GET /me\0 HTTP/1.0\r\n\r\n':
                s.send(bytes([byte]))
            assert s.recv(100).startswith(b'HTTP/1.0 404')
        with socket.create_connection(('127.0.0.1', server.status_port)) as s:
            s.settimeout(PATIENCE)
            s.sendall(b'GET / HTTP/1.0\r\nCookie: ' + b'x' * 8000 + b'\r\n\r\n')
            answer = s.makefile('rb').read()
            assert answer.startswith(b'HTTP/1.0 200'), 'and ends as one'
        asking = [socket.create_connection(('127.0.0.1', server.status_port))
                  for _ in range(20)]
        for s in asking:
            s.settimeout(PATIENCE)
            assert s.recv(100) == b'', 'one who does not ask is closed'
        assert server.counters()['accepted'] == 5


@test
def how_late_it_closed_is_told():
    def check(server, idle):
        crowd = Crowd(server.port, 5)
        server.wait_for(lambda now: now['accepted'] == 5)
        server.pause()
        if time.monotonic() - crowd.all[0].last > idle:
            raise TooSlow('some may be closed by now')
        time.sleep(idle * 2)
        server.resume()
        crowd.run([], 0.1, lambda: not crowd.open())
        latest = max(c.longest for c in crowd.all) - idle
        text = server.fetch('/metrics')
        for end, count in re.findall(r'bucket{le="(.*)"} (\d+)\n', text):
            assert float(end) < latest or count == '5', text
            assert float(end) > idle or count == '0', text
        late = float(re.search(r'late_seconds_sum (\d+\.\d{9})\n', text)[1])
        assert 5 * idle < late < sum(c.longest - idle for c in crowd.all), text
        assert 'late_seconds_count 5\n' in text, text
    patiently(check)


def ask(server, text):
    """An answer, which ends; what is left of its text is not read."""
    with socket.create_connection(('127.0.0.1', server.status_port)) as s:
        s.settimeout(PATIENCE)
        s.sendall(text)
        try:
            return s.makefile('rb').read()
        except ConnectionResetError:
            return b''


@test
def the_status_port_knows_head_and_what_a_query_is():
    with Server(PROGRAM) as server:
        for path in '/', '/metrics':
            plain = ask(server, f'GET {path} HTTP/1.0\r\n\r\n'.encode())
            assert plain.count(b'\nidled_accepted_total 0\n') == len(path) // 8
            head, _, body = plain.partition(b'\r\n\r\n')
            assert head.startswith(b'HTTP/1.0 200 OK\r\n') and body, plain
            assert head.endswith(b'; version=0.0.4') == (path != '/'), head
            asked = ask(server, f'HEAD {path} HTTP/1.0\r\n\r\n'.encode())
            assert asked == head + b'\r\n\r\n', asked
            for query in '?', '?name[]=x&y=/':
                asked = ask(server, f'GET {path}{query} HTTP/1.1\n\n'.encode())
                assert asked.startswith(head) and \
                    asked.count(b'\n') == plain.count(b'\n'), asked
        for wrong in b'GET /metrics/', b'GET /x?/metrics', b'GET ?', \
                b'POST /metrics', b'HEADS /', b'HEADS/', b'GETS/', b'PUT /', \
                b'GET':
            asked = ask(server, wrong + b' HTTP/1.0\r\n\r\n')
            assert asked.startswith(b'HTTP/1.0 404 '), (wrong, asked)
            assert asked.endswith(b'\n\r\nGET / or GET /metrics\n'), asked
        asked = ask(server, b'HEAD /x HTTP/1.0\r\n\r\n')
        assert asked.endswith(b'\r\n\r\n'), asked


@test
def who_asks_slowly_holds_nobody_up():
    with Server(PROGRAM, '--idle=1h') as server, \
            Server(PROGRAM, '--idle=2s') as stopped:
        one = Connection(stopped.port)
        stopped.wait_for(lambda now: now['accepted'] == 1)
        stopped.pause()
        end = time.monotonic() + 8
        silent, slow, deaf = ([socket.create_connection(
            ('127.0.0.1', server.status_port)) for _ in range(20)]
            for _ in range(3))
        for s in slow:
            s.sendall(b'GET /metrics HTTP/1.0\r\n')
        for s in deaf:
            s.sendall(b'GET /metrics HTTP/1.0\r\n\r\n')
        assert server.counters()['accepted'] == 0
        last = slow[-1]
        begin = time.monotonic()
        for s in silent + slow + deaf:
            s.settimeout(PATIENCE)
            try:
                while s.recv(65536):
                    pass
            except ConnectionResetError:
                pass
        last = socket.create_connection(('127.0.0.1', server.status_port))
        last.settimeout(PATIENCE)
        begin = time.monotonic()
        assert last.recv(1) == b'' and time.monotonic() - begin > 4
        time.sleep(max(0, end - time.monotonic()))
        stopped.resume()
        assert one.ends()
        now = stopped.counters()
        assert now['late_seconds_bucket{le="5"}'] == 0, now
        assert now['late_seconds_bucket{le="+Inf"}'] == 1, now
        assert now['late_seconds_sum'] > 5, now
        assert len(os.listdir(f'/proc/{server.process.pid}/fd')) < 12


def with_faults(*flags, **env):
    return Server(PROGRAM, *flags, env={'LD_PRELOAD': faults, **env})


@test
def a_network_of_ipv6_is_one_address():
    sources = ('2001:db8::1', '2001:db8::2', '2001:db8:0:0:f::',
               '2001:db8:0:1::', '2001:db8:0:1::1', '::ffff:192.0.2.1',
               '::ffff:192.0.2.2')
    with with_faults('--per-address=2', FROM=','.join(sources)) as server:
        crowd = [Connection(server.port) for _ in sources]
        now = server.wait_for(lambda now: now['accepted'] == 6)
        assert now['refused_address'] == 1 and now['addresses'] == 4, now
        assert not any(c.look() for c in crowd[:2] + crowd[3:])
        assert crowd[2].ends()


@test
def calls_that_fail_end_one_connection_or_none():
    """Those to the status port count, too; the listeners are watched first."""
    for call, counted, closed in (
            ('accept4:1:103', 'ECONNABORTED', 0), ('accept4:1:1', 'EPERM', 0),
            ('accept4:1:200', None, 0),
            ('accept4:1:12', 'ENOMEM', 0), ('accept4:1:105', 'ENOBUFS', 0),
            ('recv:1:110', 'ETIMEDOUT', 1), ('recv:1:11', None, 0),
            ('recv:1:4', None, 0), ('recv:1:12', 'ENOMEM', 0),
            ('recv:1:105', 'ENOBUFS', 0), ('epoll_ctl:4:12', 'ENOMEM', 0),
            ('epoll_ctl:4:28', 'ENOSPC', 0), ('epoll_wait:1:4', None, 0)):
        with with_faults('--idle=1h', FAULTS=call) as server:
            one = Connection(server.port)
            one.beat()
            assert not closed or one.ends()
            server.wait_for(lambda now: now['received_bytes'] == 1 - closed)
            another = Connection(server.port)
            now = server.wait_for(
                lambda now: now['connections'] == 2 - closed)
            assert now['closed_by_error'] == closed, (call, now)
            errors = [name for name in now if name.startswith('error')]
            assert errors == [error_of(counted)] * bool(counted), (call, now)
            assert not another.look()
            text = server.fetch('/metrics')
            assert not counted or text.index(' idled_errors_total ') < \
                text.index('\nidled_errors_total'), text
    for call in ('accept4:1:23', 'epoll_ctl:4:12', 'recv:1:12', 'recv:1:105',
                 'send:1:12', 'send:1:105'):
        name, _, error = call.split(':')
        with with_faults(FAULTS=call) as server:
            asked = ask(server, b'GET / HTTP/1.0\n\n')
            assert asked.startswith(b'HTTP/1.0 200'), (call, asked)
            assert server.counters()['accepted'] == 0
            said = server.process.stderr.readline()
            assert f'{name.rstrip("4")}(), which' in said, (call, said)
            assert f'({errno.errorcode[int(error)]})' in said, (call, said)
    with with_faults(FAULTS='send:1:32') as server:
        assert ask(server, b'GET / HTTP/1.0\n\n') == b''
        assert server.counters()[error_of('EPIPE')] == 1


def opened(folder):
    """What a process has open."""
    for number in os.listdir(folder):
        try:
            yield os.readlink(f'{folder}/{number}')
        except FileNotFoundError:
            pass


def listed(call, first, last, error):
    return ','.join(f'{call}:{i}:{error}' for i in range(first, last + 1))


@test
def those_who_cannot_be_watched_wait_and_nothing_spins():
    """Nor is a listener lost that could not be watched again."""
    for call in 'epoll_add', 'epoll_ctl':
        with with_faults('--idle=1h',
                         FAULTS=listed(call, 4, 15, 12)) as server:
            crowd = [Connection(server.port) for _ in range(3)]
            now = server.wait_for(lambda now: now['accepted'] == 3)
            complaint = server.process.stderr.readline()
            assert 'epoll_ctl()' in complaint and '(ENOMEM)' in complaint
            assert now['closed_by_error'] == now['refused_address'] == 0, now
            assert now[error_of('ENOMEM')] == now['pauses'], now
            if call == 'epoll_add':
                assert now['pauses'] == 12, now
                assert now['wakeups'] <= 6 * now['pauses'] + 60, now
            assert not any(c.look() for c in crowd)
    with with_faults('--grace=1h',
                     FAULTS=listed('epoll_add', 4, 15, 12)) as server:
        waiting = Connection(server.port)
        server.process.stderr.readline()
        server.process.terminate()
        waiting.socket.close()
        said, _ = server.process.communicate(timeout=PATIENCE)
        assert said.startswith('accepted 1, closed: idle 0, by peer 1,'), said


@test
def without_memory_to_read_a_live_one_is_not_closed():
    for error, name in (12, 'ENOMEM'), (105, 'ENOBUFS'):
        with with_faults('--idle=300ms',
                         FAULTS=listed('recv', 2, 9, error)) as server:
            one = Connection(server.port)
            one.beat()
            server.wait_for_state('S')
            one.beat()
            assert one.ends() and one.longest >= 0.3
            now = server.counters()
            assert now['closed_idle'] == 1, now
            assert now['closed_by_error'] == now['closed_early'] == 0, now
            assert now[error_of(name)] == 8 and now['received_bytes'] == 2, now
            assert now['wakeups'] <= 60, now


@test
def without_memory_those_who_connect_are_taken():
    """All that it needs is taken at the start."""
    with open(PROGRAM, 'rb') as file:
        if b'__asan_init' in file.read():
            return  # which needs memory of its own
    count = 2500
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with Server(PROGRAM, '--idle=1h', f'--connections={count}') as server:
        pid = server.process.pid
        with open(f'/proc/{pid}/statm', encoding='ascii') as file:
            size = int(file.read().split()[0]) * resource.getpagesize()
        for limit in resource.RLIMIT_AS, resource.RLIMIT_DATA:
            resource.prlimit(pid, limit, (size, size))
        crowd = Crowd(server.port, count,
                      [f'127.{i // 250}.{i % 250}.9' for i in range(count)])
        now = server.wait_for(lambda now: now['accepted'] == count)
        assert now['addresses'] == count, now
        crowd.look()
        assert len(crowd.open()) == count
        another = Connection(server.port)
        assert another.ends()
        now = server.counters()
        assert now['refused_full'] == 1 and now['refused_address'] == 0, now
        for connection in crowd.all[::2]:
            connection.socket.close()
        now = server.wait_for(lambda now: now['addresses'] == count // 2)
        again = Crowd(server.port, count // 2,
                      [f'127.99.{i // 250}.{i % 250 + 1}'
                       for i in range(count // 2)])
        server.wait_for(lambda now: now['addresses'] == count)
        assert not any(c.look() for c in again.all + crowd.all[1::2])


@test
def of_those_that_flood_a_turn_reads_2_mib():
    for count, size in (1, 1 << 22), (300, 1 << 17):
        with Server(PROGRAM, '--idle=1h') as server:
            crowd = Crowd(server.port, count)
            before = server.wait_for(lambda now: now['accepted'] == count)
            server.pause()
            sent = sum(c.socket.send(bytes(size)) for c in crowd.all)
            server.resume()
            now = server.wait_for(lambda now: now['received_bytes'] == sent)
            turns = now['wakeups'] - before['wakeups']
            assert turns >= sent / 16384 / min(count, 128) > 16, (sent, now)


@test
def a_request_in_two_parts_is_answered_in_a_flood():
    for flood in b'', b'GET /metrics HTTP/1.0\r\n\r\n':
        with Server(PROGRAM) as server:
            to = '127.0.0.1', server.status_port
            with socket.create_connection(to) as slow:
                slow.settimeout(PATIENCE)
                slow.sendall(b'GET / HTTP/1.0\r\n')
                crowd = [socket.create_connection(to) for _ in range(30)]
                for s in crowd:
                    s.sendall(flood)
                assert server.counters()['accepted'] == 0
                slow.sendall(b'\r\n')
                answer = slow.makefile('rb').read()
                assert answer.startswith(b'HTTP/1.0 200 OK'), (flood, answer)
                assert answer.endswith(b'late_seconds_count 0\n'), answer


@test
def without_what_it_needs_it_says_so_and_ends():
    for call, word in (('epoll_create1:1:24', 'epoll_create1()'),
                       ('epoll_ctl:1:28', 'signalfd()'),
                       ('epoll_ctl:2:28', 'listen()'),
                       ('listen:1:98', '--listen: listen()'),
                       ('listen:2:98', '--status: listen()'),
                       ('setrlimit:1:1', '--connections: setrlimit()'),
                       ('getrandom:1:12', '--connections: calloc()'),
                       ('fmemopen:1:12', '--status: fmemopen()'),
                       ('epoll_wait:1:9', 'epoll_wait()')):
        run = subprocess.run(
            [PROGRAM, '--listen=127.0.0.1:0', '--status=127.0.0.1:0'],
            capture_output=True, text=True, timeout=PATIENCE,
            env={**os.environ, 'LD_PRELOAD': faults, 'FAULTS': call})
        assert run.returncode == 1 and word in run.stderr, (call, run)
        assert os.strerror(int(call.rsplit(':')[2])) in run.stderr, (call, run)


@test
def a_stream_that_is_closed_gets_no_connection():
    for closed, numbers in ('<&- 2>&-', (0, 2)), ('>&-', (1,)):
        with subprocess.Popen(['sh', '-c', f'exec "$@" {closed}', '-', PROGRAM,
                               '--listen=127.0.0.1:0'],
                              stdout=subprocess.PIPE) as process:
            folder = f'/proc/{process.pid}/fd'
            end = time.monotonic() + PATIENCE
            while not any(name[:7] == 'socket:' for name in opened(folder)):
                assert time.monotonic() < end, 'it does not listen'
                time.sleep(0.02)
            files = [os.readlink(f'{folder}/{number}') for number in numbers]
            process.kill()
            assert files == ['/dev/null'] * len(numbers), (closed, files)


@test
def what_a_service_does_is_told_by_the_same_code():
    with tempfile.TemporaryDirectory() as folder:
        program = f'{folder}/service'
        subprocess.run(
            ['cc', '-pthread', '-Wall', '-Wextra', '-Werror', '-Iinclude',
             '-Ibuild/host-release/include', '-o', program,
             f'{sys.path[0]}/service.c', 'tools/show/idled/metrics.c',
             'tools/show/idled/metrics_service.c',
             'build/host-release/libjif.a'],
            check=True)
        told, plain = (subprocess.run([program] + more, check=True, text=True,
                                      timeout=PATIENCE, capture_output=True
                                      ).stdout for more in ([], ['text']))
    families = {f.name: f for f in text_string_to_metric_families(told)}
    types = {name: f.type for name, f in families.items()}
    assert types.pop('mine_late_seconds') == 'histogram'
    values = {name: families[name].samples[0].value for name in types}
    longest = values.pop('mine_longest_seconds')
    assert 0 < longest < 60, longest
    assert values == {'mine_pending': 1, 'mine_queued': 0, 'mine_running': 0,
                      'mine_ran': 3, 'mine_failed': 1, 'mine_slow': 0,
                      'mine_refused': 0}, values
    late = families['mine_late_seconds'].samples
    ends = [float(s.labels['le']) for s in late if 'le' in s.labels]
    assert len(ends) == 24 and ends[0] == 1.024e-6 and ends[1] == 2.048e-6
    counts = [s.value for s in late if 'le' in s.labels]
    assert counts == sorted(counts) and counts[-1] == late[-1].value == 3
    assert late[-2].value > 0, late
    assert 'pending 1\n' in plain and '#' not in plain, plain


@test
def it_never_waits_without_an_end():
    with with_faults('--idle=200ms') as server:
        assert server.counters()['accepted'] == 0
        assert server.stop()[0] == 0


@test
def wrong_options_are_named_with_what_was_expected():
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    for flags, status, words in (
            (['--listen=7000'], 2, ['--listen', '"7000"', 'ADDRESS:PORT']),
            (['--listen=[::1]x:1'], 2, ['--listen', 'ADDRESS:PORT']),
            (['--status=a.b:99'], 2, ['--status', 'ADDRESS:PORT']),
            (['--listen=127.0.0.1:65536'], 2, ['65536', 'ADDRESS:PORT']),
            (['--listen=localhost:80'], 2, ['localhost', 'ADDRESS:PORT']),
            (['--listen=127.0.0.1:http'], 2, ['http', 'ADDRESS:PORT']),
            (['--listen=127.0.0.1:'], 2, ['ADDRESS:PORT']),
            (['--listen=:80'], 2, ['":80"', 'ADDRESS:PORT']),
            ([f'--listen={"1" * 64}:80'], 2, ['ADDRESS:PORT']),
            (['--listen=127.0.0.1:+80'], 2, ['+80', 'ADDRESS:PORT']),
            (['--idle=30'], 2, ['--idle', '"30"', 'such as 30s']),
            (['--idle=0s'], 2, ['--idle', '"0s"', 'from 1ms']),
            (['--idle=25h'], 2, ['--idle', '"25h"', '24h']),
            (['--grace=-1s'], 2, ['--grace', '"-1s"', 'a time']),
            (['--connections=many'], 2, ['--connections', '"many"', '1 to']),
            (['--connections= 7'], 2, ['--connections', '" 7"', '1 to']),
            (['--connections=1000001'], 2, ['1000001', '1 to 1000000']),
            (['--connections=0000000000000001'], 2, ['--connections', '1 to']),
            (['--idle=86400001ms'], 2, ['--idle', '24h']),
            (['--idle=1441m'], 2, ['--idle', '24h']),
            (['--idle=86401s'], 2, ['--idle', '24h']),
            (['--idle=1d'], 2, ['--idle', '"1d"', '24h']),
            (['--per-address=0'], 2, ['--per-address', '"0"', '1 to']),
            ([f'--connections={most - 17}'], 1,
             ['--connections', f'at most {most - 18}, since only {most} ']),
            (['--listen=192.0.2.1:7'], 1, ['--listen', 'bind()', 'Cannot']),
            (['--idle'], 2, ['--idle', 'argument']),
            (['--quiet'], 2, ['--quiet', '--help']),
            (['now'], 2, ['"now"', 'expected an option'])):
        run = subprocess.run([PROGRAM, *flags], capture_output=True, text=True,
                             timeout=PATIENCE)
        assert run.returncode == status, (flags, run)
        for word in words:
            assert word in run.stderr, (flags, run.stderr)
    for flags in ([f'--connections={most - 18}', '--idle=86400000ms'],
                  ['--connections=1', '--idle=1440m', '--grace=86400s'],
                  ['--idle', '24h', '--grace', '1ms', '--connections', '2',
                   '--per-address', '1']):
        with Server(PROGRAM, *flags) as server:
            assert server.stop()[0] == 0
    with open('include/jif/types.h', encoding='ascii') as file:
        digits = re.search(r'JIF_VERSION 0x(..)(..)(..)', file.read())
    run = subprocess.run([PROGRAM, '--version'], capture_output=True, text=True)
    assert run.stdout == 'idled {}.{}.{}\n'.format(
        *(int(digit, 16) for digit in digits.groups())), run
    assert run.returncode == 0
    with subprocess.Popen([PROGRAM, '--listen=127.0.0.1:0', '--grace=1ms'],
                          stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout.readline().startswith('listen ')
        server.terminate()
        assert server.communicate(timeout=PATIENCE)[0][:8] == 'accepted'
    run = subprocess.run([PROGRAM, '--help'], capture_output=True, text=True)
    assert run.returncode == 0 and '--per-address' in run.stdout


def main():
    global faults
    failed = 0
    folder = tempfile.TemporaryDirectory()
    faults = f'{folder.name}/faults.so'
    subprocess.run(['cc', '-shared', '-fPIC', '-o', faults, '-ldl',
                    f'{sys.path[0]}/faults.c'], check=True)
    chosen = [t for t in tests if len(sys.argv) < 3 or
              sys.argv[2] in t.__name__]
    if 'PATIENCE' in os.environ:  # a mutant of idled, which that is not
        chosen = [t for t in chosen if t !=
                  what_a_service_does_is_told_by_the_same_code]
    for number, function in enumerate(chosen, 1):
        if failed and 'PATIENCE' in os.environ:
            break
        try:
            function()
            verdict = 'ok'
        except Exception:
            print('# ' + traceback.format_exc().replace('\n', '\n# '))
            verdict = 'not ok'
            failed += 1
        print(f'{verdict} {number} - {function.__name__.replace("_", " ")}',
              flush=True)
    print(f'1..{len(chosen)}')
    return failed > 0


signal.alarm(20 * PATIENCE)
sys.exit(main())
