/* SPDX-License-Identifier: MIT */
/*
 * test/proof/theory.h - what contracts talk of: levels, hands, and visits
 */
#ifndef JIF_TEST_PROOF_THEORY_H
#define JIF_TEST_PROOF_THEORY_H

#include "wheel.h"

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

  logic integer unit(integer l) =
	l == SEC ? 1 : l == MIN ? MIN_TICKS : l == HOUR ? HOUR_TICKS :
	l == DAY ? DAY_TICKS : WEEK_TICKS;

  logic integer size(integer l) =
	l == SEC ? TURNS * JIF_SEC_SLOTS : l == MIN ? TURNS * JIF_MIN_SLOTS :
	l == HOUR ? TURNS * JIF_HOUR_SLOTS :
	l == DAY ? TURNS * JIF_DAY_SLOTS : TURNS + 1;

  logic integer first_of(integer l) =
	l == SEC ? SEC_FIRST : l == MIN ? MIN_FIRST : l == HOUR ? HOUR_FIRST :
	l == DAY ? DAY_FIRST : l == WEEK ? WEEK_FIRST : LAST_SLOT + 1;

  logic integer level(integer where) =
	where < MIN_FIRST ? SEC : where < HOUR_FIRST ? MIN :
	where < DAY_FIRST ? HOUR : where < WEEK_FIRST ? DAY : WEEK;

  logic integer turn(integer place, integer slots) =
	TURNS == 1 || place < slots ? place : place - slots;

  logic integer wrap(integer slot, integer l) =
	slot >= first_of(l + 1) ? slot - size(l) : slot;

  // The ticks since the hand of a level has moved.
  logic integer since{L}(struct jif_wheel *w, integer l) =
	(l > SEC ? turn(w->hand[SEC] - SEC_FIRST, JIF_SEC_SLOTS) : 0) +
	(l > MIN ? turn(w->hand[MIN] - MIN_FIRST, JIF_MIN_SLOTS) *
	 MIN_TICKS : 0) +
	(l > HOUR ? turn(w->hand[HOUR] - HOUR_FIRST, JIF_HOUR_SLOTS) *
	 HOUR_TICKS : 0) +
	(l > DAY ? turn(w->hand[DAY] - DAY_FIRST, JIF_DAY_SLOTS) *
	 DAY_TICKS : 0);

  predicate in_ring(integer slot, integer l) =
	first_of(l) <= slot < first_of(l + 1);

  // A hand moved when the lower ones say so; the clock may have wrapped since.
  predicate moved{L}(struct jif_wheel *w, integer l) =
	w->moved[l] + since(w, l) == w->clk ||
	w->moved[l] + since(w, l) == w->clk + 4294967296;

  // From one tick to another, later one.
  logic integer ticks(integer from, integer to) =
	from <= to ? to - from : to - from + 4294967296;

  // Frama-C does not know how C converts what is below 0.
  axiomatic conversion {
	axiom below: \forall integer x; -4294967296 <= x < 0 ==>
		(uint32_t)x == x + 4294967296;
  }

  lemma difference: \forall uint32_t from, to;
	(uint32_t)(to - from) == ticks(from, to);

  // W1
  predicate hands{L}(struct jif_wheel *w) =
	in_ring(w->hand[SEC], SEC) && in_ring(w->hand[MIN], MIN) &&
	in_ring(w->hand[HOUR], HOUR) && in_ring(w->hand[DAY], DAY) &&
	in_ring(w->hand[WEEK], WEEK) && w->clk == w->moved[SEC] &&
	moved(w, MIN) && moved(w, HOUR) && moved(w, DAY) && moved(w, WEEK);

  // How many slots the hand has to go; a whole turn if it has moved on.
  logic integer ahead(integer n, integer slots, integer ticks) =
	n < 0 || (n == 0 && ticks > 0) ? n + slots : n;

  // The ticks until the hand gets to a slot.
  logic integer visit{L}(struct jif_wheel *w, integer where) =
	level(where) == SEC ?
	ahead(where - w->hand[SEC], size(SEC), 0) :
	level(where) == MIN ?
	ahead(where - w->hand[MIN], size(MIN), since(w, MIN)) *
	MIN_TICKS - since(w, MIN) :
	level(where) == HOUR ?
	ahead(where - w->hand[HOUR], size(HOUR), since(w, HOUR)) *
	HOUR_TICKS - since(w, HOUR) :
	level(where) == DAY ?
	ahead(where - w->hand[DAY], size(DAY), since(w, DAY)) *
	DAY_TICKS - since(w, DAY) : 0;

  // The ring of a level spans what is due in so many ticks.
  predicate spanned{L}(struct jif_wheel *w, integer l, integer delta) =
	TURNS == 1 ? delta < unit(l + 1) :
	delta + since(w, l + 1) < TURNS * unit(l + 1);

  // A list that a timer, which is not on it, can be put on.
  predicate list_ok{L}(struct jif_wheel *w, struct jif_timer *t, integer s) =
	w->slot[s] == \null ||
	(\valid(w->slot[s]) && \valid(w->slot[s]->next) &&
	 \separated(t, w->slot[s]) && \separated(t, w->slot[s]->next) &&
	 \separated(&w->slot[s], w->slot[s]) &&
	 \separated(&w->slot[s], w->slot[s]->next));

  predicate is_ring(struct ring *ring) =
	ring == &jif_rings[SEC] || ring == &jif_rings[MIN] ||
	ring == &jif_rings[HOUR] || ring == &jif_rings[DAY] ||
	ring == &jif_rings[WEEK];
*/

#endif
