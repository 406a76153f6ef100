/* SPDX-License-Identifier: MIT */
/*
 * test/proof/run.c - contracts of steps of a run, for Frama-C's WP
 *
 * Of jif_wheel_run_most() and its steps. What those call is assumed, and
 * expire(). One wheel, and timers in one array. In callbacks, and where
 * interrupts are let in, lists, timers and quiet_until may change to anything
 * with W2; clock and hands do not. steps.c is wheel.c with the names of what
 * holds in its loops; and so is, with it, rings.h. JIF_HAS_IRQ is as on a chip.
 */
/* clang-format off */
/* Half a week to 4,096 of them. */
#define ARE(n) weeks == (WEEK_TICKS << (n))
#define WHOLE_WEEKS                                                            \
	loop invariant weeks == WEEK_TICKS / 2 || ARE(0) || ARE(1) ||          \
		ARE(2) || ARE(3) || ARE(4) || ARE(5) || ARE(6) || ARE(7) ||    \
		ARE(8) || ARE(9) || ARE(10) || ARE(11) || ARE(12);             \
	loop invariant rest < 2 * weeks && rest <= ticks &&                    \
		(ticks - rest) % WEEK_TICKS == 0;                              \
	loop assigns rest, weeks;                                              \
	loop variant weeks;
/* clang-format on */

#include "rings.h"

#undef JIF_HAS_IRQ
#define JIF_HAS_IRQ 1
#define TIMERS	    65536

/* By those who arm and delete; clang-format would move dots. */
#define UNTIL ..
#define ALTERED                                                                \
	w.quiet_until, w.postponed, w.far_due, w.occupied[0 UNTIL WORDS - 1],  \
		w.slot[0 UNTIL LAST_SLOT - 1], timers[0 UNTIL TIMERS - 1]

#define CLOCK w.since[0 UNTIL 4], w.hand[0 UNTIL 4], w.levels_due

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

  lemma ahead: \forall uint32_t clk, begin, integer step;
	0 <= step && (uint32_t)(clk - begin) + step <= UINT32_MAX ==>
	(uint32_t)((uint32_t)(clk + step) - begin) ==
	(uint32_t)(clk - begin) + step;

  lemma on: \forall uint32_t now, clk, begin, integer step;
	(uint32_t)(now - begin) < step <= (uint32_t)(clk - begin) ==>
	1 <= (uint32_t)((uint32_t)(begin + step) - now) <=
	(uint32_t)(clk - now);

  lemma left: \forall uint32_t now, clk, step;
	(uint32_t)(step - now) <= (uint32_t)(clk - now) ==>
	(uint32_t)(clk - step) ==
	(uint32_t)(clk - now) - (uint32_t)(step - now);

  lemma by: \forall uint32_t clk, integer n; 0 <= n <= UINT32_MAX ==>
	(uint32_t)((uint32_t)(clk + n) - clk) == n;

  lemma there: \forall uint32_t clk, step;
	(uint32_t)(clk - step) == 0 <==> clk == step;
*/

/* What the search for a stop found; has anything been armed since, and when? */
/*@ ghost uint32_t stop; */
/*@ ghost int armed; */
/*@ ghost uint32_t heard; */

/*
 * When that is to expire which was taken off its list last; and that for which
 * a spot was found, which is good while hands and clock stay as they are.
 */
