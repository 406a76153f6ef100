/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/model/explore/explore.h - what can be explored; the theory is in
 * explore.c
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/**
 * struct subject - what is explored, and how
 * @world:	a state
 * @size:	of it
 * @start:	makes the first one; @part: with what in it; @injections: how
 *		many interrupts may do something in a step
 * @step:	changes it, by choices of tape.h
 * @look:	compares all of a new state
 * @shape:	what tells states apart, without padding; NULL: all of @world
 * @told:	a way from the first state on has been printed; or NULL
 */
struct subject {
	void *world;
	size_t size;
	void (*start)(unsigned part, unsigned injections);
	void (*step)(void);
	void (*look)(void);
	const void *(*shape)(size_t *size);
	void (*told)(void);
};

extern const struct subject wheel_subject;
extern const struct subject table_subject;
extern const struct subject turns_subject;

/* A subject counts the interrupts that did something. */
extern unsigned long long interrupts;
