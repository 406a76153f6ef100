/* SPDX-License-Identifier: MIT */
/*
 * test/proof/run.c - contracts of steps of a run, for Frama-C's WP
 *
 * Of jif_wheel_run_most() and the steps that it consists of. What those call is
 * assumed, and expire(). One wheel, and timers in one array. In callbacks, and
 * where interrupts are let in, lists, timers and quiet may change to anything
 * with W2; clock and hands do not. steps.c is wheel.c with the names of what
 * holds in its loops.
 */
#include "wheel.h"

#define TIMERS 65536

/* By those who arm and delete; clang-format would move dots. */
#define UNTIL ..
#define CHANGED                                                                \
	w.quiet, w.postponed, w.far_due, w.occupied[0 UNTIL WORDS - 1],        \
		w.slot[0 UNTIL LAST_SLOT - 1], timers[0 UNTIL TIMERS - 1]

#define CLOCK w.clk, w.moved[0 UNTIL 4], w.hand[0 UNTIL 4], w.due

static struct jif_wheel w;
static struct jif_timer timers[TIMERS];

enum { WORDS = sizeof(w.occupied) / sizeof(w.occupied[0]) };

/*@
  // What the provers are not told of a conversion.
  axiomatic words_wrap {
	axiom below: \forall integer x; -UINT32_MAX <= x < 0 ==>
		(uint32_t)x == x + UINT32_MAX + 1;
	axiom above: \forall integer x; UINT32_MAX < x <= 2 * UINT32_MAX ==>
		(uint32_t)x == x - UINT32_MAX - 1;
  }

  lemma nearer: \forall uint32_t now, clk, integer step;
	0 <= step <= (uint32_t)(now - clk) ==>
	(uint32_t)(now - (uint32_t)(clk + step)) ==
	(uint32_t)(now - clk) - step;
*/

/* What the search for a stop found; was anything armed until it was over? */
/*@ ghost uint32_t stop; */
/*@ ghost int armed; */

/*@
  predicate is_timer(struct jif_timer *t) =
	\exists integer i; 0 <= i < TIMERS && t == &timers[i];

  // W2, of both ends of each list.
  predicate w2{L} = \forall integer i; 0 <= i < LAST_SLOT ==>
	w.slot[i] == \null ||
	(is_timer(w.slot[i]) && w.slot[i]->where == i + 1 &&
	 is_timer(w.slot[i]->next) && w.slot[i]->next->where == i + 1);

  // W1
  predicate w1{L} =
	SEC_FIRST <= w.hand[SEC] < MIN_FIRST &&
	MIN_FIRST <= w.hand[MIN] < HOUR_FIRST &&
	HOUR_FIRST <= w.hand[HOUR] < DAY_FIRST &&
	DAY_FIRST <= w.hand[DAY] < WEEK_FIRST &&
	WEEK_FIRST <= w.hand[WEEK] <= LAST_SLOT;

  // The hands of what is due have just moved.
  predicate reached{L} = w.due <= LEVELS && w.moved[0] == w.clk &&
	\forall integer l; 0 <= l < w.due ==> w.moved[l] == w.clk;

  logic integer level(integer slot) =
	slot < MIN_FIRST ? 0 : slot < HOUR_FIRST ? 1 :
	slot < DAY_FIRST ? 2 : slot < WEEK_FIRST ? 3 : 4;

  logic integer unit(integer l) =
	l == 0 ? 1 : l == 1 ? 60 : l == 2 ? 3600 : 86400;

  logic integer turn(integer l) = TURNS *
	(l == 0 ? 60 : l == 1 ? 3600 : l == 2 ? 86400 : 604800);

  logic integer visit{L}(struct jif_timer *t) =
	(uint32_t)(w.moved[level(t->where)] +
	(t->where - w.hand[level(t->where)]) * unit(level(t->where)));

  // W3
  logic integer expiry{L}(struct jif_timer *t) =
	level(t->where) == 4 ? t->remaining :
	(uint32_t)(t->remaining + visit(t) +
	((uint32_t)(visit(t) - w.clk) > INT32_MAX ? turn(level(t->where)) : 0));

  predicate is_pending_timer{L}(struct jif_timer *t) =
	is_timer(t) && 1 <= t->where <= LAST_SLOT;

  lemma hand_is_slot{L}: \forall integer l; w1 && 0 <= l <= WEEK ==>
	SEC_FIRST <= w.hand[l] <= LAST_SLOT && level(w.hand[l]) == l;

  lemma at_hand{L}: \forall struct jif_timer *t, integer l;
	0 <= l <= DAY && t->where == w.hand[l] && level(t->where) == l &&
	w.moved[l] == w.clk ==>
	expiry(t) == (uint32_t)(t->remaining + w.clk);
*/

/* clang-format off */
#define EMPTY_SLOT                                                             \
	loop invariant w2 && run->left <= \at(run->left, Pre);                 \
	loop assigns timer, CHANGED, run->flags, run->left, run->ran, armed;   \
	loop variant run->left;

#define RUN_TICK                                                               \
	loop invariant w2 && reached && run->left <= \at(run->left, Pre);      \
	loop assigns CHANGED, w.due, run->flags, run->left, run->ran, armed;   \
	loop variant w.due;

#define MOVE_AHEAD                                                             \
	loop invariant w2 && w.due == 0;                                       \
	loop assigns \nothing;                                                 \
	loop variant run->left;

