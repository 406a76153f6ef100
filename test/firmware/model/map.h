/* SPDX-License-Identifier: MIT */
/*
 * test/firmware/model/map.h - a table, and a sorted map to which the same is
 * done
 *
 * The map is an array of rows in the order of their keys, with time in 64 bits.
 * The main loop, the function of the table, and an interrupt in the windows of
 * a run do the same to both, and every result is compared. When an entry
 * expires, the map says which it may be, and that none is left behind. What is
 * done is chosen by chance, by an input, or by one who tries all.
 */
#pragma once

#include <jif/firmware/table.h>
#include <stdio.h>

#ifndef MOST
#define MOST  400
#define STALE 16
#endif
#define NAME 12

enum state { ARMED, PAUSED, DRAINED };

/**
 * struct row - what the map holds
 * @id:		the number of the key; even ones are numbers, odd ones names
 * @state:	one of enum state
 * @handle:	that of the entry
 * @value:	as it was set
 * @bytes:	the key's, of the copy that it was set with last
 * @due:	when it expires, in 64 bits; or what was left, if paused
 * @period:	in jiffies
 * @times:	how often
 * @policy:	an enum jif_catchup
 * @missed:	right before its last call
 * @armed:	the number of the arming
 */
struct row {
	unsigned id;
	enum state state;
	jif_handle_t handle;
	void *value;
	const void *bytes;
	uint64_t due;
	uint32_t period;
	uint32_t times;
	enum jif_catchup policy;
	uint32_t missed;
	uint64_t armed;
};

extern struct map {
	uint32_t (*choose)(uint32_t end); /* NULL: by input or by chance */
	bool extra;	      /* there may be an act within the step */
	bool within;	      /* there has been */
	const uint8_t *input; /* what is chosen; NULL: by chance */
	const uint8_t *input_end;
	uint64_t seed, random;
	unsigned keys;
	uint64_t until; /* what the run under way goes to */
	uint64_t acts, interrupted, expired;
	char difference[160];
	bool running; /* the wheel or a drain, not the table's function */
	bool draining;
	unsigned windows; /* of the drain */
	unsigned drained;
	bool touched[MOST]; /* since the pass began */
	bool stopped;
	int taken; /* key of the entry that has expired, but not been called */
	uint64_t clock, armings;
	struct row rows[MOST];
	unsigned used;
	jif_handle_t stale[STALE];
	char names[2][MOST][NAME];
	struct jif_wheel wheel;
	struct jif_table table;
	struct jif_entry entries[MOST];
} map;

/* A new table, and nothing in it; its seed is for those who print it. */
void map_begin(unsigned keys, unsigned capacity,
	       uint32_t (*hash)(struct jif_key key), uint64_t seed);

/* A few calls, and time passes; true: there is no difference so far. */
bool map_turn(void);

/*
 * One call, tick, pass or drain, of all there are, by map.choose; with @extra,
 * there is one act of the table's function or of an interrupt within it.
 */
bool map_step(bool extra);

/* The wheel's clock, in 64 bits. */
uint64_t map_now(void);

/* A hash that hardly spreads anything. */
uint32_t map_two_buckets(struct jif_key key);
