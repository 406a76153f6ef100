/* SPDX-License-Identifier: MIT */
/*
 * lib/shared.h - what is written in one context and read in another one
 *
 * READ_SHARED() and WRITE_SHARED() are for other cores, without the lock: one
 * access, and no order to others. Plain where there is one core: atomic stores
 * cost more on RISC-V, and with some compilers are calls.
 */
#ifndef JIF_LIB_SHARED_H
#define JIF_LIB_SHARED_H

#include <jif/compiler.h>
#include <jif/config.h>
#include <jif/wheel.h>

/* A load or store of 32 bits takes several accesses here. */
#define TEARS (sizeof(void *) < sizeof(uint32_t))

#if CONFIG_JIF_SMP
#define READ_SHARED(from)	 JIF_LOAD(from, RELAXED)
#define WRITE_SHARED(to, what)	 JIF_STORE(to, what, RELAXED)
#define PUBLISH_SHARED(to, what) JIF_STORE(to, what, RELEASE)
#define ACQUIRE_SHARED(from)	 JIF_LOAD(from, ACQUIRE)
#else
#define READ_SHARED(from)	 (*(from))
#define WRITE_SHARED(to, what)	 ((void)(*(to) = (what)))
#define PUBLISH_SHARED(to, what) WRITE_SHARED(to, what)
#define ACQUIRE_SHARED(from)	 READ_SHARED(from)
#endif

/* The hand of the seconds moves at each tick. */
static inline uint32_t clock_of(const struct jif_wheel *wheel)
{
	return wheel->since[0];
}

/* Whoever waits in a loop for a handler looks anew, also if this is inlined. */
#define LOOK_ANEW() JIF_COMPILER_BARRIER()

#endif