#define RUN                                                                    \
	loop invariant w1 && w2 && reached;                                    \
	loop invariant (uint32_t)(now - w.clk) <=                              \
		(uint32_t)(now - \at(w.clk, Pre));                             \
	loop assigns CLOCK, CHANGED, run, stop, armed;                         \
	loop variant (uint32_t)(now - w.clk);
/* clang-format on */

#include "steps.c"

/*@
  predicate is_run(struct run *run) = \valid(run) &&
	\separated(run, &w, &timers[0 .. TIMERS - 1]);
*/

/*@
  assigns CHANGED;
  ensures w2;
*/
static inline void jif_irq_restore(jif_irq_t flags);

/*@
  assigns CHANGED, armed;
  ensures w2 && (armed != 0 <==> w.quiet == 0);
*/
static inline jif_irq_t jif_irq_save(void);

/*@
  requires wheel == &w;
  assigns stop, CHANGED;
  ensures \result == stop && 1 <= stop <= NEVER;
*/
uint32_t jif_ticks_to_stop(const struct jif_wheel *wheel);

/*@
  requires wheel == &w;
  assigns w.moved[0 .. 4], w.hand[0 .. 4], w.due;
  ensures w1 && reached;
*/
static void move_hands(struct jif_wheel *wheel);

/*@
  requires turns == TURNS && rest == 1 && rest <= ticks <= NEVER;
  assigns \nothing;
  ensures \result % (TURNS * WEEK_TICKS) == 0;
  ensures rest <= ticks - \result < TURNS * WEEK_TICKS + rest;
*/
static inline uint32_t whole_weeks(uint32_t ticks, unsigned turns,
				   uint32_t rest);

/*@
  requires wheel == &w && is_run(run) && 1 <= most <= JIF_DELAY_MAX;
  requires target: most == (uint32_t)(w.target - w.clk);
  assigns CLOCK, CHANGED, run->flags, stop, armed;
  ensures w.clk == (uint32_t)(\old(w.clk) +
	(armed != 0 || most == 1 ? 1 : \min(stop, most)));
  ensures w1 && w2 && reached;
  ensures nearer: (uint32_t)(w.target - w.clk) < most;
*/
static void advance(struct jif_wheel *wheel, uint32_t most, struct run *run);

/*@
  requires wheel == &w && is_pending_timer(timer);
  assigns CHANGED;
  ensures w2 && timer->where == JIF_TIMER_IDLE;
*/
static inline void dequeue(struct jif_wheel *wheel, struct jif_timer *timer);

/*@
  requires wheel == &w && is_timer(timer) && w1 && w2;
  requires idle: timer->where == JIF_TIMER_IDLE;
  requires round: level <= WEEK && (level == SEC ||
	level == WEEK || w.moved[level + 1] == w.clk);
  assigns CHANGED;
  ensures w2 && is_pending_timer(timer) && expiry(timer) == expires;
*/
FAST struct jif_timer **place(struct jif_wheel *wheel, struct jif_timer *timer,
			      uint32_t expires, index_t level);

/*@
  requires wheel == &w && is_pending_timer(timer) && w1 && w2;
  requires kept: expires == expiry(timer);
  requires round: level <= WEEK && (level == SEC ||
	level == WEEK || w.moved[level + 1] == w.clk);
  assigns CHANGED;
  ensures w2;
  ensures pending: is_pending_timer(timer);
  ensures kept: expiry(timer) == \old(expiry(timer));
*/
static void requeue(struct jif_wheel *wheel, struct jif_timer *timer,
		    index_t level, uint32_t expires);

/*@
  requires wheel == &w && is_run(run) && is_pending_timer(timer) && w1 && w2;
  requires exact: expiry(timer) == w.clk;
  assigns CHANGED, run->flags, run->ran, armed;
  ensures w2;
*/
static void expire(struct jif_wheel *wheel, struct jif_timer *timer,
		   struct run *run);

/*@
  requires wheel == &w && is_run(run) && w1 && w2 && level <= WEEK;
  requires reached: w.moved[level] == w.clk && w.moved[0] == w.clk;
  assigns CHANGED, run->flags, run->left, run->ran, armed;
  ensures w2;
  ensures run->left <= \old(run->left);
  ensures empty: \result ==> w.slot[w.hand[level] - 1] == \null;
  ensures spent: !\result ==> run->left == 0;
*/
static bool empty_slot(struct jif_wheel *wheel, index_t level, struct run *run);

/*@
  requires wheel == &w && is_run(run) && w1 && w2;
  requires reached;
  assigns CHANGED, w.due, run->flags, run->left, run->ran, armed;
  ensures w2;
  ensures run->left <= \old(run->left);
  ensures \result ==> w.due == 0;
  ensures !\result ==> run->left == 0;
*/
static bool run_tick(struct jif_wheel *wheel, struct run *run);

//@ assigns \nothing;
static inline index_t bitmap_find(const jif_word_t *map, unsigned from,
				  unsigned to);

/*@
  requires wheel == &w && w1 && w2 && reached;
  assigns w.busy, w.target, CLOCK, CHANGED, stop, armed;
  ensures w2;
  ensures past: (uint32_t)(now - w.clk) <= (uint32_t)(now - \old(w.clk));
  ensures idle: w.busy == \old(w.busy);
*/
unsigned jif_wheel_run_most(struct jif_wheel *wheel, uint32_t now, unsigned max,
			    jif_irq_t flags);
