/* SPDX-License-Identifier: MIT */
/*
 * lib/port/smp/smp.c - several cores: one lock for all wheels
 *
 * Calls nest as those that turn interrupts off do: the core that has the lock
 * counts. With interrupts off, a core has one context only; so what this core
 * finds in the owner is its own number or another one, however that changes.
 */
#include <jif/port/smp.h>

#include "../../bug.h"
#include "../jif_port.h"
#include "spin.h"

/* Of the core that has the lock, its number plus 1; else 0. */
static unsigned owner;
static unsigned depth;

static void set_owner(unsigned core)
{
	JIF_STORE(&owner, core, RELAXED);
}

void jif_smp_take(void)
{
	unsigned core = jif_smp_core() + 1;

	if (JIF_LOAD(&owner, RELAXED) != core) {
		spin_lock();
		set_owner(core);
	}
	depth++;
}

void jif_smp_drop(void)
{
	JIF_BUG(!depth, "dropped more often than taken");
	if (--depth)
		return;
	set_owner(0);
	spin_unlock();
}

unsigned jif_smp_let_go(void)
{
	unsigned before = depth;

	depth = 1;
	jif_smp_drop();
	return before;
}

void jif_smp_take_back(unsigned before)
{
	jif_smp_take();
	depth = before;
}
