/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/model/fuzz/engine.c - the wheel and the oracle of lockstep, as an
 * input says
 */
#include "../lockstep.h"

#include <stdio.h>
#include <stdlib.h>

#include "../random.h"

#define WRAP (UINT64_C(1) << 32)

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
	static const uint32_t longest[] = { 50000000, 0x7fffffff };
	const uint8_t *end = input + size;
	struct lockstep_config config = { .checks = 1, .input_end = end };
	struct lockstep_result result;

	config.operations = size;
	config.timers = 1 + random_read(&input, end, 16);
	config.longest = longest[random_read(&input, end, 2)];
	config.interrupts = 2 + random_read(&input, end, 20);
	config.start = WRAP - 1 - random_read(&input, end, 65536);
	config.input = input;
	result = lockstep_run(&config);
	if (result.difference[0]) {
		fprintf(stderr, "engine: %s\n", result.difference);
		abort();
	}
	return 0;
}
