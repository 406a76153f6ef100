/* SPDX-License-Identifier: MIT */
/*
 * test/proof/wheel.c - contracts of what lib/ computes, for Frama-C's WP
 *
 * looped.c is lib/wheel.c with the contracts of loops.sed.
 */
#include "list.c"
#include "theory.h"

#include "looped.c"

/*@
  requires r == &jif_rings[SEC].per_slot || r == &jif_rings[MIN].per_slot ||
	r == &jif_rings[HOUR].per_slot || r == &jif_rings[DAY].per_slot;
  assigns \nothing;
  behavior sec:
	assumes r == &jif_rings[SEC].per_slot;
	ensures \result == x;
  behavior min:
	assumes r == &jif_rings[MIN].per_slot;
	requires x <= TURNS * HOUR_TICKS + MIN_TICKS;
	ensures \result == x / MIN_TICKS;
  behavior hour:
	assumes r == &jif_rings[HOUR].per_slot;
	requires x <= TURNS * DAY_TICKS + HOUR_TICKS;
	ensures \result == x / HOUR_TICKS;
  behavior day:
	assumes r == &jif_rings[DAY].per_slot;
	requires x <= TURNS * WEEK_TICKS + DAY_TICKS;
	ensures \result == x / DAY_TICKS;
*/
static inline uint32_t divide(uint32_t x, const struct reciprocal *r);

/*@
  requires is_ring(ring);
  assigns \nothing;
  ensures TURNS == 1 ==> \result == hand;
  behavior sec:
	assumes ring == &jif_rings[SEC];
	ensures \result == turn(hand, JIF_SEC_SLOTS);
  behavior min:
	assumes ring == &jif_rings[MIN];
	ensures \result == turn(hand, JIF_MIN_SLOTS);
  behavior hour:
	assumes ring == &jif_rings[HOUR];
	ensures \result == turn(hand, JIF_HOUR_SLOTS);
  behavior day:
	assumes ring == &jif_rings[DAY];
	ensures \result == turn(hand, JIF_DAY_SLOTS);
*/
static inline unsigned in_turn(const struct ring *ring, unsigned hand);

/*@
  requires is_ring(ring) && \valid(remaining);
  assigns *remaining;
  behavior sec:
	assumes ring == &jif_rings[SEC];
	requires hand < size(SEC) && ticks <= size(SEC);
	ensures *remaining == 0;
	ensures \result == SEC_FIRST + wrap(hand + ticks, size(SEC));
  behavior min:
	assumes ring == &jif_rings[MIN];
	requires hand < size(MIN) && ticks < TURNS * HOUR_TICKS + MIN_TICKS;
	ensures *remaining == ticks % MIN_TICKS;
	ensures \result == MIN_FIRST +
		wrap(hand + ticks / MIN_TICKS, size(MIN));
  behavior hour:
	assumes ring == &jif_rings[HOUR];
	requires hand < size(HOUR) && ticks < TURNS * DAY_TICKS + HOUR_TICKS;
	ensures *remaining == ticks % HOUR_TICKS;
	ensures \result == HOUR_FIRST +
		wrap(hand + ticks / HOUR_TICKS, size(HOUR));
  behavior day:
	assumes ring == &jif_rings[DAY];
	requires hand < size(DAY) && ticks < TURNS * WEEK_TICKS + DAY_TICKS;
	ensures *remaining == ticks % DAY_TICKS;
	ensures \result == DAY_FIRST +
		wrap(hand + ticks / DAY_TICKS, size(DAY));
  behavior week:
	assumes ring == &jif_rings[WEEK];
	requires hand < size(WEEK) && TURNS * WEEK_TICKS <= ticks;
	ensures *remaining == ticks - TURNS * WEEK_TICKS;
	ensures \result == WEEK_FIRST + wrap(hand + TURNS, size(WEEK));
*/
static inline unsigned calc_slot(const struct ring *ring, unsigned hand,
				 uint32_t ticks, uint32_t *remaining);

/*@
  requires \valid_read(wheel) && \valid_read(timer) && hands(wheel);
  requires 1 <= timer->where <= LAST_SLOT;
  requires visit(wheel, timer->where) + timer->remaining <= UINT32_MAX;
  behavior sec:
	assumes level(timer->where) == SEC;
	ensures \result ==
		\old(visit(wheel, timer->where) + timer->remaining);
  behavior min:
	assumes level(timer->where) == MIN;
	ensures \result ==
		\old(visit(wheel, timer->where) + timer->remaining);
  behavior hour:
	assumes level(timer->where) == HOUR;
	ensures \result ==
		\old(visit(wheel, timer->where) + timer->remaining);
  behavior day:
	assumes level(timer->where) == DAY;
	ensures \result ==
		\old(visit(wheel, timer->where) + timer->remaining);
  behavior week:
	assumes level(timer->where) == WEEK;
	ensures \result ==
		\old(visit(wheel, timer->where) + timer->remaining);
*/
static uint32_t time_left(const struct jif_wheel *wheel,
			  const struct jif_timer *timer);

/*@
  requires \valid(wheel) && \valid(timer) && \separated(wheel, timer);
  requires hands(wheel) && delta <= JIF_DELAY_MAX && level <= DAY;
  requires since(wheel, level) == 0 ||
	delta + since(wheel, level) >= unit(level);
  requires \forall integer s; 0 <= s < LAST_SLOT ==>
	list_ok(wheel, timer, s);
  ensures 1 <= timer->where <= LAST_SLOT && level(timer->where) >= level;
  ensures level(timer->where) == level ||
	!spanned(wheel, level(timer->where) - 1, delta);
  ensures level(timer->where) == WEEK ||
	spanned(wheel, level(timer->where), delta);
  ensures visit(wheel, timer->where) + timer->remaining == delta;
  ensures \result == &wheel->slot[timer->where - 1];
*/
FAST struct jif_timer **place(struct jif_wheel *wheel, struct jif_timer *timer,
			      uint32_t delta, unsigned level);

/*@
  requires bit <= end;
  assigns \nothing;
  ensures bit <= \result <= end;
  ensures \forall integer i; bit <= i < \result ==> !is_set(map, i);
  ensures \result < end ==> is_set(map, \result);
*/
static inline unsigned bitmap_find(const jif_word_t *map, unsigned bit,
				   unsigned end);

/*@
  requires \valid_read(wheel) && hands(wheel);
  assigns \nothing;
  ensures \result <= JIF_DELAY_MAX;
  ensures not_later(wheel, SEC_FIRST, LAST_SLOT + 1, \result);
*/
static uint32_t ticks_to_stop(const struct jif_wheel *wheel);
