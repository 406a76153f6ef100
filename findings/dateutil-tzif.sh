#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/dateutil-tzif.sh - dateutil 2.8.2 reads only the old half of a zone's
# file: it has no summer time from 2038 on, and is UTC if zic made it slim
#
# RFC 8536 has readers skip that half if there is one with 64 bits, which also
# has a rule for the years to come, and Python's zoneinfo does. By default, zic
# makes slim files since 2020: the old half is empty. An alarm of 7:00 is an
# hour off from 2038 on, and with a slim file, by the whole offset now.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

python3 --version
debian python3-dateutil=2.8.2 python3-six=1.16 libc-bin=2.36

cat >"$folder/zone" <<'END'
Rule EU 1996 max - Mar lastSun 1:00u 1:00 S
Rule EU 1996 max - Oct lastSun 1:00u 0 -
Zone Mine 1:00 EU CE%sT
END
cat >"$folder/read.py" <<'END'
import datetime
import sys
import zoneinfo

import dateutil.tz

for name in sys.argv[1:]:
    with open(name, 'rb') as file:
        zones = zoneinfo.ZoneInfo.from_file(file), dateutil.tz.tzfile(name)
    for zone in zones:
        print(name, type(zone).__name__, 'July', *[
            datetime.datetime(year, 7, 1, tzinfo=zone).strftime('%Y:%z')
            for year in (2023, 2037, 2038)])
END
cd "${folder:?}" || exit 2
zic=$(find "$root" -name zic -type f)
for size in fat slim; do
	"$zic" -b $size -d $size zone || exit 2
done
PYTHONPATH=$root/usr/lib/python3/dist-packages \
	python3 read.py fat/Mine slim/Mine |
	saw "fat/Mine ZoneInfo July 2023:+0200 2037:+0200 2038:+0200
fat/Mine tzfile July 2023:+0200 2037:+0200 2038:+0100
slim/Mine ZoneInfo July 2023:+0200 2037:+0200 2038:+0200
slim/Mine tzfile July 2023:+0000 2037:+0000 2038:+0000" || exit 1
