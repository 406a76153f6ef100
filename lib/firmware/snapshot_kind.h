/* SPDX-License-Identifier: MIT */
/* lib/firmware/snapshot_kind.h - what a kind of object has to do to be saved */
#ifndef JIF_LIB_SNAPSHOT_KIND_H
#define JIF_LIB_SNAPSHOT_KIND_H

#include <jif/firmware/snapshot.h>

/* What a record is of. */
enum { OF_TIMER = 1, OF_PERIODIC, OF_NUMBER, OF_BYTES };

/**
 * struct jif_record - a timer, in a snapshot
 * @id:		the number of its object
 * @of:		what it is
 * @how:	1 if it is paused
 * @left:	ticks from the clock of the save on; of a periodic timer that
 *		runs after its tick, less than 0
 * @period:	in ticks, or 0
 * @times:	how often it expires, or JIF_FOREVER
 * @key:	the key
 * @high:	the upper half of its 64 bits
 * @nth:	it is the record of that number of its object
 * @since:	ticks from the save to the restore
 */
struct jif_record {
	uint16_t id;
	uint8_t of;
	uint8_t how;
	uint32_t left;
	uint32_t period;
	uint32_t times;
	struct jif_key key;
	uint32_t high;
	uint32_t nth;
	uint32_t since;
};

/**
 * struct jif_saved_kind - what is to be done with a kind of object
 * @save:	fills in the next record of it, from @cursor on, which is 0 at
 *		first; false if there is no more. Interrupts are off
 * @check:	why a record cannot be restored, or 0
 * @restore:	arms what a record says, on a wheel with the clock of the save;
 *		false if a record before has armed that
 */
struct jif_saved_kind {
	bool (*save)(struct jif_wheel *wheel, const void *object,
		     struct jif_record *r, jif_handle_t *cursor);
	int (*check)(const void *object, const struct jif_record *r);
	bool (*restore)(struct jif_wheel *wheel, void *object,
			const struct jif_record *r);
};

#endif
