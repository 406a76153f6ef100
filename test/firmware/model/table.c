/* SPDX-License-Identifier: MIT */
/*
 * test/firmware/model/table.c - random operations on a table and on a sorted
 * map
 *
 * LOCKSTEP_SEED and LOCKSTEP_OPERATIONS, in the environment, are for more.
 */
#include <criterion/criterion.h>
#include <inttypes.h>

#include "../../wheel/model/environment.h"
#include "map.h"

#define DEFAULT 1000000

static void expect_no_difference(unsigned keys, unsigned capacity,
				 uint32_t (*hash)(struct jif_key key))
{
	uint64_t operations = number_of("LOCKSTEP_OPERATIONS", DEFAULT);

	map_begin(keys, capacity, hash, number_of("LOCKSTEP_SEED", keys));
	while (map.acts < operations && map_turn())
		;
	printf("table: %u keys, %u entries: %" PRIu64 " operations, %" PRIu64
	       " of them in interrupts, %" PRIu64 " expiries compared\n",
	       keys, capacity, map.acts, map.interrupted, map.expired);
	cr_assert_str_empty(map.difference);
	cr_assert_eq(jif_wheel_check(&map.wheel), 0);
	cr_assert_gt(map.expired, operations / 20);
	cr_assert_gt(map.interrupted, operations / 100);
}

Test(table_model, three_keys_and_two_entries)
{
	expect_no_difference(3, 2, jif_key_hash);
}

Test(table_model, more_keys_than_entries)
{
	expect_no_difference(60, 20, jif_key_hash);
}

Test(table_model, hardly_any_buckets)
{
	expect_no_difference(40, 40, map_two_buckets);
}

Test(table_model, many_keys)
{
	expect_no_difference(MOST, MOST - 50, jif_key_hash);
}
