/* SPDX-License-Identifier: MIT */
/*
 * jif/jif.h - all that a firmware uses
 *
 * Left out are what runs on an operating system or a kernel: jif/service.h,
 * jif/loop.h and jif/kernel.h; several cores, jif/smp.h; the kit
 * that tests a firmware on a host, jif/test.h, jif/node.h and jif/sim.h; and
 * what tests a port, jif/selftest.h.
 *
 * Each header is of one of three circles: 1, the wheel, wheel.h, timer.h,
 * jiffies.h, periodic.h, debug.h, trace.h, port.h, types.h, config.h and
 * compiler.h; 2, the firmware, the others below, test.h, node.h and
 * selftest.h; and 3, faces and hosts, jif/linux/, jif/freertos/, service.h,
 * loop.h, kernel.h, smp.h, sim.h and those of C++.
 */
#ifndef JIF_JIF_H
#define JIF_JIF_H

#include <jif/await.h>
#include <jif/calendar.h>
#include <jif/debug.h>
#include <jif/flags.h>
#include <jif/jiffies.h>
#include <jif/periodic.h>
#include <jif/port.h>
#include <jif/queue.h>
#include <jif/sched.h>
#include <jif/snapshot.h>
#include <jif/table.h>
#include <jif/timer.h>
#include <jif/trace.h>
#include <jif/types.h>
#include <jif/wheel.h>
#include <jif/work.h>

#endif
