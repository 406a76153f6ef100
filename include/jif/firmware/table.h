/* SPDX-License-Identifier: MIT */
/*
 * jif/firmware/table.h - timers by key
 *
 * A table maps keys to timers and values, in entries that the caller provides:
 * set, move and remove a time-out by the number of a connection or by a name.
 * When one expires, the function of the table is called with key and value.
 *
 * A find gives a handle, which leads to the entry without a search. When the
 * entry is gone, the handle is refused, also if another key has its place: a
 * handle has a generation of 16 bits, or 32 where addresses have 64.
 *
 * Every call is atomic to every other one. Interrupts are off while a key is
 * compared with those of its bucket and, to take it out, hashed: as long at any
 * number of entries if the hash spreads the keys.
 */
#ifndef JIF_TABLE_H
#define JIF_TABLE_H

#include <jif/periodic.h>

JIF_BEGIN_DECLS

struct jif_table;

/* Where addresses have 64 bits, a table may have more than 65,534 entries. */
#if UINTPTR_MAX > 0xffffffff
typedef uint64_t jif_number_t;
typedef uint64_t jif_handle_t;
typedef uint32_t jif_link_t;
#else
typedef uint32_t jif_number_t;
typedef uint32_t jif_handle_t;
typedef uint16_t jif_link_t;
#endif

/** JIF_TABLE_MAX - the largest capacity of a table */
#define JIF_TABLE_MAX ((jif_link_t)-2)

/**
 * struct jif_key - a number or a string of bytes
 * @bytes:	where the string is and, in a table, stays; NULL: a number
 * @number:	the number, or the length of the string in bytes
 */
struct jif_key {
	const void *bytes;
	jif_number_t number;
};

/**
 * jif_key_number - a key that is a number
 * @number:	which
 * Context: any.
 * Return: the key.
 */
static inline struct jif_key jif_key_number(jif_number_t number)
{
	struct jif_key key = { NULL, number };

	return key;
}

/**
 * jif_key_bytes - a key that is a string of bytes
 * @bytes:	where it is, and stays while it is in a table; not NULL
 * @length:	of it, in bytes; at least 1
 * Context: any.
 * Return: the key.
 */
static inline struct jif_key jif_key_bytes(const void *bytes,
					   jif_number_t length)
{
	struct jif_key key = { bytes, length };

	return key;
}

/**
 * struct jif_schedule - when an entry expires
 * @expires:	first, absolute, in the wheel's time; what is due or past runs
 *		on the next tick, never inside the call
 * @period:	from time to time, in ticks, up to JIF_DELAY_MAX; 0: one time
 * @times:	how often, without missed periods; JIF_FOREVER: no end
 * @catchup:	what happens to the periods that a stall has covered. If these
 *		and one more are over JIF_DELAY_MAX, there is a second call
 */
struct jif_schedule {
	uint32_t expires;
	uint32_t period;
	uint32_t times;
	enum jif_catchup catchup;
};

/**
 * jif_once - a schedule with one time
 * @expires:	when: absolute, in the wheel's time
 * Context: any.
 * Return: the schedule.
 */
static inline struct jif_schedule jif_once(uint32_t expires)
{
	struct jif_schedule schedule = { expires, 0, 1, JIF_CATCHUP_SKIP };

	return schedule;
}

/**
 * jif_every - a schedule with several times
 * @expires:	the first one: absolute, in the wheel's time
 * @period:	from one to the next, in ticks, 1 to JIF_DELAY_MAX
 * @times:	how many; JIF_FOREVER: no end
 * Context: any.
 * Return: the schedule, with JIF_CATCHUP_SKIP.
 */
static inline struct jif_schedule jif_every(uint32_t expires, uint32_t period,
					    uint32_t times)
{
	struct jif_schedule schedule = { expires, period, times,
					 JIF_CATCHUP_SKIP };

	return schedule;
}

/**
 * typedef jif_table_fn - what runs when an entry expires
 * @table:	the table
 * @key:	its key; when it has expired for the last time it is free by
 *		now, and so are the bytes of the key
 * @value:	what it was set with
 *
 * May make any call, also about this key. A periodic entry is armed for its
 * next time already; jif_entry_missed() says what a stall has covered.
 */
typedef void jif_table_fn(struct jif_table *table, struct jif_key key,
			  void *value);

/** struct jif_entry - a key in a table */
struct jif_entry {
	/* private: */
	struct jif_timer timer; /* the timer of the next expiry */
	struct jif_table *table;
	void *value; /* handed to the table's function */
	struct jif_key key;
	uint32_t period;       /* in ticks; 0 if it expires once */
	uint32_t times;	       /* still to expire, or JIF_FOREVER */
	uint32_t left;	       /* ticks, if paused; else periods missed */
	jif_link_t next;       /* of its list: index plus 1; 0: the end */
	jif_link_t bucket;     /* the first of that list: as @next */
	jif_link_t generation; /* how often this entry has been freed */
	unsigned state : 4;    /* of lib/firmware/table.c */
	unsigned policy : 4;   /* an enum jif_catchup */
};

