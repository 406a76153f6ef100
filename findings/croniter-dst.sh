#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/croniter-dst.sh - in croniter 1.3.5, a job of 9:00 comes at 8:00 too
# on the day on which DST begins, and for one of 2:30, get_next can stand
# still
#
# Its documentation asks for a time that knows its zone, and shows zones of pytz
# and dateutil. With those of dateutil and of the standard library, that day has
# a job more. It lacks 2:30: with pytz, that job comes four times in two days,
# and with dateutil, a scheduler that waits for the next one waits no more.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

python3 --version
debian python3-croniter=1.3.5 python3-dateutil=2.8.2 python3-tz=2022 \
	python3-natsort=8.0.2 python3-future=0.18.2

cat >"$folder/dst.py" <<'END'
from datetime import datetime
from zoneinfo import ZoneInfo

from croniter import croniter
import dateutil.tz
import pytz

ZONE = 'Europe/Berlin'
ON_SATURDAY = datetime(2023, 3, 25, 12)

# On Sunday, 2:00 of +0100 is 3:00 of +0200.
for at, expression in ('9:00', '0 9 * * *'), ('2:30', '30 2 * * *'):
    for name, start in (
            ('pytz', pytz.timezone(ZONE).localize(ON_SATURDAY)),
            ('zoneinfo', ON_SATURDAY.replace(tzinfo=ZoneInfo(ZONE))),
            ('dateutil', ON_SATURDAY.replace(
                tzinfo=dateutil.tz.gettz(ZONE)))):
        jobs = croniter(expression, start)
        print(f'at {at}, {name}:', *[
            jobs.get_next(datetime).strftime('%d_%H:%M%z')[:-2]
            for _ in range(4)])
END
PYTHONPATH=$root/usr/lib/python3/dist-packages \
	python3 "$folder/dst.py" |
	saw "at 9:00, pytz: 26_09:00+02 27_09:00+02 28_09:00+02 29_09:00+02
at 9:00, zoneinfo: 26_08:00+02 26_09:00+02 27_09:00+02 28_09:00+02
at 9:00, dateutil: 26_08:00+02 26_09:00+02 27_09:00+02 28_09:00+02
at 2:30, pytz: 26_02:30+02 26_03:30+02 27_01:30+02 27_02:30+02
at 2:30, zoneinfo: 26_02:30+01 27_02:30+02 28_02:30+02 29_02:30+02
at 2:30, dateutil: 26_01:30+01 26_01:30+01 26_01:30+01 26_01:30+01" || exit 1
