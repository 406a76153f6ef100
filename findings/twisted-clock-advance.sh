#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/twisted-clock-advance.sh - in Twisted 22.4, each callback of the fake
# Clock sees the time at which advance() ends, and a period runs once in it
#
# One expects each callback at its own time, and ten in 10 s of a period of 1 s,
# as @sinonjs/fake-timers has them. The documentation only says that what is due
# is run. In a test that advances by more than the shortest delay, what arms
# itself again has another order, and a deadline counts from a later time.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

python3 --version
debian python3-twisted=22.4.0
node --version
npm_package @sinonjs/fake-timers 15.5.0

cat >"$folder/clock.py" <<'END'
from twisted.internet.task import Clock

for step in 1, 10:
    clock = Clock()
    ran = []

    def tick():
        ran.append(int(clock.seconds()))
        clock.callLater(1, tick)

    clock.callLater(1, tick)
    clock.callLater(5, lambda: ran.append(f'five at {clock.seconds():g}'))
    for _ in range(0, 10, step):
        clock.advance(step)
    print(f'Twisted, by {step} s:', *ran)
END
cat >"$folder/clock.js" <<'END'
const clock = require('@sinonjs/fake-timers').createClock();
const ran = [];

function tick() {
  ran.push(clock.now / 1000);
  clock.setTimeout(tick, 1000);
}

clock.setTimeout(tick, 1000);
clock.setTimeout(() => ran.push(`five at ${clock.now / 1000}`), 5000);
clock.tick(10000);
console.log('fake-timers, by 10 s:', ...ran);
END
packages=/usr/lib/python3/dist-packages
{
	PYTHONPATH=$root$packages:$packages \
		python3 "$folder/clock.py"
	NODE_PATH="$folder/node_modules" node "$folder/clock.js"
} | saw "Twisted, by 1 s: 1 2 3 4 five at 5 5 6 7 8 9 10
Twisted, by 10 s: 10 five at 10
fake-timers, by 10 s: 1 2 3 4 five at 5 5 6 7 8 9 10" || exit 1