/**
 * struct jif_table - a table
 * @wheel:	the wheel that its timers are on
 * @fn:		what runs when an entry expires
 * @hash:	for the keys, of 32 bits or fewer; most often jif_key_hash()
 * @entries:	memory for the entries
 * @capacity:	how many entries there are, at most JIF_TABLE_MAX
 *
 * The caller fills in the public fields, and then calls jif_table_init().
 */
struct jif_table {
	struct jif_wheel *wheel;
	jif_table_fn *fn;
	uint32_t (*hash)(struct jif_key key);
	struct jif_entry *entries;
	uint32_t capacity;
	/* private: */
	jif_link_t used; /* how many are in use */
	jif_link_t free; /* the first that is not, as in struct jif_entry */
	bool stopped;	 /* nothing can be set */
};

/**
 * jif_key_hash - a hash for all kinds of keys
 * @key:	a key
 *
 * Of a number, the number, in 32 bits; of bytes, FNV-1a.
 * Context: any.
 * Return: the hash.
 */
uint32_t jif_key_hash(struct jif_key key);

/**
 * jif_key_hash_seeded - a hash for keys that others choose
 * @key:	a key
 * @seed:	of a program's random numbers; the same for all keys of a table
 *
 * HalfSipHash-1-3. Without the seed, an attacker cannot choose keys that share
 * a bucket. A program's own function calls it, with its seed.
 * Context: any.
 * Return: the hash.
 */
uint32_t jif_key_hash_seeded(struct jif_key key, uint64_t seed);

/**
 * jif_table_init - make an empty table
 * @table:	a table whose public fields the caller has filled in
 * Context: before the table is used.
 * Return: 0; -JIF_EINVAL if a field is missing or out of range.
 */
int jif_table_init(struct jif_table *table);

/**
 * jif_table_set - set the timer of a key, whether it has one or not
 * @table:	the table
 * @key:	the key
 * @value:	handed to the table's function
 * @schedule:	jif_once() or jif_every()
 *
 * What the key had before is replaced, and its handle stays.
 * Context: any.
 * Return: 1 if the key was in the table, 0 if not; -JIF_ENOSPC if it was not,
 * and the table is full; -JIF_EINVAL if the key is a string of no bytes, or the
 * times are 0, or more than 1 without a period, or the policy is unknown, or
 * a filled in table is not set up; -JIF_ERANGE if the period is too long;
 * -JIF_ECANCELED if the table is stopped. After an error, nothing has changed.
 */
JIF_MUST_CHECK
int jif_table_set(struct jif_table *table, struct jif_key key, void *value,
		  struct jif_schedule schedule);

/**
 * jif_table_add - set the timer of a key that has none
 * @table:	the table
 * @key:	the key
 * @value:	handed to the table's function
 * @schedule:	jif_once() or jif_every()
 * Context: any.
 * Return: as jif_table_set(); -JIF_EEXIST if the key is in the table.
 */
JIF_MUST_CHECK
int jif_table_add(struct jif_table *table, struct jif_key key, void *value,
		  struct jif_schedule schedule);

/**
 * jif_table_find - which entry has a key?
 * @table:	the table
 * @key:	the key
 * Context: any.
 * Return: its handle; 0 if the key is not in the table.
 */
jif_handle_t jif_table_find(const struct jif_table *table, struct jif_key key);

/**
 * jif_table_next - go through all entries
 * @table:	the table
 * @after:	0, and then what the last call returned, in use or not by now
 *
 * A key that is there all the time is returned exactly once, in no certain
 * order; one that is set or removed meanwhile, once or not at all.
 * Context: any.
 * Return: a handle; 0 at the end.
 */
jif_handle_t jif_table_next(const struct jif_table *table, jif_handle_t after);

/**
 * jif_table_count - how many keys are in a table
 * @table:	the table
 * Context: any.
 * Return: entries in use, paused ones too.
 */
unsigned jif_table_count(const struct jif_table *table);

/**
 * jif_table_drain - take all entries out
 * @table:	the table
 * @fn:		called with each one; NULL: the function of the table
 *
 * In no certain order. Entries that @fn sets stay; entries that an interrupt
 * sets meanwhile stay or are taken out, too. An entry that @fn has not got yet
 * can be found, but has no time left and cannot be paused.
 * Context: the main loop and callbacks.
 * Return: how many there were.
 */
unsigned jif_table_drain(struct jif_table *table, jif_table_fn *fn);

/**
 * jif_table_stop - take all entries out, and let no more in
 * @table:	the table
 * @fn:		as for jif_table_drain()
 * Context: the main loop and callbacks.
 * Return: how many there were.
 */
unsigned jif_table_stop(struct jif_table *table, jif_table_fn *fn);

