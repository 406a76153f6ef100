/* SPDX-License-Identifier: MIT */
/*
 * test/proof/list.c - contracts of lib/wheel_list.h, for Frama-C's WP
 *
 * Of the neighbours; what is not assigned stays as it is, and so does the rest
 * of the ring.
 */
#include "rings.h"

/*@
  requires \valid(tail) && \valid(timer) && \separated(tail, timer);
  requires *tail == \null ||
	(\valid(*tail) && \valid((*tail)->next) &&
	 \separated(timer, *tail) && \separated(timer, (*tail)->next) &&
	 \separated(tail, *tail) && \separated(tail, (*tail)->next));
  assigns *tail, timer->next, timer->prev, (*tail)->next, (*tail)->next->prev;
  behavior first:
	assumes *tail == \null;
	assigns *tail, timer->next, timer->prev;
	ensures *tail == timer && timer->next == timer && timer->prev == timer;
  behavior more:
	assumes *tail != \null;
	assigns timer->next, timer->prev, (*tail)->next, (*tail)->next->prev;
	ensures *tail == \old(*tail) && (*tail)->next == timer;
	ensures timer->prev == *tail && timer->next == \old((*tail)->next);
	ensures \old((*tail)->next)->prev == timer;
*/
static inline void timers_add_head(struct jif_timer **tail,
				   struct jif_timer *timer);

/*@
  requires \valid(tail) && \valid(timer) && \separated(tail, timer);
  requires \valid(timer->prev) && \valid(timer->next);
  requires timer->prev == timer <==> timer->next == timer;
  requires timer->prev == timer || \separated(timer, timer->prev);
  requires timer->next == timer || \separated(timer, timer->next);
  requires timer->prev == timer->next ||
	\separated(timer->prev, timer->next);
  requires \separated(tail, timer->prev) && \separated(tail, timer->next);
  assigns *tail, timer->prev->next, timer->next->prev;
  ensures timer->prev == \old(timer->prev) && timer->next == \old(timer->next);
  ensures timer->prev->next == timer->next && timer->next->prev == timer->prev;
  ensures \old(*tail) != timer ==> *tail == \old(*tail) && !\result;
  ensures \old(*tail) == timer && timer->prev != timer ==>
	*tail == timer->prev && !\result;
  ensures \old(*tail) == timer && timer->prev == timer ==>
	*tail == \null && \result;
*/
static inline bool timers_del(struct jif_timer **tail, struct jif_timer *timer);
