#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/fake-timers-order.sh - in @sinonjs/fake-timers 15.5.0, jump() runs
# what became due in the order of arming, and a delay of 0 ends before one of 1
#
# jump() is documented as what a machine does that slept. One expects the order
# of the deadlines, which tick() has. And in Node.js, a delay of 0 is one of 1,
# so that the timer that was armed first is first: a test with this clock
# passes, and the program has another order.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

node --version
npm_package @sinonjs/fake-timers 15.5.0

cat >"$folder/order.js" <<'END'
const { createClock } = require('@sinonjs/fake-timers');

function arm(setTimeout, delays, ran) {
  for (const delay of delays)
    setTimeout(() => ran.push(delay), delay);
}

function faked(delays, move) {
  const clock = createClock(), ran = [];
  arm(clock.setTimeout, delays, ran);
  move(clock);
  return ran.join(' ');
}

const delays = [300, 100, 200];
console.log('tick():', faked(delays, (clock) => clock.tick(1000)));
console.log('jump():', faked(delays, (clock) => clock.jump(1000)));
console.log('1 and 0, tick():', faked([1, 0], (clock) => clock.tick(1000)));
const ran = [];
arm(setTimeout, [1, 0], ran);
setTimeout(() => console.log('1 and 0, Node.js:', ran.join(' ')), 1000);
END
NODE_PATH="$folder/node_modules" node "$folder/order.js" |
	saw "tick(): 100 200 300
jump(): 300 100 200
1 and 0, tick(): 0 1
1 and 0, Node.js: 1 0" || exit 1
