/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/model/fuzz/snapshot.c - a snapshot, as an input says
 *
 * The first byte tells how much of the header is put right, the next four, how
 * long ago it was. What is refused changes nothing; what is taken is, saved at
 * once, restored and saved again, the same.
 */
#include <jif/firmware/snapshot.h>
#include <jif/kit/sim.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../quiet.h"
#include "../random.h"

#define SAVED_AT UINT64_C(0xffffff00)

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

static struct {
	struct jif_wheel wheel;
	struct jif_timer timers[2];
	struct jif_periodic periodics[3];
	struct jif_table table;
	struct jif_entry entries[6];
} all, kept;

static struct jif_saved_keys keys = { &all.table, NULL };
static const struct jif_saved list[] = {
	JIF_SAVED_TIMER(0, &all.timers[0]),
	JIF_SAVED_PERIODIC(1, &all.periodics[0]),
	JIF_SAVED_PERIODIC(2, &all.periodics[1]),
	JIF_SAVED_PERIODIC(3, &all.periodics[2]),
	JIF_SAVED_KEYS(4, &keys),
	JIF_SAVED_TIMER(260, &all.timers[1]),
};
static const struct jif_snapshot snapshot = { &all.wheel, list, 6, 0x4a };

static void must(bool right, const char *what)
{
	if (right)
		return;
	fprintf(stderr, "snapshot: %s\n", what);
	abort();
}

static void on_timer(struct jif_timer *timer)
{
}

static void on_periodic(struct jif_periodic *p)
{
}

static void on_key(struct jif_table *table, struct jif_key key, void *value)
{
	must(table == &all.table && !value, "a key's table and value");
	must(!key.bytes || key.number < 1u << 20, "a key's length");
}

static void begin(void)
{
	memset(&all, 0, sizeof(all));
	memset(&jif_sim, 0, sizeof(jif_sim));
	jif_wheel_init(&all.wheel, 7);
	for (unsigned i = 0; i < 2; i++)
		jif_timer_init(&all.timers[i], on_timer);
	for (unsigned i = 0; i < 3; i++)
		jif_periodic_init(&all.periodics[i], on_periodic,
				  (enum jif_catchup)i);
	all.table = (struct jif_table){ .wheel = &all.wheel,
					.fn = on_key,
					.hash = jif_key_hash,
					.entries = all.entries,
					.capacity = 6 };
	must(!jif_table_init(&all.table), "a table");
}

static void put(uint8_t *to, uint64_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		to[i] = (uint8_t)(value >> 8 * i);
}

static uint32_t zip_checksum(const uint8_t *bytes, size_t size)
{
	uint32_t sum = UINT32_MAX;

	for (size_t i = 0; i < 8 * size; i++)
		sum = sum >> 1 ^ ((sum ^ bytes[i / 8] >> i % 8) & 1) *
					 UINT32_C(0xedb88320);
	return ~sum;
}

/* Without that, an input would have to guess a checksum. */
static void put_right(uint8_t *bytes, size_t size, unsigned how)
{
	if (size < 32)
		return;
	if (how & 1) {
		memcpy(bytes, "jifS", 4);
		put(bytes + 4, size, 4);
		put(bytes + 8, 1, 4);
	}
	if (how & 2)
		put(bytes + 16, 0x4a, 4);
	if (how & 4)
		put(bytes + 20, SAVED_AT, 8);
	if (how & 8)
		put(bytes + size - 4, zip_checksum(bytes, size - 4), 4);
}

/* From a state that was restored and not run. */
static void save_twice(size_t size)
{
	uint8_t *first = malloc(size), *second = malloc(size);
	uint32_t clock = jif_wheel_clock(&all.wheel);
	int length = jif_snapshot_save(&snapshot, first, size, clock, 5);

	must(length > 0, "it is not saved");
	begin();
	must(jif_snapshot_restore(&snapshot, first, (size_t)length, clock, 5) >=
		     0,
	     "what was saved is not restored");
	must(jif_snapshot_save(&snapshot, second, size, clock, 5) == length &&
		     !memcmp(first, second, (size_t)length),
	     "it is not the same");
	must(!jif_wheel_check(&all.wheel), "the wheel");
	free(second);
	jif_wheel_run_budget(&all.wheel, clock + (1u << 30), 500);
	must(!jif_wheel_check(&all.wheel), "the wheel, after a run");
	free(first);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
	const uint8_t *end = input + size;
	unsigned how = random_read(&input, end, 16);
	uint32_t since = random_read(&input, end, UINT32_MAX);
	size_t length = (size_t)(end - input);
	uint8_t *bytes = malloc(length + 1);
	int err;

	memcpy(bytes, input, length);
	bytes = realloc(bytes, length ? length : 1);
	put_right(bytes, length, how);
	begin();
	kept = all;
	err = jif_snapshot_restore(&snapshot, bytes, length, 7,
				   SAVED_AT + since);
	if (err < 0)
		must(!memcmp(&all, &kept, sizeof(all)), "it was refused");
	else
		save_twice(length + 100);
	free(bytes);
	return 0;
}
