#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/freezegun-monotonic.sh - in freezegun 1.2.1, time.monotonic is the
# date: it goes back with move_to(), and forth by years
#
# Python's documentation says that it cannot go back, and freezegun's that its
# changes have a meaning. A test that only moves the date, to see that timers do
# not mind, moves them too: they are not due for an hour more, or all at once.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

python3 --version
debian python3-freezegun=1.2.1 python3-dateutil=2.8.2 python3-six=1.16

cat >"$folder/monotonic.py" <<'END'
import time

from freezegun import freeze_time

with freeze_time('2023-01-01 12:00') as date:
    began = time.monotonic()
    print('monotonic is the date:', began == time.time())
    date.tick(60)
    print('a minute later:', time.monotonic() - began)
    date.move_to('2023-01-01 11:00')
    print('set back by an hour:', time.monotonic() - began)
    date.move_to('2024-01-01 12:00')
    print('set forth by a year:', time.perf_counter() - began)
END
PYTHONPATH=$root/usr/lib/python3/dist-packages \
	python3 "$folder/monotonic.py" | saw "monotonic is the date: True
a minute later: 60.0
set back by an hour: -3600.0
set forth by a year: 31536000.0" || exit 1
