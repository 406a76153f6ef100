# SPDX-License-Identifier: MIT
"""A server under test, and connections to it that know when they may end.

Nothing here depends on how fast the machine is. The server sees a byte when it
has been sent, or later. So a connection that it closes rightly has been without
one for as long as the server waits, from before a send to after the next send
or to the end; of a server that closes too early, one has not.
"""
import os
import select
import selectors
import signal
import socket
import subprocess
import time
import urllib.request

# Seconds after which something is not going to happen.
PATIENCE = int(os.environ.get('PATIENCE', 100))


class Server:
    def __init__(self, program, *flags, env=()):
        self.process = subprocess.Popen(
            [program, '--listen=127.0.0.1:0', '--status=127.0.0.1:0', *flags],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, **dict(env)})
        self.port, self.status_port = (
            int(self.process.stdout.readline().split()[2]) for _ in range(2))

    def fetch(self, path='/'):
        url = f'http://127.0.0.1:{self.status_port}{path}'
        with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
            return answer.read().decode()

    def counters(self):
        """As they are named; those that have _total at the end, without it."""
        rows = (line.rsplit(' ', 1) for line in self.fetch().splitlines())
        return {name.removesuffix('_total'): float(value)
                for name, value in rows}

    def wait_for(self, condition):
        """Until the counters are so; returns them."""
        end = time.monotonic() + PATIENCE
        while not condition(now := self.counters()):
            assert time.monotonic() < end, f'it never came to that: {now}'
            time.sleep(0.02)
        return now

    def wait_for_state(self, state):
        path = f'/proc/{self.process.pid}/stat'
        while open(path).read().rsplit(')', 1)[1].split()[0] != state:
            time.sleep(0.001)

    def pause(self):
        self.process.send_signal(signal.SIGSTOP)
        self.wait_for_state('T')

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def stop(self):
        """Its exit status, what it has said, and what it has complained of."""
        self.process.terminate()
        said, complaint = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, said, complaint

    def kill(self):
        self.process.kill()
        self.process.communicate()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()


class Connection:
    def __init__(self, port, source='127.0.0.1'):
        self.last = time.monotonic()  # before the last send, or this
        self.longest = 0  # from there to after the next send, or the end
        self.closed = self.reset = False
        self.flags = 0  # of a send
        self.socket = socket.socket()
        if source != '127.0.0.1':
            self.socket.setsockopt(socket.IPPROTO_IP, 24, 1)  # bind no port
            self.socket.bind((source, 0))
        self.socket.setblocking(False)
        try:
            self.socket.connect(('127.0.0.1', port))
        except BlockingIOError:
            pass

    def account(self, begin):
        self.longest = max(self.longest, time.monotonic() - self.last)
        self.last = begin

    def beat(self):
        """Sends a byte, if it is connected and the server takes more."""
        begin = time.monotonic()
        try:
            self.socket.send(b'.', self.flags)
        except OSError:
            return False
        self.account(begin)
        return True

    def look(self):
        """Is it closed?"""
        try:
            self.closed = self.closed or not self.socket.recv(100)
        except BlockingIOError:
            return False
        except OSError:
            self.closed = self.reset = True
        self.account(self.last)
        return self.closed

    def ends(self):
        """Is it closed, sooner or later?"""
        poll = select.poll()
        poll.register(self.socket, select.POLLIN)
        poll.poll(1000 * PATIENCE)
        return self.look()


class Crowd:
    """Many connections, and who has heard of an end of theirs."""

    def __init__(self, port, count, sources=('127.0.0.1',)):
        self.selector = selectors.DefaultSelector()
        self.all = []
        self.port = port
        self.sources = sources
        for _ in range(count):
            self.add()

    def add(self):
        source = self.sources[len(self.all) % len(self.sources)]
        connection = Connection(self.port, source)
        self.selector.register(connection.socket, selectors.EVENT_READ,
                               connection)
        self.all.append(connection)
        return connection

    def look(self, timeout=0.0):
        for key, _ in self.selector.select(timeout):
            if key.data.look():
                self.selector.unregister(key.fileobj)
                key.fileobj.close()

    def open(self):
        return [c for c in self.all if not c.closed]

    def run(self, beating, period, until):
        """Some beat, until it is so."""
        end = time.monotonic() + PATIENCE
        while not until():
            assert time.monotonic() < end, f'{len(self.open())} are open'
            begin = time.monotonic()
            for connection in beating:
                if not connection.closed:
                    connection.beat()
            while (left := begin + period - time.monotonic()) > 0:
                self.look(left)
            self.look()

    def early(self, idle):
        """Those that were closed although something came in time."""
        return [c for c in self.all if c.closed and c.longest < idle]
