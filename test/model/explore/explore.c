/* SPDX-License-Identifier: MIT */
/*
 * test/model/explore/explore.c - every state of a small wheel
 *
 * The engine is lib/, unchanged, on a wheel of 3, 3, 2 and 2 slots: a minute
 * has 3 ticks, an hour 9, a day 18, a week 36. With so few slots and two
 * timers there are so few states that all of them can be visited.
 *
 * A STATE is the memory of the wheel, of its timers and of the model, which
 * says what each timer has to do. Two are the same if their memory is, after
 * canonicalise() has done away with what can make no difference: the clock is
 * set back by whole fortnights, since after a fortnight all hands are where
 * they were, and what no one may read any more is overwritten, so that a read
 * would be noticed. The 32-bit wrap of jiffies lies within the fortnight.
 *
 * A TRANSITION is a call from the main loop, with all that happens meanwhile.
 * Wherever the engine lets interrupts in, one may do nothing or any of a list
 * of calls; each callback may, too. These choices are recorded on a tape. From
 * each state each call is made again and again, each time with other choices,
 * until the tape has no alternative left: see play_has_next().
 *
 * From a fresh wheel, all transitions from all states are done, breadth first,
 * until no new state comes up. That it ends is what makes it a proof, within
 * its bounds: the delays of plan.c, and one interrupt per call that does
 * something (--injections). Some calls are met with interrupts or callbacks
 * only around midnight, where all hands move at once; see struct move. What an
 * interrupt may do between two ticks is what the main loop does.
 *
 * COMPARED are: each result; each expiry, its tick and its order; in each
 * window and callback what each timer says of itself, and the engine's check
 * of itself; in each new state also the next expiry, and the slot and
 * remaining value of each timer. One of the calls is a run over 2^31 - 1
 * ticks: so from every state, all timers run on their ticks.
 *
 * A difference ends the search. The first one is reached by as few calls as
 * possible; these are done once more and printed.
 */
#include "explore.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

JIF_STATIC_ASSERT(JIF_SEC_SLOTS == 3 && JIF_MIN_SLOTS == 3 &&
			  JIF_HOUR_SLOTS == 2 && JIF_DAY_SLOTS == 2,
		  "only the small wheel has few enough states");
JIF_STATIC_ASSERT(sizeof(struct world) % sizeof(uint64_t) == 0,
		  "a state is hashed by words");

#define EXIT_USAGE 64
#define STATES_MAX 0x7fffffff
#define PATH_MAX   4096

/**
 * struct state - a world, and how it was reached
 * @world:	as the engine left it
 * @parent:	the state from which it was reached first
 * @ordinal:	by the how manieth transition from there, from 1
 */
struct state {
	struct world world;
	uint32_t parent;
	uint32_t ordinal;
};

/**
 * struct hash - of a world: equal hashes are taken for equal worlds
 * @half:	the first is never 0
 */
struct hash {
	uint64_t half[2];
};

/**
 * struct search - breadth first
 * @states:	in the order in which they were found
 * @count:	how many there are
 * @room:	for how many there is memory
 * @set:	their hashes; all zero is a free place
 * @places:	in the set, a power of two
 * @limit:	stop at so many states
 * @moves:	transitions
 */
static struct {
	struct state *states;
	size_t count;
	size_t room;
	struct hash *set;
	size_t places;
	size_t limit;
	uint64_t moves;
} search;

static void *must_have(void *memory)
{
	if (!memory) {
		fprintf(stderr, "explore: out of memory\n");
		exit(EXIT_FAILURE);
	}
	return memory;
}

static struct hash hash_of(const struct world *it)
{
	struct hash hash = { { 1, 2 } };
	const unsigned char *at = (const unsigned char *)it;
	uint64_t word;

