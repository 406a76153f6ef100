/* SPDX-License-Identifier: MIT */
/*
 * jif/firmware/snapshot.h - timers that survive a reset
 *
 * A snapshot is what timers have left, in a buffer of the caller's, which keeps
 * it where it survives. Restored, they are as if they had slept: what became
 * due meanwhile runs once, in order, or as a periodic timer's policy says.
 * docs/timers.md has the layout, which is the same for all machines.
 */
#ifndef JIF_SNAPSHOT_H
#define JIF_SNAPSHOT_H

#include <jif/firmware/table.h>

JIF_BEGIN_DECLS

/** JIF_SNAPSHOT_SIZE - bytes of a snapshot of so many timers, without keys */
#define JIF_SNAPSHOT_SIZE(timers) (32 + 16 * (size_t)(timers))

/** JIF_SNAPSHOT_MAX - the most ticks from a save to a restore */
#define JIF_SNAPSHOT_MAX JIF_SLEEP_MAX

struct jif_saved_kind;
extern const struct jif_saved_kind jif_saved_timer;
extern const struct jif_saved_kind jif_saved_periodic;
extern const struct jif_saved_kind jif_saved_table;

/**
 * struct jif_saved - an object that is saved, under a number
 * @id:		the number, which stays the same in later versions
 * @kind:	what it is; see JIF_SAVED_TIMER() and its like
 * @object:	where it is
 */
struct jif_saved {
	uint16_t id;
	const struct jif_saved_kind *kind;
	void *object;
};

/**
 * struct jif_saved_keys - a table that is saved
 * @table:	the table
 * @value:	gives the value of a key that is restored. Bytes of a key are in
 *		the buffer then, and have to stay there, unless this points @key
 *		to a copy. NULL: all values are NULL
 */
struct jif_saved_keys {
	struct jif_table *table;
	void *(*value)(struct jif_table *table, struct jif_key *key);
};

#define JIF_SAVED(id, kind, ptr, type)                                         \
	{                                                                      \
		(id), &(kind), (1 ? (ptr) : (type *)0)                         \
	}

/**
 * JIF_SAVED_TIMER - initialiser of a struct jif_saved
 * @id:		its number
 * @timer:	a struct jif_timer
 */
#define JIF_SAVED_TIMER(id, timer)                                             \
	JIF_SAVED(id, jif_saved_timer, timer, struct jif_timer)

/**
 * JIF_SAVED_PERIODIC - initialiser of a struct jif_saved
 * @id:		its number
 * @periodic:	a struct jif_periodic
 */
#define JIF_SAVED_PERIODIC(id, periodic)                                       \
	JIF_SAVED(id, jif_saved_periodic, periodic, struct jif_periodic)

/**
 * JIF_SAVED_KEYS - initialiser of a struct jif_saved
 * @id:		its number
 * @keys:	a struct jif_saved_keys
 */
#define JIF_SAVED_KEYS(id, keys)                                               \
	JIF_SAVED(id, jif_saved_table, keys, struct jif_saved_keys)

/**
 * struct jif_snapshot - what is saved and restored
 * @wheel:	the wheel that all of it is on
 * @list:	the objects, each once, by ascending numbers
 * @count:	how many
 * @product:	a number of the caller's, to be changed when the numbers get
 *		another meaning or a tick another length
 */
struct jif_snapshot {
	struct jif_wheel *wheel;
	const struct jif_saved *list;
	uint16_t count;
	uint32_t product;
};

/**
 * jif_snapshot_save - write what all timers of a list have left
 * @snapshot:	the list
 * @buffer:	where to
 * @size:	of it: JIF_SNAPSHOT_SIZE(), and for each key 24 and its bytes
 * @now:	the wheel's time: jif_now()
 * @rtc:	the time by a clock that goes on, in ticks of the wheel
 *
 * It is as of the wheel's clock. A timer in its callback is over: a timer that
 * is idle is not saved. What handlers arm meanwhile may be left out.
 * Context: the main loop and callbacks.
 * Return: how many bytes were written; -JIF_ENOSPC if they are more than @size,
 * or than INT_MAX, and nothing was written, unless handlers set keys meanwhile;
 * -JIF_EINVAL if the list is not in order, or has a timer with a ratio.
 */
int jif_snapshot_save(const struct jif_snapshot *snapshot, void *buffer,
		      size_t size, uint32_t now, uint64_t rtc);

/**
 * jif_snapshot_restore - arm what a snapshot has
 * @snapshot:	the list; what is on it is initialised and idle, tables empty
 * @buffer:	the snapshot
 * @size:	of @buffer, in bytes; more than the snapshot takes, or as much
 * @now:	the wheel's time: jif_now()
 * @rtc:	the time by the clock of jif_snapshot_save()
 *
 * The wheel, which has to be empty, is initialised anew, with its clock set as
 * long before @now as has passed since it was saved. So the next run catches
 * up, as after a stall; of one tick, in order of the list; what was due in the
 * tick of the save comes one later, a periodic key from then on. Its time
 * source stays. A clock that is behind the save has been lost: then no time has
 * passed. docs/timers.md says how a calendar rings the alarms since.
 * Context: before any handler arms a timer on the wheel.
 * Return: how many timers and keys were armed; or why nothing has changed:
 * * -JIF_ENODATA	- no snapshot is there
 * * -JIF_EMSGSIZE	- it is longer than @size
 * * -JIF_EBADMSG	- it is damaged
 * * -JIF_ENOTSUP	- it is of a later version of the layout, or has a key
 *			  of more bits than numbers have here
 * * -JIF_ESTALE	- it is of another product
 * * -JIF_ENOENT	- the list has no such number, or another kind for it
 * * -JIF_ENOSPC	- it has more keys than the table entries
 * * -JIF_ERANGE	- @rtc is more than JIF_SNAPSHOT_MAX after the save; or
 *			  so far that, with the period of a timer that skips, it
 *			  is more than JIF_DELAY_MAX
 * * -JIF_EBUSY		- the wheel has timers, or something is not idle
 * * -JIF_EINVAL	- the list is not in order, or something that was never
 *			  initialised, or is stopped, is to be armed
 */
int jif_snapshot_restore(const struct jif_snapshot *snapshot,
			 const void *buffer, size_t size, uint32_t now,
			 uint64_t rtc);

/**
 * jif_snapshot_clock - of when is a snapshot?
 * @buffer:	the snapshot
 * @size:	of @buffer, in bytes
 * @rtc:	set to what the clock showed then; the later one of two is newer
 * Context: any.
 * Return: 0; -JIF_ENODATA, -JIF_EMSGSIZE, -JIF_EBADMSG or -JIF_ENOTSUP, as
 * jif_snapshot_restore(), and then @rtc is left alone.
 */
int jif_snapshot_clock(const void *buffer, size_t size, uint64_t *rtc);

JIF_END_DECLS

#endif
