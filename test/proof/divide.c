/* SPDX-License-Identifier: MIT */
/*
 * test/proof/divide.c - contracts of what lib/ computes, for Frama-C's WP
 */
#include "wheel.c"

/* The most that is divided; every.c has find_spot() get there. */
#define MOST_MIN  (JIF_WHEEL_TURNS * HOUR_TICKS + MIN_TICKS)
#define MOST_HOUR (JIF_WHEEL_TURNS * DAY_TICKS + HOUR_TICKS)
#define MOST_DAY  (JIF_WHEEL_TURNS * WEEK_TICKS + DAY_TICKS)

/*@
  // Frama-C knows a shift by one as a division, and that shifts add up.
  lemma shift_1: \forall integer x; 0 <= x ==> (x >> 1) == x / 2;
  lemma shift_2: \forall integer x; 0 <= x ==>
	(x >> 2) == x / 4 && ((x >> 1) >> 1) == x / 4;
  lemma shift_4: \forall integer x; 0 <= x ==>
	(x >> 4) == x / 16 && ((x >> 2) >> 2) == x / 16;
  lemma shift_7: \forall integer x; 0 <= x ==>
	(x >> 7) == x / 128 && (((x >> 4) >> 2) >> 1) == x / 128;
  lemma shift_8: \forall integer x; 0 <= x ==>
	(x >> 8) == x / 256 && ((x >> 4) >> 4) == x / 256;
  lemma shift_16: \forall integer x; 0 <= x ==>
	(x >> 16) == x / 65536 && ((x >> 8) >> 8) == x / 65536;
  lemma shift_21: \forall integer x; 0 <= x ==>
	(x >> 21) == x / 2097152 && (((x >> 16) >> 4) >> 1) == x / 2097152;
  lemma shift_23: \forall integer x; 0 <= x ==>
	(x >> 23) == x / 8388608 && ((x >> 16) >> 7) == x / 8388608;
  lemma shift_40: \forall integer x; 0 <= x ==>
	(x >> 40) == x / 1099511627776 &&
	(((x >> 16) >> 16) >> 8) == x / 1099511627776;

  logic integer turn(integer place, integer slots) =
	JIF_WHEEL_TURNS == 1 || place < slots ? place : place - slots;

  predicate is_ring(struct ring *ring) =
	ring == &jif_rings[SEC] || ring == &jif_rings[MIN] ||
	ring == &jif_rings[HOUR] || ring == &jif_rings[DAY] ||
	ring == &jif_rings[WEEK];
*/

#if !JIF_DIVIDES
/*@
  requires r == &jif_rings[SEC].per_slot || r == &jif_rings[MIN].per_slot ||
	r == &jif_rings[HOUR].per_slot || r == &jif_rings[DAY].per_slot;
  assigns \nothing;
  behavior sec:
	assumes r == &jif_rings[SEC].per_slot;
	requires x <= MOST_MIN;
	ensures \result == x;
  behavior min:
	assumes r == &jif_rings[MIN].per_slot;
	requires x <= MOST_MIN;
	ensures \result == x / MIN_TICKS;
  behavior hour:
	assumes r == &jif_rings[HOUR].per_slot;
	requires x <= MOST_HOUR;
	ensures \result == x / HOUR_TICKS;
  behavior day:
	assumes r == &jif_rings[DAY].per_slot;
	requires x <= MOST_DAY;
	ensures \result == x / DAY_TICKS;
*/
static inline uint32_t divide(uint32_t x, const struct reciprocal *r);
#endif

/*@
  requires ring == &jif_rings[SEC] || ring == &jif_rings[MIN] ||
	ring == &jif_rings[HOUR] || ring == &jif_rings[DAY];
  requires ring == &jif_rings[SEC] || ring == &jif_rings[MIN] ==>
	ticks <= MOST_MIN;
  requires ring == &jif_rings[HOUR] ==> ticks <= MOST_HOUR;
  requires ring == &jif_rings[DAY] ==> ticks <= MOST_DAY;
  assigns \nothing;
  ensures ring == &jif_rings[SEC] ==> \result == ticks;
  ensures ring == &jif_rings[MIN] ==> \result == ticks / MIN_TICKS;
  ensures ring == &jif_rings[HOUR] ==> \result == ticks / HOUR_TICKS;
  ensures ring == &jif_rings[DAY] ==> \result == ticks / DAY_TICKS;
*/
static inline uint32_t slots_in(uint32_t ticks, const struct ring *ring);

/*@
  requires is_ring(ring) && ring->first <= slot < ring->first + ring->slots;
  assigns \nothing;
  ensures JIF_WHEEL_TURNS == 1 ==> \result == slot - ring->first;
  behavior sec:
	assumes ring == &jif_rings[SEC];
	ensures \result == turn(slot - SEC_FIRST, JIF_SEC_SLOTS);
  behavior min:
	assumes ring == &jif_rings[MIN];
	ensures \result == turn(slot - MIN_FIRST, JIF_MIN_SLOTS);
  behavior hour:
	assumes ring == &jif_rings[HOUR];
	ensures \result == turn(slot - HOUR_FIRST, JIF_HOUR_SLOTS);
  behavior day:
	assumes ring == &jif_rings[DAY];
	ensures \result == turn(slot - DAY_FIRST, JIF_DAY_SLOTS);
*/
static inline unsigned in_turn(const struct ring *ring, unsigned slot);
