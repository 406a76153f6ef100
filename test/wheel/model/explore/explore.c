/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/model/explore/explore.c - every state of small things
 *
 * It explores lib/, unchanged: a wheel of 3, 3, 2 and 2 slots, where a
 * minute has 3 ticks, an hour 9, a day 18, a week 36, with some timers; and on
 * it a table, a queue of work, and a scheduler with its sleep. Each has a model
 * that knows what has to be. With so little of everything there are so few
 * states that all of them can be visited.
 *
 * A STATE is the memory of the thing and of its model. Two of a wheel are the
 * same if their memory is, after canonicalise() has done away with what can
 * make no difference: the clock is set back by whole fortnights, since after a
 * fortnight all hands are where they were, and what no one may read any more is
 * overwritten, so that a read would be noticed. The 32-bit wrap of jiffies lies
 * within the fortnight. The others say themselves when two are.
 *
 * A STEP is a call from the main loop, with all that happens meanwhile:
 * wherever the library lets interrupts in, one may do nothing or any of a list
 * of calls; each callback may, too. All these are choices. From each state each
 * call is made again and again, each time with other choices, until there are
 * none left: see tape.h.
 *
 * From the first state on, all steps from all states are done, breadth first,
 * until no new state comes up. That it ends is what makes it a proof, within
 * its bounds: the delays of plan.c, and how many interrupts do something in one
 * call. What an interrupt may do between two calls is what the main loop does.
 *
 * COMPARED are, of a wheel: each result; each expiry, its tick and its order;
 * in each window and callback what each timer says of itself, and the engine's
 * check of itself; in each new state also the next expiry, and the slot and
 * remaining value of each timer. One of the calls is a run over 50 weeks: so
 * from every state, all timers run on their ticks. One is the sleep of a main
 * loop, which must not be longer than what is armed allows.
 *
 * A difference ends the search. The first one is reached by as few calls as
 * possible; these are done once more and printed, those of a wheel also as a
 * scenario for jifsim.
 */
#include "explore.h"

#include <inttypes.h>
#include <jif/kit/sim.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tape.h"

#define EXIT_USAGE 64
#define LIMIT_MAX  UINT32_MAX
#define PATH_MAX   4096
#define CHUNK	   4096

/**
 * struct plan - what is explored
 * @name:	as it is asked for
 * @subject:	how
 * @part:	with what in it
 * @injections:	how many interrupts may do something in a step
 * @limit:	stop at so many states
 */
static const struct plan {
	const char *name;
	const struct subject *subject;
	unsigned part;
	unsigned injections;
	size_t limit;
} plans[] = {
	{ "one", &wheel_subject, 0, 1, LIMIT_MAX },
	{ "far", &wheel_subject, 1, 1, LIMIT_MAX },
	{ "postponed", &wheel_subject, 2, 1, LIMIT_MAX },
	{ "paused", &wheel_subject, 3, 1, LIMIT_MAX },
	{ "near", &wheel_subject, 4, 2, LIMIT_MAX },
	{ "three", &wheel_subject, 5, 1, LIMIT_MAX },
	{ "four", &wheel_subject, 6, 1, 30000 },
	{ "table", &table_subject, 0, 1, LIMIT_MAX },
	{ "work", &turns_subject, 0, 1, LIMIT_MAX },
	{ "tasks", &turns_subject, 1, 1, LIMIT_MAX },
	{ "flat", &turns_subject, 2, 1, LIMIT_MAX },
	{ "periods", &turns_subject, 3, 1, LIMIT_MAX },
	{ "flags", &turns_subject, 4, 1, 30000 },
	{ "messages", &turns_subject, 5, 1, 30000 },
};

/**
 * struct link - how a state was reached
 * @parent:	the state from which it was reached first
 * @ordinal:	number of the transition from there, counted from 1
 */
struct link {
	uint32_t parent;
	uint32_t ordinal;
};

/**
 * struct hash - of a state: equal hashes are taken for equal states
 * @half:	the first is never 0
 */
struct hash {
	uint64_t half[2];
};

/**
 * struct search - breadth first
 * @plan:	which
 * @injections:	how many interrupts do something in a step
 * @links:	of all states, in the order in which they were found
 * @count:	how many there are
 * @room:	for how many there is memory
 * @worlds:	of those that are still to be expanded, by the chunk
 * @chunks:	for how many chunks there is memory
 * @set:	hashes; all zero is a free place
 * @places:	in the set, a power of two
 * @steps:	transitions
 */
static struct {
	const struct plan *plan;
	unsigned injections;
	struct link *links;
	size_t count;
	size_t room;
	unsigned char **worlds;
	size_t chunks;
	struct hash *set;
	size_t places;
	uint64_t steps;
} search;

