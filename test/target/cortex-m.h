/* SPDX-License-Identifier: MIT */
/* What cortex-m.c wants from its machines */
#pragma once

#include <stdint.h>

/* The interrupt line of a timer, on both machines; and one for requests. */
#define OTHER_IRQ 8
#define PEND_IRQ  9

/* That of the compare register: TIMER2 of the micro:bit, the dual timer. */
#define COMPARE_IRQ 10

/* Takes back the timer's request. */
void other_irq_ack(void);

/* Makes another timer expire once, in so many counts of SysTick's clock. */
void guard(uint32_t counts);
