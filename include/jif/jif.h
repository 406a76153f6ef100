/* SPDX-License-Identifier: MIT */
/*
 * jif/jif.h - all that a firmware uses: the wheel, and what is in firmware/
 *
 * Left out are host/, for programs on an operating system; kit/, which tests a
 * firmware on a host and a port on its board; face/, kernels and their names;
 * and port/, several cores.
 */
#ifndef JIF_JIF_H
#define JIF_JIF_H

#include <jif/debug.h>
#include <jif/firmware/await.h>
#include <jif/firmware/calendar.h>
#include <jif/firmware/flags.h>
#include <jif/firmware/queue.h>
#include <jif/firmware/sched.h>
#include <jif/firmware/snapshot.h>
#include <jif/firmware/table.h>
#include <jif/firmware/work.h>
#include <jif/jiffies.h>
#include <jif/periodic.h>
#include <jif/port.h>
#include <jif/timer.h>
#include <jif/trace.h>
#include <jif/types.h>
#include <jif/wheel.h>

#endif
