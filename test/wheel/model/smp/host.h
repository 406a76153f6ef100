/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/model/smp/host.h - for lib/port/smp/spin.h: cores that are threads
 *
 * The spinlock of an RP2040 is a flag.
 */
#pragma once

#include <stdbool.h>

extern bool smp_spinlock;

void smp_wait(void);

#define SPIN_WAIT() smp_wait()
#define SPINLOCK_READ()                                                        \
	(!__atomic_test_and_set(&smp_spinlock, __ATOMIC_ACQUIRE))
#define SPINLOCK_WRITE() __atomic_clear(&smp_spinlock, __ATOMIC_RELEASE)