/**
 * jif_table_start - let entries in again after jif_table_stop()
 * @table:	the table
 * Context: any.
 */
void jif_table_start(struct jif_table *table);

/**
 * jif_table_stopped - is a table stopped?
 * @table:	the table
 * Context: any.
 * Return: true after jif_table_stop(), until jif_table_start().
 */
static inline bool jif_table_stopped(const struct jif_table *table)
{
	return JIF_LOAD(&table->stopped, RELAXED);
}

/**
 * jif_entry_move - let an entry expire at another time
 * @table:	the table
 * @handle:	the handle of an entry
 * @expires:	absolute, in the wheel's time, as in struct jif_schedule
 *
 * A paused entry is armed. A periodic one goes on from there.
 * Context: any.
 * Return: 1 if it was pending, 0 if it was paused; -JIF_ENOENT if the handle is
 * not, or no longer, that of an entry, or -JIF_ECANCELED if the table is
 * stopped, and nothing has changed.
 */
int jif_entry_move(struct jif_table *table, jif_handle_t handle,
		   uint32_t expires);

/**
 * jif_entry_remove - take an entry out
 * @table:	the table
 * @handle:	the handle of an entry
 * Context: any.
 * Return: 0; -JIF_ENOENT or -JIF_ECANCELED as jif_entry_move().
 */
int jif_entry_remove(struct jif_table *table, jif_handle_t handle);

/**
 * jif_entry_pause - stop the time of an entry
 * @table:	the table
 * @handle:	the handle of an entry
 * Context: any.
 * Return: as jif_entry_remove(); -JIF_EINVAL if it is paused.
 */
int jif_entry_pause(struct jif_table *table, jif_handle_t handle);

/**
 * jif_entry_resume - let the time of an entry go on
 * @table:	the table
 * @handle:	the handle of an entry
 *
 * Exactly as many ticks later as the pause has lasted, from jif_wheel_now() to
 * jif_wheel_now(); if none were left, on the next tick.
 * Context: any.
 * Return: as jif_entry_remove(); -JIF_EINVAL if it is not paused; -JIF_ERANGE
 * if that is more than JIF_DELAY_MAX after the clock of a wheel that is behind.
 */
int jif_entry_resume(struct jif_table *table, jif_handle_t handle);

/**
 * jif_entry_left - how long until an entry expires next
 * @table:	the table
 * @handle:	the handle of an entry
 * Context: any.
 * Return: ticks from jif_wheel_now() on; of a paused one, what it keeps; 0 if
 * it is due, whether it has run or not, or there is no such entry.
 */
uint32_t jif_entry_left(const struct jif_table *table, jif_handle_t handle);

/**
 * jif_entry_times - how often an entry is still to expire
 * @table:	the table
 * @handle:	the handle of an entry
 * Context: any.
 * Return: how often; JIF_FOREVER; 0 if there is no such entry.
 */
uint32_t jif_entry_times(const struct jif_table *table, jif_handle_t handle);

/**
 * jif_entry_missed - how many periods were skipped before the last call
 * @table:	the table
 * @handle:	the handle of an entry
 * Context: any.
 * Return: how many, right before the last call; 0 once it is armed anew or
 * paused, or if there is no such entry, as in its last call.
 */
uint32_t jif_entry_missed(const struct jif_table *table, jif_handle_t handle);

/**
 * jif_entry_get - what an entry was set with
 * @table:	the table
 * @handle:	the handle of an entry
 * @key:	set to its key; NULL: not wanted
 * @value:	set to its value; NULL: not wanted
 * Context: any.
 * Return: false if there is no such entry, and then nothing is set.
 */
bool jif_entry_get(const struct jif_table *table, jif_handle_t handle,
		   struct jif_key *key, void **value);

/* The same by key: -JIF_ENOENT, or 0, if the key is not in the table. */

static inline bool jif_table_exists(const struct jif_table *table,
				    struct jif_key key)
{
	return jif_table_find(table, key) != 0;
}

static inline int jif_table_move(struct jif_table *table, struct jif_key key,
				 uint32_t expires)
{
	return jif_entry_move(table, jif_table_find(table, key), expires);
}

static inline int jif_table_remove(struct jif_table *table, struct jif_key key)
{
	return jif_entry_remove(table, jif_table_find(table, key));
}

static inline int jif_table_pause(struct jif_table *table, struct jif_key key)
{
	return jif_entry_pause(table, jif_table_find(table, key));
}

static inline int jif_table_resume(struct jif_table *table, struct jif_key key)
{
	return jif_entry_resume(table, jif_table_find(table, key));
}

static inline uint32_t jif_table_left(const struct jif_table *table,
				      struct jif_key key)
{
	return jif_entry_left(table, jif_table_find(table, key));
}

static inline uint32_t jif_table_times(const struct jif_table *table,
				       struct jif_key key)
{
	return jif_entry_times(table, jif_table_find(table, key));
}

JIF_END_DECLS

#endif