	for (size_t i = 0; i < sizeof(*it); i += sizeof(word)) {
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

/* True if the world is a new state. */
static bool add_state(uint32_t parent, uint32_t ordinal)
{
	struct hash hash = hash_of(&world);
	struct hash *place = place_of(&hash);
	struct state *state;

	if (place->half[0])
		return false;
	*place = hash;
	if (search.count == search.room) {
		search.room = 2 * search.room + 1024;
		search.states = must_have(
			realloc(search.states, search.room * sizeof(*state)));
	}
	state = &search.states[search.count++];
	memcpy(&state->world, &world, sizeof(world));
	state->parent = parent;
	state->ordinal = ordinal;
	if (2 * search.count > search.places)
		grow();
	return true;
}

/*
 * All moves from a state, with all choices. Returns the number of the one that
 * goes wrong; or of @wanted, which is told aloud and looked at; or 0.
 */
static uint32_t expand(uint32_t from, uint32_t wanted)
{
	uint32_t ordinal = 0;
	const struct move *move = plan.main.row;

	for (; move < plan.main.row + plan.main.count; move++) {
		memcpy(&world, &search.states[from].world, sizeof(world));
		if (!play_is_useful(move))
			continue;
		play_rewind();
		do {
			memcpy(&world, &search.states[from].world,
			       sizeof(world));
			play_tell(++ordinal == wanted);
			search.moves += !wanted;
			if (play(move) != RIGHT)
				return ordinal;
			if (wanted ? ordinal < wanted :
				     !add_state(from, ordinal))
				continue;
			if (play_look() != RIGHT || wanted)
				return ordinal;
		} while (play_has_next());
	}
	return 0;
}

/* How many moves lead to the state that was found last. */
static unsigned depth(void)
{
	unsigned moves = 0;

	for (size_t i = search.count - 1; i; i = search.states[i].parent)
		moves++;
	return moves;
}

/* The moves that lead to a state, and the one that goes wrong there. */
static void tell(uint32_t state, uint32_t ordinal)
{
	uint32_t path[PATH_MAX];
	unsigned length = 0;

	for (uint32_t i = state; i && length < PATH_MAX;
	     i = search.states[i].parent)
		path[length++] = i;
	printf("\nthe shortest way to a difference:\n");
	while (length--)
		expand(search.states[path[length]].parent,
		       search.states[path[length]].ordinal);
	expand(state, ordinal);
	printf("\nexplore: 1 difference\n");
}

/* All states of a plan; false if there was a difference. */
static bool explore(unsigned injections)
{
	uint32_t at = 0;
	uint32_t wrong = 0;
	clock_t begin = clock();

	search.count = 0;
	search.moves = 0;
	free(search.set);
	search.set = NULL;
	search.places = 0;
	grow();
	play_start();
	add_state(0, 0);
	while (at < search.count && search.count < search.limit && !wrong)
		wrong = expand(at++, 0);
	printf("%-10s %6u %10u %9zu %11" PRIu64 " %7u %5.1f s\n", plan.name,
	       plan.timers, injections, search.count, search.moves, depth(),
	       (double)(clock() - begin) / CLOCKS_PER_SEC);
	fflush(stdout);
	if (at < search.count && !wrong)
		printf("%-10s stopped at the limit of %zu states\n", plan.name,
		       search.limit);
	if (wrong)
		tell(at - 1, wrong);
	return !wrong;
}

/* The number that follows an option, or @most + 1 if it is none up to that. */
static size_t number(const char *text, size_t most)
{
	char *rest;
	unsigned long long value;

	if (!text || *text < '0' || *text > '9')
		return most + 1;
	value = strtoull(text, &rest, 10);
	return *rest || value > most ? most + 1 : (size_t)value;
}

static int usage(void)
{
	fprintf(stderr, "usage: explore [--timers 1..3] [--injections 0..2] "
			"[--limit STATES]\n");
	return EXIT_USAGE;
}

int main(int argc, char **argv)
{
	size_t timers = 0;
	size_t injections = 1;
	size_t states = 0;
	uint64_t moves = 0;

	search.limit = STATES_MAX;
	for (int i = 1; i < argc; i += 2) {
		if (!strcmp(argv[i], "--timers"))
			timers = number(argv[i + 1], TIMERS_MAX);
		else if (!strcmp(argv[i], "--injections"))
			injections = number(argv[i + 1], 2);
		else if (!strcmp(argv[i], "--limit"))
			search.limit = number(argv[i + 1], STATES_MAX);
		else
			return usage();
	}
	if (timers > TIMERS_MAX || injections > 2 || search.limit > STATES_MAX)
		return usage();
	play_guard();
	printf("%-10s %6s %10s %9s %11s %7s\n", "plan", "timers", "injections",
	       "states", "transitions", "depth");
	for (unsigned i = 0; plan_make(i, (unsigned)injections); i++) {
		if (timers ? plan.timers != timers : plan.timers > 2)
			continue;
		if (!explore((unsigned)injections))
			return EXIT_FAILURE;
		states += search.count;
		moves += search.moves;
	}
	printf("explore: %zu states, %" PRIu64 " transitions, 0 differences\n",
	       states, moves);
	return EXIT_SUCCESS;
}
