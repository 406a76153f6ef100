/* SPDX-License-Identifier: MIT */
/*
 * test/target/handlers.c - what the machine's handlers want of its port, where
 * the simulated machine takes the place of that: the unit tests
 */
#include <jif/port.h>

void jif_irq_enter(void)
{
}

void jif_irq_exit(void)
{
}

/* Here, a test calls jif_tick(); the machine's own tick is not used. */
void jif_port_tick(void)
{
}
