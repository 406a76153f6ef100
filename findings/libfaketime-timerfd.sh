#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/libfaketime-timerfd.sh - under libfaketime 0.9.10, a timerfd that is
# set to an absolute time of CLOCK_MONOTONIC is decades late
#
# Its changes say that timerfd is supported. But it fakes the monotonic clock as
# one since 1970, and hands a deadline of that to the kernel, whose clock began
# with the machine: also where the fake time is the true one. sd-event's timers
# are of this kind. FAKETIME_DONT_FAKE_MONOTONIC=1 helps.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

debian libfaketime=0.9.10

# Whether the kernel is to wait for more than 20 years: nobody waits here.
cat >"$folder/timerfd.c" <<'END'
#include <stdio.h>
#include <sys/timerfd.h>
#include <time.h>

static void one_second(const char *name, clockid_t clock, int flags)
{
	struct itimerspec at = {{0, 0}, {0, 0}};
	int timer = timerfd_create(clock, 0);

	if (flags & TFD_TIMER_ABSTIME)
		clock_gettime(clock, &at.it_value);
	at.it_value.tv_sec++;
	timerfd_settime(timer, flags, &at, NULL);
	timerfd_gettime(timer, &at);
	printf("%s %s", name, at.it_value.tv_sec > 31536000L * 20 ?
	       "decades" : "in time");
}

int main(void)
{
	one_second("relative", CLOCK_MONOTONIC, 0);
	one_second(", absolute", CLOCK_MONOTONIC, TFD_TIMER_ABSTIME);
	one_second(", realtime", CLOCK_REALTIME, TFD_TIMER_ABSTIME);
	printf("\n");
	return 0;
}
END
gcc -Wall -Werror "$folder/timerfd.c" -o "$folder/timerfd" || exit 2
library=$(find "$root" -name libfaketime.so.1)

# fake VARIABLE=VALUE...
fake() {
	echo "$*"
	env LD_PRELOAD="$library" "$@" "$folder/timerfd"
}
{
	fake FAKETIME=+0
	fake FAKETIME=-10y
	fake FAKETIME=+0 FAKETIME_DONT_FAKE_MONOTONIC=1
} | saw "FAKETIME=+0
relative in time, absolute decades, realtime in time
FAKETIME=-10y
relative in time, absolute decades, realtime in time
FAKETIME=+0 FAKETIME_DONT_FAKE_MONOTONIC=1
relative in time, absolute in time, realtime in time" || exit 1
