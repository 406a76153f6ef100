/* SPDX-License-Identifier: MIT */
/*
 * rows/dpdk.c - DPDK's rte_timer, a skip list per core
 *
 * It reads the time stamp counter itself: time is real, a tick is bench_tick
 * microseconds, and what has to do with time passing cannot be measured.
 */
#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_timer.h>

#include "../ops.h"

#define MILLION 1000000u

static uint64_t cycles; /* per tick */

static void expired(struct rte_timer *timer, void *unused)
{
	(void)unused;
	bench_expire(timer);
}

static bool init(uint32_t now)
{
	static char *arguments[] = {
		"bench",    "--no-huge", "--no-pci",	"--no-shconf",
		"--lcores", "0",	 "--log-level", "error",
	};

	(void)now;
	if (rte_eal_init(sizeof(arguments) / sizeof(*arguments), arguments) < 0)
		return false;
	cycles = rte_get_timer_hz() * bench_tick / MILLION;
	return rte_timer_subsystem_init() == 0;
}

static void *make(void *memory)
{
	rte_timer_init(memory);
	return memory;
}

static void arm(void *timer, uint32_t expires)
{
	rte_timer_reset(timer, (expires - bench_now) * cycles, SINGLE,
			rte_lcore_id(), expired, NULL);
}

static void cancel(void *timer)
{
	rte_timer_stop(timer);
}

static void run(uint32_t now)
{
	(void)now;
	rte_timer_manage();
}

BENCH_TICKS(run)

const struct bench_ops bench_ops = {
	.size = sizeof(struct rte_timer),
	.real = true,
	.init = init,
	.make = make,
	.arm = arm,
	.cancel = cancel,
	.rearm = arm,
	.run = run,
	.ticks = ticks,
};
