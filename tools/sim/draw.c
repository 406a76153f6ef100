/* SPDX-License-Identifier: MIT */
/*
 * draw.c - the four rings, with their hands and what waits on them
 *
 * Where the hands are follows from the clock; the engine's own are not looked
 * at. What waits in each slot is what a walk of the wheel finds.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim.h"
#define SLOTS_MAX JIF_SEC_SLOTS
#define MARGIN	  9
#define WIDTH	  79
#define LEGEND	  "1-9, * 10, # 100, @ 1000 and more"

struct picture {
	unsigned hand[LEVELS];
	int64_t count[LEVELS][SLOTS_MAX];
	int64_t total[LEVELS];
	int64_t pending;
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

static struct picture see(const struct sim *sim)
{
	struct picture picture = { .pending = 0 };
	int64_t clock = sim_clock(sim);

	for (unsigned i = SEC; i < LEVELS; i++)
		picture.hand[i] =
			(unsigned)(clock / level_ticks[i] % level_slots[i]);
	jif_wheel_walk(&sim->wheel, see_entry, &picture);
	return picture;
}

static char sign(int64_t count)
{
	if (count < 10)
		return count ? (char)('0' + count) : '.';
	return count < 100 ? '*' : count < 1000 ? '#' : '@';
}

/* The hand above the ring, then the ring, and a note where there is room. */
static void draw_level(const struct picture *picture, unsigned level)
{
	int room = WIDTH - MARGIN - level_slots[level];

	printf("%*sv\n", MARGIN + (int)picture->hand[level], "");
	printf(" %4s %2u ", level_names[level], picture->hand[level]);
	for (unsigned i = 0; i < level_slots[level]; i++)
		putchar(sign(picture->count[level][i]));
	if (level == HOUR)
		room -= printf("  " LEGEND);
	printf("%*s\n", room, count_text(picture->total[level]));
}

static void draw_head(const struct sim *sim, int64_t pending)
{
	const struct scenario *scenario = sim->scenario;
	int64_t us = sim->now * scenario->tick_us, wait;
	const char *time = time_text(scenario, sim->now);
	const char *day = scenario->tick_us ? day_names[us / DAY_US % 7] :
					      "jiffy";
	char right[128] = "none pending";
	uint32_t next;

	if (!strncmp(time, day, 3))
		day = "";
	if (jif_wheel_next_expiry(&sim->wheel, &next)) {
		wait = sim_tick(sim, next) - sim->now;
		snprintf(right, sizeof(right), "%s pending, next in %s",
			 count_text(pending),
			 span_text(scenario, wait > 0 ? wait : 0));
	}
	printf("%*s\n", WIDTH - printf(" %s%s%s", day, *day ? " " : "", time),
	       right);
}

void draw_wheels(const struct sim *sim)
{
	struct picture picture = see(sim);

	draw_head(sim, picture.pending);
	printf("%*s0", MARGIN, "");
	for (unsigned i = 10; i < SLOTS_MAX; i += 10)
		printf("%10u", i);
	printf("%19s\n", "entries");
	for (unsigned i = LEVELS; i--;)
		draw_level(&picture, i);
}

void draw_json(const struct sim *sim)
{
	struct picture picture = see(sim);

	json_start("wheels");
	json_string("time", time_text(sim->scenario, sim->now));
	json_number("tick", sim->now - sim->scenario->start);
	json_number("pending", picture.pending);
	for (unsigned i = SEC; i < LEVELS; i++) {
		json_key(level_names[i]);
		printf("{\"hand\":%u,\"slots\":[", picture.hand[i]);
		for (unsigned j = 0; j < level_slots[i]; j++)
			printf("%s%" PRId64, j ? "," : "", picture.count[i][j]);
		printf("]}");
	}
	json_stop();
}