unsigned long long interrupts;

static void *must_have(void *memory)
{
	if (!memory) {
		fprintf(stderr, "explore: out of memory\n");
		exit(EXIT_FAILURE);
	}
	return memory;
}

static struct hash hash_of(const unsigned char *at, size_t size)
{
	struct hash hash = { { 1, 2 } };
	uint64_t word;

	for (size_t i = 0; i < size; i += sizeof(word)) {
		memcpy(&word, at + i, sizeof(word));
		hash.half[0] =
			(hash.half[0] ^ word) * UINT64_C(0xff51afd7ed558ccd);
		hash.half[0] ^= hash.half[0] >> 32;
		hash.half[1] =
			(hash.half[1] + word) * UINT64_C(0xc4ceb9fe1a85ec53);
		hash.half[1] ^= hash.half[1] >> 29;
	}
	hash.half[0] |= 1;
	return hash;
}

static struct hash hash_now(void)
{
	const struct subject *subject = search.plan->subject;
	const void *shape = subject->world;
	size_t size = subject->size;

	if (subject->shape)
		shape = subject->shape(&size);
	return hash_of(shape, size);
}

/* Where the hash is, or should be. */
static struct hash *place_of(const struct hash *hash)
{
	size_t at = hash->half[1] & (search.places - 1);

	while (search.set[at].half[0] &&
	       memcmp(&search.set[at], hash, sizeof(*hash)))
		at = (at + 1) & (search.places - 1);
	return &search.set[at];
}

static void grow(void)
{
	struct hash *old = search.set;
	size_t places = search.places;

	search.places = places ? 2 * places : 1024;
	search.set = must_have(calloc(search.places, sizeof(*old)));
	for (size_t i = 0; i < places; i++)
		if (old[i].half[0])
			*place_of(&old[i]) = old[i];
	free(old);
}

static unsigned char *world_of(size_t state)
{
	return search.worlds[state / CHUNK] +
	       state % CHUNK * search.plan->subject->size;
}

static void make_room(void)
{
	size_t size = search.plan->subject->size;
	size_t chunk = search.count / CHUNK;

	if (search.count == search.room) {
		search.room = 2 * search.room + CHUNK;
		search.links = must_have(realloc(
			search.links, search.room * sizeof(*search.links)));
	}
	if (chunk == search.chunks) {
		search.chunks = 2 * search.chunks + 1;
		search.worlds = must_have(realloc(
			search.worlds, search.chunks * sizeof(*search.worlds)));
	}
	if (search.count % CHUNK == 0)
		search.worlds[chunk] = must_have(malloc(CHUNK * size));
}

/* True if the world is a new state. */
static bool add_state(uint32_t parent, uint32_t ordinal)
{
	const struct subject *subject = search.plan->subject;
	struct hash hash = hash_now();
	struct hash *place = place_of(&hash);

	if (place->half[0])
		return false;
	*place = hash;
	make_room();
	memcpy(world_of(search.count), subject->world, subject->size);
	search.links[search.count++] = (struct link){ parent, ordinal };
	if (2 * search.count > search.places)
		grow();
	return true;
}

static void drop_world(size_t state)
{
	if (state % CHUNK == CHUNK - 1) {
		free(search.worlds[state / CHUNK]);
		search.worlds[state / CHUNK] = NULL;
	}
}

/*
 * All steps from a state, with all choices. Returns the number of the one that
 * goes wrong; or of @wanted, which is told aloud and looked at; or 0.
 */
static uint32_t expand(const unsigned char *world, uint32_t from,
		       uint32_t wanted)
{
	const struct subject *subject = search.plan->subject;
	uint32_t ordinal = 1;
	enum outcome outcome;

	tape_rewind();
	do {
		memcpy(subject->world, world, subject->size);
		tape_tell(ordinal == wanted);
		outcome = tape_play(subject->step);
		if (outcome == NONE)
			continue;
		search.steps += !wanted;
		if (outcome == WRONG ||
		    ((wanted ? ordinal == wanted : add_state(from, ordinal)) &&
		     tape_play(subject->look) == WRONG))
			return ordinal;
		if (ordinal++ == wanted)
			return wanted;
	} while (tape_next());
	return 0;
}

/* How many steps lead to the state that was found last. */
static unsigned depth(void)
{
	unsigned steps = 0;

	for (size_t i = search.count - 1; i; i = search.links[i].parent)
		steps++;
	return steps;
}

static void start(void)
{
	const struct plan *plan = search.plan;

	/* A difference may have left an interrupt that was to come. */
	memset(&jif_sim, 0, sizeof(jif_sim));
	plan->subject->start(plan->part, search.injections);
}

