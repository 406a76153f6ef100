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
  requires is_ring(ring) && ring->first <= hand < ring->first + ring->slots;
  assigns \nothing;
  ensures TURNS == 1 ==> \result == hand - ring->first;
  behavior sec:
	assumes ring == &jif_rings[SEC];
	ensures \result == turn(hand - SEC_FIRST, JIF_SEC_SLOTS);
  behavior min:
	assumes ring == &jif_rings[MIN];
	ensures \result == turn(hand - MIN_FIRST, JIF_MIN_SLOTS);
  behavior hour:
	assumes ring == &jif_rings[HOUR];
	ensures \result == turn(hand - HOUR_FIRST, JIF_HOUR_SLOTS);
  behavior day:
	assumes ring == &jif_rings[DAY];
	ensures \result == turn(hand - DAY_FIRST, JIF_DAY_SLOTS);
*/
static inline index_t in_turn(const struct ring *ring, unsigned hand);

/*@
  requires is_ring(ring) && \valid(remaining);
  assigns *remaining;
  behavior sec:
	assumes ring == &jif_rings[SEC];
	requires in_ring(hand, SEC) && ticks <= size(SEC);
	ensures *remaining == 0;
	ensures \result == wrap(hand + ticks, SEC);
  behavior min:
	assumes ring == &jif_rings[MIN];
	requires in_ring(hand, MIN) && ticks < TURNS * HOUR_TICKS + MIN_TICKS;
	ensures *remaining == ticks % MIN_TICKS;
	ensures \result == wrap(hand + ticks / MIN_TICKS, MIN);
  behavior hour:
	assumes ring == &jif_rings[HOUR];
	requires in_ring(hand, HOUR) && ticks < TURNS * DAY_TICKS + HOUR_TICKS;
	ensures *remaining == ticks % HOUR_TICKS;
	ensures \result == wrap(hand + ticks / HOUR_TICKS, HOUR);
  behavior day:
	assumes ring == &jif_rings[DAY];
	requires in_ring(hand, DAY) && ticks < TURNS * WEEK_TICKS + DAY_TICKS;
	ensures *remaining == ticks % DAY_TICKS;
	ensures \result == wrap(hand + ticks / DAY_TICKS, DAY);
  behavior week:
	assumes ring == &jif_rings[WEEK];
	requires in_ring(hand, WEEK) && TURNS * WEEK_TICKS <= ticks;
	ensures *remaining == ticks - TURNS * WEEK_TICKS;
	ensures \result == wrap(hand + TURNS, WEEK);
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
			      uint32_t delta, index_t level);

/*@
  requires from <= to;
  assigns \nothing;
  ensures from <= \result <= to;
  ensures \forall integer i; from <= i < \result ==> !is_set(map, i);
  ensures \result < to ==> is_set(map, \result);
*/
static inline index_t bitmap_find(const jif_word_t *map, unsigned from,
				  unsigned to);

/*@
  requires \valid_read(wheel) && hands(wheel);
  assigns \nothing;
  ensures \result <= JIF_DELAY_MAX + 1;
  ensures not_later(wheel, SEC_FIRST, LAST_SLOT + 1, \result);
*/
static uint32_t ticks_to_stop(const struct jif_wheel *wheel);
