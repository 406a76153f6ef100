/* SPDX-License-Identifier: MIT */
/* A table and a sorted map, as an input says */
#include "../../../firmware/model/map.h"
#include "../quiet.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
	static const struct {
		unsigned keys;
		unsigned capacity;
		uint32_t (*hash)(struct jif_key key);
	} shapes[] = { { 3, 2, jif_key_hash },
		       { 20, 8, jif_key_hash },
		       { 16, 16, map_two_buckets },
		       { 60, 20, jif_key_hash } };
	unsigned shape = size ? input[0] % 4 : 0;

	map_begin(shapes[shape].keys, shapes[shape].capacity,
		  shapes[shape].hash, 1);
	map.input = input;
	map.input_end = input + size;
	while (map.input < map.input_end && map_turn())
		;
	if (map.difference[0] || jif_wheel_check(&map.wheel)) {
		fprintf(stderr, "table: %s\n", map.difference);
		abort();
	}
	return 0;
}