/*@ ghost uint32_t asked; */
/*@ ghost uint32_t found; */

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
	WEEK_FIRST <= w.hand[WEEK] <= LAST_SLOT &&
	(uint32_t)(w.since[0] - w.since[MIN]) < MIN_TICKS &&
	(uint32_t)(w.since[0] - w.since[HOUR]) < HOUR_TICKS &&
	(uint32_t)(w.since[0] - w.since[DAY]) < DAY_TICKS &&
	(uint32_t)(w.since[0] - w.since[WEEK]) < WEEK_TICKS;

  // The hands of what is due have just moved.
  predicate reached{L} = w.levels_due <= LEVELS &&
	\forall integer l; 0 <= l < w.levels_due ==> w.since[l] == w.since[0];

  // On no list, as far as W2 says.
  predicate is_off{L}(struct jif_timer *t) = is_timer(t) && \forall integer i;
	0 <= i < LAST_SLOT && w.slot[i] != \null ==>
	w.slot[i] != t && w.slot[i]->next != t;

  logic integer level(integer slot) =
	slot < MIN_FIRST ? 0 : slot < HOUR_FIRST ? 1 :
	slot < DAY_FIRST ? 2 : slot < WEEK_FIRST ? 3 : 4;

  logic integer unit(integer l) =
	l == 0 ? 1 : l == 1 ? 60 : l == 2 ? 3600 : 86400;

  logic integer turn(integer l) = JIF_WHEEL_TURNS *
	(l == 0 ? 60 : l == 1 ? 3600 : l == 2 ? 86400 : 604800);

  logic integer visit{L}(struct jif_timer *t) =
	(uint32_t)(w.since[level(t->where)] +
	(t->where - w.hand[level(t->where)]) * unit(level(t->where)));

  // W3
  logic integer expiry{L}(struct jif_timer *t) =
	level(t->where) == 4 ? t->remaining :
	(uint32_t)(t->remaining + visit(t) +
	((uint32_t)(visit(t) - w.since[0]) > INT32_MAX ?
	 turn(level(t->where)) : 0));

  // Where a run that is at @clk stops next.
  logic integer end(uint32_t target, integer ahead, uint32_t clk) =
	(uint32_t)(clk + ((uint32_t)(target - clk) == 1 ? 1 :
	 \min(ahead, (uint32_t)(target - clk))));

  predicate is_pending_timer{L}(struct jif_timer *t) =
	is_timer(t) && 1 <= t->where <= LAST_SLOT;

  lemma hand_is_slot{L}: \forall integer l; w1 && 0 <= l <= WEEK ==>
	SEC_FIRST <= w.hand[l] <= LAST_SLOT && level(w.hand[l]) == l;

  predicate has_moved{L}(integer l) = 0 <= l <= WEEK &&
	(l == MIN ==> w.since[MIN] == w.since[0]) &&
	(l == HOUR ==> w.since[HOUR] == w.since[0]) &&
	(l == DAY ==> w.since[DAY] == w.since[0]);

  lemma at_hand{L}: \forall struct jif_timer *t, integer l;
	w1 && has_moved(l) && t->where == w.hand[l] ==>
	expiry(t) == (l == WEEK ? t->remaining :
	(uint32_t)(t->remaining + w.since[0]));
*/

/* clang-format off */
#define LETS_IN                                                                \
	assigns ALTERED;                                                       \
	ensures w2 && (\old(w1) ==> w1);                                       \
	ensures \forall integer l; \old(has_moved(l)) ==> has_moved(l);

#define FIND_STEP                                                              \
	loop invariant level <= WEEK &&                                        \
		(uint32_t)(w.since[0] - w.since[level]) <                      \
		jif_rings[level].ticks &&                                      \
		(uint32_t)(clk - w.since[level]) >= jif_rings[level].ticks;    \
	loop assigns level;                                                    \
	loop variant WEEK - level;

#define ADVANCE                                                                \
	loop invariant w1 && w2 && (armed != 0 ==> w.since[0] == heard &&      \
		clk == (uint32_t)(heard + 1));                                 \
	loop invariant armed == 0 ==> clk == end(w.target, stop,               \
		\at(w.since[0], Pre));                                         \
	loop invariant 1 <= (uint32_t)(clk - w.since[0]) <=                    \
		(uint32_t)(w.target - w.since[0]) <=                           \
		(uint32_t)(w.target - \at(w.since[0], Pre));                   \
	loop assigns clk, step, CLOCK, ALTERED, run->flags, armed, heard;      \
	loop variant (uint32_t)(clk - w.since[0]);

#define RUN_SLOT                                                               \
	loop invariant w1 && w2 && 0 <= run->left <= \at(run->left, Pre);      \
	loop assigns last, timer, ALTERED, asked, found, run->flags,           \
		run->left, run->ran;                                           \
	loop variant run->left;

#define RUN_TICK                                                               \
	loop invariant w1 && w2 && reached;                                    \
	loop invariant 0 <= run->left <= \at(run->left, Pre);                  \
	loop invariant level == w.levels_due;                                  \
	loop assigns level, w.levels_due, ALTERED, asked, found, run->flags,   \
		run->left, run->ran;                                           \
	loop variant level;

#define RUN                                                                    \
	loop invariant w1 && w2 && reached && w.target == now && 0 <= run.left;\
	loop invariant (uint32_t)(now - w.since[0]) <=                         \
		(uint32_t)(now - \at(w.since[0], Pre));                        \
	loop assigns CLOCK, ALTERED, run, stop, armed, heard, asked, found;    \
	loop variant (uint32_t)(now - w.since[0]);
