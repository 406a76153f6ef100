/* SPDX-License-Identifier: MIT */
/* Random operations on a wheel and on the oracle */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/**
 * struct lockstep_config - what a run of the test does
 * @seed:		of the random numbers; the same seed, the same run
 * @operations:		how many, callbacks' and interrupts' own included
 * @timers:		how many, at most ORACLE_MAX
 * @start:		what the clock shows at first
 * @longest:		delays are up to this
 * @interrupts:		one in so many windows, an interrupt does something
 * @checks:		one in so many operations, the invariants are checked
 * @jumps:		one in so many runs is of more than a tick; 0: most are
 * @end:		a clock at which to end, too; 0: none
 * @input:		what is chosen, instead of by chance; NULL: by chance
 * @input_end:		where that ends, and the run
 * @told:		each step is printed
 */
struct lockstep_config {
	uint64_t seed;
	uint64_t operations;
	unsigned timers;
	uint64_t start;
	uint32_t longest;
	unsigned interrupts;
	unsigned checks;
	unsigned jumps;
	uint64_t end;
	const uint8_t *input;
	const uint8_t *input_end;
	bool told;
};

/**
 * struct lockstep_result - what it did
 * @operations:		done
 * @fired:		expiries, each compared
 * @interrupted:	operations that an interrupt did
 * @runs:		of the wheel
 * @clock:		at the end
 * @difference:		the first difference, or an empty string
 */
struct lockstep_result {
	uint64_t operations;
	uint64_t fired;
	uint64_t interrupted;
	uint64_t runs;
	uint64_t clock;
	char difference[256];
};

struct lockstep_result lockstep_run(const struct lockstep_config *config);
