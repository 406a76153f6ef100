/* SPDX-License-Identifier: MIT */
/*
 * test/face/kernels/any/hosttime.h - a host's time that is its program's own
 *
 * In the place of the host's calls, by the linker's --wrap: a look at the clock
 * takes a microsecond, a wait goes on to what ends it, and a signal comes
 * there. So no run depends on what else the host has to do.
 */
#pragma once

#include <stdint.h>

/* So much time passes; signals that are due come, unless they are blocked. */
void host_pass(uint32_t ns);

uint32_t host_us(void);

/* host_irq(), which the program has, is called so much later; 0: now. */
void host_irq(void) __attribute__((weak));
void host_request(uint32_t us);