/* clang-format on */

#include "steps.c"

/*@
  predicate is_run(struct run *run) = \valid(run) &&
	\separated(run, &w, &timers[0 .. TIMERS - 1]);
*/

//@ LETS_IN
static inline void jif_irq_restore(jif_irq_t flags);
//@ LETS_IN
static inline jif_irq_t jif_irq_save(void);
//@ LETS_IN
static inline jif_irq_t jif_irq_window(jif_irq_t flags);

/*@
  requires wheel == &w;
  assigns w.quiet_until, armed;
  ensures armed == 0;
*/
static inline void watch_arming(struct jif_wheel *wheel);

/*@
  requires wheel == &w;
  assigns armed, heard;
  ensures (armed != 0 <==> w.quiet_until == 0) &&
	(\result <==> armed == 0);
  ensures \old(armed) != 0 ? armed != 0 && heard == \old(heard) :
	armed != 0 ==> heard == w.since[0];
*/
static inline bool is_undisturbed(const struct jif_wheel *wheel);

/*@
  requires wheel == &w;
  assigns stop;
  ensures 1 <= stop && \result == (uint32_t)(w.since[0] + stop);
*/
static inline uint32_t lowest_stop(const struct jif_wheel *wheel);

/*@
  assigns \nothing;
  ensures \result == ticks / WEEK_TICKS * WEEK_TICKS;
*/
ONE_COPY uint32_t whole_weeks(uint32_t ticks);

/*@
  requires ring == &jif_rings[SEC] || ring == &jif_rings[MIN] ||
	ring == &jif_rings[HOUR] || ring == &jif_rings[DAY];
  assigns \nothing;
  ensures 0 <= ticks - \result * ring->ticks < ring->ticks;
  ensures ring->ticks <= ticks ==> ring->ticks <= \result * ring->ticks;
*/
static inline uint32_t slots_in(uint32_t ticks, const struct ring *ring);

/*@
  requires wheel == &w && now != w.since[0];
  assigns stop;
  ensures 1 <= stop;
  ensures nearest: \result == (uint32_t)(w.since[0] +
	\min(stop, (uint32_t)(now - w.since[0])));
*/
static inline uint32_t next_stop(const struct jif_wheel *wheel, uint32_t now);

/*@
  requires wheel == &w && w1;
  requires on: 1 <= (uint32_t)(clk - w.since[0]) <= JIF_DELAY_MAX;
  assigns \nothing;
  ensures on: 1 <= (uint32_t)(\result.clk - w.since[0]) <=
	(uint32_t)(clk - w.since[0]);
*/
static inline struct step find_step(const struct jif_wheel *wheel,
				    uint32_t clk);

/*@
  requires wheel == &w;
  requires on: 1 <= (uint32_t)(step.clk - w.since[0]) <= JIF_DELAY_MAX;
  assigns CLOCK;
  ensures w1 && reached && w.since[0] == step.clk;
*/
static inline void take_step(struct jif_wheel *wheel, struct step step,
			     bool due);

/*@
  requires wheel == &w && is_run(run) && w1 && w2;
  requires ahead: 1 <= (uint32_t)(w.target - w.since[0]) <= JIF_DELAY_MAX;
  assigns CLOCK, ALTERED, run->flags, stop, armed, heard;
  ensures moved: w.since[0] == (armed != 0 ? (uint32_t)(heard + 1) :
	end(w.target, stop, \old(w.since[0])));
  ensures w1 && w2 && reached;
  ensures nearer: (uint32_t)(w.target - w.since[0]) <
	(uint32_t)(w.target - \old(w.since[0]));
*/
static inline void advance(struct jif_wheel *wheel, struct run *run);

/*@
  requires wheel == &w && is_pending_timer(timer) && timer->where == slot;
  assigns w.occupied[0 .. WORDS - 1], w.slot[0 .. LAST_SLOT - 1], asked,
	timers[0 .. TIMERS - 1];
  ensures \old(w1) ==> w1;
  ensures w2 && is_off(timer) && asked == \old(expiry(timer));
  ensures timer->remaining == \old(timer->remaining);
*/
ONE_COPY void leave_slot(struct jif_wheel *wheel, struct jif_timer *timer,
			 unsigned slot);