/* The steps that lead to a state, and the one that goes wrong there. */
static void tell(uint32_t state, uint32_t ordinal)
{
	const struct subject *subject = search.plan->subject;
	unsigned char *world = must_have(malloc(subject->size));
	uint32_t path[PATH_MAX];
	unsigned length = 0;

	for (uint32_t i = state; i && length < PATH_MAX;
	     i = search.links[i].parent)
		path[length++] = search.links[i].ordinal;
	printf("\nthe shortest way to a difference:\n");
	start();
	while (length--) {
		memcpy(world, subject->world, subject->size);
		expand(world, 0, path[length]);
	}
	memcpy(world, subject->world, subject->size);
	expand(world, 0, ordinal);
	free(world);
	if (subject->told)
		subject->told();
	printf("\nexplore: 1 difference\n");
}

static void clear(void)
{
	for (size_t i = 0; i < search.count; i += CHUNK)
		free(search.worlds[i / CHUNK]);
	free(search.set);
	search.set = NULL;
	search.places = 0;
	search.count = 0;
	search.steps = 0;
	interrupts = 0;
	grow();
}

/* All states of a plan; false if there was a difference. */
static bool explore(const struct plan *plan, size_t limit, unsigned injections)
{
	uint32_t at = 0, wrong = 0;
	clock_t begin = clock();

	search.plan = plan;
	search.injections = plan->injections;
	if (injections < plan->injections)
		search.injections = injections;
	if (plan->limit < limit)
		limit = plan->limit;
	clear();
	start();
	add_state(0, 0);
	while (at < search.count && search.count < limit && !wrong) {
		wrong = expand(world_of(at), at, 0);
		drop_world(at++);
	}
	printf("%-10s %6u %10zu %11" PRIu64 " %11llu %5u %6.1f s  %s\n",
	       plan->name, search.injections, search.count, search.steps,
	       interrupts, depth(), (double)(clock() - begin) / CLOCKS_PER_SEC,
	       at == search.count ? "all" :
	       wrong		  ? "wrong" :
				    "some");
	fflush(stdout);
	if (wrong)
		tell(at - 1, wrong);
	return !wrong;
}

static const struct plan *plan_of(const char *name)
{
	for (size_t i = 0; i < sizeof(plans) / sizeof(plans[0]); i++)
		if (!strcmp(plans[i].name, name))
			return &plans[i];
	return NULL;
}

static int usage(void)
{
	fprintf(stderr, "usage: explore [--limit STATES] [--interrupts N] "
			"[PLAN...]\nplans:");
	for (size_t i = 0; i < sizeof(plans) / sizeof(plans[0]); i++)
		fprintf(stderr, " %s", plans[i].name);
	fprintf(stderr, "\n");
	return EXIT_USAGE;
}

static bool is_wanted(const struct plan *plan, char **names)
{
	bool wanted = !*names;

	while (!wanted && *names)
		wanted = !strcmp(*names++, plan->name);
	return wanted;
}

/* Those that are named, or all; false if there was a difference. */
static bool explore_all(char **names, size_t limit, unsigned injections)
{
	uint64_t states = 0, steps = 0, delivered = 0;

	printf("%-10s %6s %10s %11s %11s %5s\n", "plan", "at a", "states",
	       "transitions", "interrupts", "depth");
	for (size_t i = 0; i < sizeof(plans) / sizeof(plans[0]); i++) {
		if (!is_wanted(&plans[i], names))
			continue;
		if (!explore(&plans[i], limit, injections))
			return false;
		states += search.count;
		steps += search.steps;
		delivered += interrupts;
	}
	printf("explore: %" PRIu64 " states, %" PRIu64 " transitions, %" PRIu64
	       " interrupts, 0 differences\n",
	       states, steps, delivered);
	return true;
}

/* The number that follows an option; false if there is none. */
static bool read_number(const char *text, size_t *number)
{
	char *rest;

	if (!text || *text < '0' || *text > '9')
		return false;
	*number = strtoul(text, &rest, 10);
	return !*rest;
}

int main(int argc, char **argv)
{
	size_t limit = LIMIT_MAX;
	size_t injections = UINT8_MAX;
	size_t *number;

	for (argv++; *argv && **argv == '-'; argv += 2) {
		number = strcmp(*argv, "--limit") ? &injections : &limit;
		if ((number == &injections && strcmp(*argv, "--interrupts")) ||
		    !read_number(argv[1], number))
			return usage();
	}
	for (char **name = argv; *name; name++)
		if (!plan_of(*name))
			return usage();
	tape_guard();
	return explore_all(argv, limit, (unsigned)injections) ? EXIT_SUCCESS :
								EXIT_FAILURE;
}
