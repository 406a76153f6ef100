/* SPDX-License-Identifier: MIT */
/*
 * tools/bench/oracle.h - what is armed, when it is due, and in which order
 *
 * A sorted array. It shares no code with any row.
 */
#ifndef BENCH_ORACLE_H
#define BENCH_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct armed - a timer that is armed
 * @expires:	when it is due
 * @since:	when it was armed
 * @order:	how many had been armed before
 * @timer:	its number
 */
struct armed {
	uint32_t expires;
	uint32_t since;
	uint64_t order;
	size_t timer;
};

/**
 * oracle_init - nothing is armed
 * @number:	how many timers there are, from number 0 on
 */
void oracle_init(size_t number);

/**
 * oracle_arm - a timer is armed, or armed anew
 * @timer:	its number
 * @now:	absolute
 * @expires:	absolute
 */
void oracle_arm(size_t timer, uint32_t now, uint32_t expires);

/**
 * oracle_take - a timer is armed no longer
 * @timer:	its number
 * @armed:	set to what was known of it
 *
 * Return: false if it was not armed.
 */
bool oracle_take(size_t timer, struct armed *armed);

/**
 * oracle_first - the timer that is due first
 *
 * Return: NULL if none is armed.
 */
const struct armed *oracle_first(void);

#endif
