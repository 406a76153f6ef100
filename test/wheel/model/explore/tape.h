/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/model/explore/tape.h - a step that is done again and again, each
 * time with other choices, until all have been made
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/**
 * enum outcome - of a step
 * @DONE:	all was right
 * @NONE:	there is no such step in this state
 * @WRONG:	there was a difference
 */
enum outcome { DONE, NONE, WRONG };

/* Does a step, with the choices of the tape. */
enum outcome tape_play(void (*step)(void));

/* The tape says the first choices of all; the next ones, or that was all. */
void tape_rewind(void);
bool tape_next(void);

/* Whether steps and differences are printed. */
void tape_tell(bool aloud);
bool tape_is_told(void);

/* Reports crashes and endless loops as differences. */
void tape_guard(void);

/* What a step calls: one of the numbers from 0 on, below @end. */
uint32_t choose(uint32_t end);

/* Is this the first time that the step gets here? */
bool is_fresh(void);

/* There is no such step. */
_Noreturn void skip(void);

/* Ends the search, unless both are the same, or it is true. */
void same(const char *what, uint32_t want, uint32_t got);
void must(bool right, const char *what);
