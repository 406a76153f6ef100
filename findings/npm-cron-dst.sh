#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/npm-cron-dst.sh - in the npm package cron 4.4.0, a job of 3:30 runs
# at 2:30 too on the day on which DST ends
#
# That day has one 3:30, and 2:30 twice: a job of 2:30 runs in the first of them
# only, as one expects. The job of 3:30 runs in the second, and an hour after it
# once more. croner 11.0.0 runs it once.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

node --version
npm_package cron 4.4.0
npm_package croner 11.0.0
npm_package @sinonjs/fake-timers 15.5.0

cat >"$folder/dst.js" <<'END'
const { install } = require('@sinonjs/fake-timers');
const { CronJob } = require('cron');
const { Cron } = require('croner');
const timeZone = 'Europe/Berlin', MINUTE = 60000, DAY = 1440;

// When it ran on the clock of the wall, from Saturday to Sunday at noon.
async function runs(start) {
  const clock = install({
    now: new Date('2023-10-28T12:00:00+02:00'),
    toFake: ['Date', 'setTimeout', 'clearTimeout'],
  });
  const ran = [];
  const stop = start(() => ran.push(new Date().toLocaleTimeString('en-GB', {
    timeZone, hour: 'numeric', minute: 'numeric', timeZoneName: 'short',
  })));
  for (let minute = 0; minute < DAY + 60; minute++)
    await clock.tickAsync(MINUTE);
  stop();
  clock.uninstall();
  return ran.join(', ');
}

(async () => {
  for (const time of ['30 2 * * *', '30 3 * * *']) {
    console.log(`cron, ${time}:`, await runs((onTick) => {
      const job = CronJob.from({ cronTime: time, timeZone, onTick });
      job.start();
      return () => job.stop();
    }));
    console.log(`croner, ${time}:`, await runs((onTick) => {
      const job = new Cron(time, { timezone: timeZone }, onTick);
      return () => job.stop();
    }));
  }
})();
END
NODE_PATH="$folder/node_modules" TZ=UTC node "$folder/dst.js" |
	saw "cron, 30 2 * * *: 02:30 CEST
croner, 30 2 * * *: 02:30 CEST
cron, 30 3 * * *: 02:30 CET, 03:30 CET
croner, 30 3 * * *: 03:30 CET" || exit 1
