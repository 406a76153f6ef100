/* SPDX-License-Identifier: MIT */
/*
 * lib/jump.h - time that a wheel passes without a run
 */
#ifndef JIF_LIB_JUMP_H
#define JIF_LIB_JUMP_H

#include <jif/timer.h>

/* Tells a periodic timer that is due by then; others are left alone. */
void jif_periodic_jump(struct jif_timer *timer, uint64_t from, uint64_t to);

#endif
