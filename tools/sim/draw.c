/* SPDX-License-Identifier: MIT */
/*
 * draw.c - the four wheels, with their hands and what waits on them
 *
 * Where the hands are follows from the clock; the engine's own are not looked
 * at. What waits in each slot is what a walk of the wheel finds.
 */
#include <inttypes.h>
#include <string.h>

#include "draw.h"
#include "json.h"

#define SLOTS_MAX JIF_SEC_SLOTS
#define MARGIN	  9
#define WIDTH	  79
#define SHADES	  5

#define BRIGHT	  "\033[1m"
#define DIM	  "\033[2m"
#define REVERSE	  "\033[7m"
#define HAND	  "\033[1;36m"
#define RESET	  "\033[0m"

/*
 * struct picture - what there is to be seen
 * @hand:	where the hand of each level is
 * @count:	how many entries are in each slot
 * @total:	how many on each level
 * @pending:	how many on all of them
 */
struct picture {
	unsigned hand[LEVELS];
	uint64_t count[LEVELS][SLOTS_MAX];
	uint64_t total[LEVELS];
	uint64_t pending;
};

static int see_entry(void *arg, const struct jif_timer *timer, unsigned level,
		     unsigned slot, uint32_t remaining)
{
	struct picture *picture = arg;

	(void)timer;
	(void)remaining;
	picture->count[level][slot]++;
	picture->total[level]++;
	picture->pending++;
	return 0;
}

static void see(struct picture *picture, const struct sim *sim)
{
	int64_t clock = sim_clock(sim);

	memset(picture, 0, sizeof(*picture));
	for (unsigned i = SEC; i < LEVELS; i++)
		picture->hand[i] =
			(unsigned)(clock / level_ticks[i] % level_slots[i]);
	jif_wheel_walk(&sim->wheel, see_entry, picture);
}

/* A shade for none, and one for each digit that a count has. */
static unsigned shade_of(uint64_t count)
{
	uint64_t limit = 1;
	unsigned shade = 0;

	for (; shade < SHADES - 1 && count >= limit; limit *= 10)
		shade++;
	return shade;
}

static void draw_ring(FILE *out, const struct picture *picture, unsigned level,
		      bool color)
{
	static const char *const codes[SHADES] = {
		"\033[0;2m",  "\033[0;32m",   "\033[0;33m",
		"\033[0;35m", "\033[0;1;31m",
	};
	static const char signs[] = ".0*#@";
	unsigned last = SHADES;

	for (unsigned i = 0; i < level_slots[level]; i++) {
		uint64_t count = picture->count[level][i];
		unsigned shade = shade_of(count);
		bool hand = i == picture->hand[level];

		if (color && (shade != last || hand))
			fputs(codes[shade], out);
		if (color && hand)
			fputs(REVERSE, out);
		last = hand ? SHADES : shade;
		putc(shade == 1 ? (int)('0' + count) : signs[shade], out);
	}
	if (color)
		fputs(RESET, out);
}

/* The hand above the ring, then the ring, and a note where there is room. */
static void draw_level(FILE *out, const struct picture *picture, unsigned level,
		       const char *note, bool color)
{
	char count[TIME_LENGTH];
	int room = WIDTH - MARGIN - level_slots[level];

	fprintf(out, "%*s%sv%s\n", MARGIN + (int)picture->hand[level], "",
		color ? HAND : "", color ? RESET : "");
	fprintf(out, " %s%4s%s %2u ", color ? BRIGHT : "", level_names[level],
		color ? RESET : "", picture->hand[level]);
	draw_ring(out, picture, level, color);
	if (*note)
		fprintf(out, "  %s%-*s%s%8s\n", color ? DIM : "", room - 10,
			note, color ? RESET : "",
			count_print(count, picture->total[level]));
	else
		fprintf(out, "%*s\n", room,
			count_print(count, picture->total[level]));
}

static void draw_head(FILE *out, const struct sim *sim,
		      const struct picture *picture, bool color)
{
	const struct scenario *scenario = sim->scenario;
	char time[TIME_LENGTH], span[TIME_LENGTH], count[TIME_LENGTH];
	char left[64], right[128];
	int64_t ms = sim->now * scenario->tick_ms;
	uint32_t next;

	time_print(time, scenario, sim->now);
	if (scenario->tick_ms)
		snprintf(left, sizeof(left), "%s %s",
			 day_names[ms / DAY_MS % 7], time);
	else
		snprintf(left, sizeof(left), "jiffy %s", time);
	if (jif_wheel_next_expiry(&sim->wheel, &next))
		snprintf(right, sizeof(right), "%s pending, next in %s",
			 count_print(count, picture->pending),
			 span_print(span, scenario,
				    sim_tick(sim, next) > sim->now ?
					    sim_tick(sim, next) - sim->now :
					    0));
	else
		snprintf(right, sizeof(right), "none pending");
	fprintf(out, " %s%s%s%*s\n", color ? BRIGHT : "", left,
		color ? RESET : "", WIDTH - 1 - (int)strlen(left), right);
}

void draw_wheels(FILE *out, const struct sim *sim, bool color)
{
	struct picture picture;

	see(&picture, sim);
	draw_head(out, sim, &picture, color);
	fprintf(out, "%*s0", MARGIN, "");
	for (unsigned i = 10; i < SLOTS_MAX; i += 10)
		fprintf(out, "%10u", i);
	fprintf(out, "%19s\n", "entries");
	draw_level(out, &picture, DAY, "", color);
	draw_level(out, &picture, HOUR, "1-9, * 10, # 100, @ 1000 and more",
		   color);
	draw_level(out, &picture, MIN, "", color);
	draw_level(out, &picture, SEC, "", color);
}

void draw_json(FILE *out, const struct sim *sim)
{
	struct picture picture;
	char time[TIME_LENGTH];

	see(&picture, sim);
	json_start(out, "wheels");
	json_string(out, "time", time_print(time, sim->scenario, sim->now));
	json_number(out, "tick", sim->now - sim->scenario->start);
	json_count(out, "pending", picture.pending);
	for (unsigned i = SEC; i < LEVELS; i++) {
		json_key(out, level_names[i]);
		fprintf(out, "{\"hand\":%u,\"slots\":[", picture.hand[i]);
		for (unsigned j = 0; j < level_slots[i]; j++)
			fprintf(out, "%s%" PRIu64, j ? "," : "",
				picture.count[i][j]);
		fputs("]}", out);
	}
	json_stop(out);
}