/*@
  requires wheel == &w && is_pending_timer(first) && first->where == slot;
  requires last == w.slot[slot - 1] && first == last->next;
  assigns w.occupied[0 .. WORDS - 1], w.slot[0 .. LAST_SLOT - 1], asked,
	timers[0 .. TIMERS - 1];
  ensures \old(w1) ==> w1;
  ensures w2 && is_off(first) && asked == \old(expiry(first));
  ensures first->where == JIF_TIMER_IDLE;
*/
static inline void dequeue_first(struct jif_wheel *wheel,
				 struct jif_timer *first,
				 struct jif_timer *last, unsigned slot);

/*@
  requires wheel == &w && w1;
  requires reached: has_moved(level);
  assigns found;
  ensures found == (level == WEEK ? remaining :
	(uint32_t)(remaining + w.since[0]));
*/
INLINE_IF_UNROLLED spot_t find_lower(const struct jif_wheel *wheel,
				     uint32_t remaining, index_t level);

/*@
  requires wheel == &w && w2 && is_off(timer);
  assigns ALTERED;
  ensures \old(w1) ==> w1;
  ensures w2 && is_pending_timer(timer) && expiry(timer) == found;
*/
IN_PLACE struct jif_timer **enqueue(spot_t spot, struct jif_wheel *wheel,
				    struct jif_timer *timer);

/*@
  requires wheel == &w && is_pending_timer(timer) && w2;
  requires timer->where == from;
  requires kept: timer->remaining == was ==> expiry(timer) == found;
  assigns ALTERED, asked;
  ensures (\old(w1) ==> w1) && w2 && is_pending_timer(timer);
  ensures kept: expiry(timer) == \old(expiry(timer));
*/
static inline bool move_entry(struct jif_wheel *wheel, struct jif_timer *timer,
			      unsigned from, uint32_t was, spot_t spot);

/*@
  requires wheel == &w && is_run(run) && is_timer(timer) && w1 && w2;
  requires reached: has_moved(level);
  requires under: timer->where == slot && slot == w.hand[level];
  assigns ALTERED, asked, found, run->flags;
  ensures w1 && w2;
*/
static inline void cascade(struct jif_wheel *wheel, struct jif_timer *timer,
			   index_t level, index_t slot, struct run *run);

/*@
  requires wheel == &w && is_run(run) && is_timer(timer) && w1 && w2;
  requires idle: timer->where == JIF_TIMER_IDLE;
  requires exact: asked == w.since[0];
  assigns ALTERED, run->flags, run->ran;
  ensures w1 && w2;
*/
static inline void expire(struct jif_wheel *wheel, struct jif_timer *timer,
			  struct run *run);

/*@
  requires wheel == &w && is_run(run) && w1 && w2 && level <= WEEK;
  requires 0 <= run->left;
  requires reached: w.since[level] == w.since[0];
  assigns ALTERED, asked, found, run->flags, run->left, run->ran;
  ensures w1 && w2;
  ensures run->left <= \old(run->left);
  ensures empty: \result ==> w.slot[w.hand[level] - 1] == \null;
  ensures spent: \result <==> 0 <= run->left;
*/
static inline bool run_slot(struct jif_wheel *wheel, index_t level,
			    struct run *run);

/*@
  requires wheel == &w && is_run(run) && w1 && w2 && 0 <= run->left;
  requires reached;
  assigns ALTERED, w.levels_due, asked, found, run->flags, run->left,
	run->ran;
  ensures w1 && w2;
  ensures run->left <= \old(run->left);
  ensures \result ==> w.levels_due == 0;
  ensures \result <==> 0 <= run->left;
*/
static inline bool run_tick(struct jif_wheel *wheel, struct run *run);

//@ requires wheel == &w && is_run(run); assigns run->flags; LETS_IN
static inline void note_quiet(struct jif_wheel *wheel, struct run *run);
//@ assigns \nothing;
static inline index_t find_quiet(const struct jif_wheel *wheel);
//@ assigns \nothing;
static inline index_t bitmap_find(const jif_word_t *map, unsigned from,
				  unsigned to);

/*@
  requires wheel == &w && w1 && w2 && reached && 0 <= max;
  assigns w.nesting, w.target, CLOCK, ALTERED, stop, armed, heard,
	asked, found;
  ensures w2;
  ensures past: (uint32_t)(now - w.since[0]) <=
	(uint32_t)(now - \old(w.since[0]));
  ensures idle: w.nesting == \old(w.nesting);
*/
unsigned jif_wheel_run_most(struct jif_wheel *wheel, uint32_t now, intptr_t max,
			    jif_irq_t flags);
