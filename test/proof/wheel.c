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
  requires \valid(wheel) && \valid(timer) && \separated(wheel, timer);
  requires hands(wheel) && level <= DAY;
  requires ticks(wheel->clk, expires) <= JIF_DELAY_MAX;
  requires since(wheel, level) == 0 ||
	ticks(wheel->clk, expires) + since(wheel, level) >= unit(level);
  requires \forall integer s; 0 <= s < LAST_SLOT ==>
	list_ok(wheel, timer, s);
  ensures 1 <= timer->where <= LAST_SLOT && level(timer->where) >= level;
  ensures level(timer->where) == level ||
	!spanned(wheel, level(timer->where) - 1, ticks(wheel->clk, expires));
  ensures level(timer->where) == WEEK ||
	spanned(wheel, level(timer->where), ticks(wheel->clk, expires));
  ensures near: level(timer->where) == WEEK ||
	visit(wheel, timer->where) + timer->remaining ==
	ticks(wheel->clk, expires);
  ensures far: level(timer->where) == WEEK ==> timer->remaining == expires;
  ensures \result == &wheel->slot[timer->where - 1];
*/
FAST struct jif_timer **place(struct jif_wheel *wheel, struct jif_timer *timer,
			      uint32_t expires, index_t level);
