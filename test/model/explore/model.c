/* SPDX-License-Identifier: MIT */
/*
 * test/model/explore/model.c - what a few timers have to do
 */
#include "model.h"

uint32_t model_due(const struct model *model, int32_t ticks)
{
	return model->clock + (ticks > 0 ? (uint32_t)ticks : 1);
}

static void clear(struct model *model, unsigned i)
{
	model->timer[i].pending = false;
	model->timer[i].loose = false;
	model->timer[i].paused = false;
	model->timer[i].order = 0;
	model->timer[i].expires = 0;
}

/* One that is idle stays as it is; so does one that is paused. */
void model_del(struct model *model, unsigned i)
{
	if (model->timer[i].pending)
		clear(model, i);
}

void model_pause(struct model *model, unsigned i)
{
	struct model_timer *timer = &model->timer[i];
	uint32_t left = timer->expires - model->clock;

	if (!timer->pending)
		return;
	clear(model, i);
	timer->paused = true;
	timer->expires = left;
}

void model_shut(struct model *model, unsigned i)
{
	clear(model, i);
	model->timer[i].shut = true;
}

/* Last of its tick. */
void model_mod(struct model *model, unsigned i, uint32_t due)
{
	struct model_timer *timer = &model->timer[i];
	uint8_t order = 0;

	if (timer->shut)
		return;
	clear(model, i);
	for (unsigned j = 0; j < TIMERS_MAX; j++)
		if (model->timer[j].order >= order)
			order = (uint8_t)(model->timer[j].order + 1);
	timer->pending = true;
	timer->expires = due;
	timer->order = order;
}

void model_reduce(struct model *model, unsigned i, uint32_t due)
{
	const struct model_timer *timer = &model->timer[i];

	if (!timer->pending ||
	    due - model->clock < timer->expires - model->clock)
		model_mod(model, i, due);
}

void model_postpone(struct model *model, unsigned i, uint32_t due)
{
	struct model_timer *timer = &model->timer[i];

	if (timer->pending && timer->expires == due)
		return;
	model_reduce(model, i, due);
	if (timer->pending && timer->expires != due) {
		timer->expires = due;
		timer->loose = true;
	}
}

bool model_before(const struct model *model, unsigned i, unsigned j)
{
	const struct model_timer *a = &model->timer[i];
	const struct model_timer *b = &model->timer[j];

	if (a->expires != b->expires)
		return a->expires - model->clock < b->expires - model->clock;
	return !a->loose && !b->loose && a->order < b->order;
}

bool model_next(const struct model *model, uint32_t *ticks)
{
	bool any = false;
	uint32_t left;

	for (unsigned i = 0; i < TIMERS_MAX; i++) {
		left = model->timer[i].expires - model->clock;
		if (!model->timer[i].pending || (any && left >= *ticks))
			continue;
		*ticks = left;
		any = true;
	}
	return any;
}

void model_canonicalise(struct model *model, uint32_t shift)
{
	uint8_t rank[TIMERS_MAX] = { 0 };

	for (unsigned i = 0; i < TIMERS_MAX; i++)
		for (unsigned j = 0; j < TIMERS_MAX; j++)
			if (model->timer[i].pending &&
			    model->timer[j].pending &&
			    model->timer[i].expires ==
				    model->timer[j].expires &&
			    model_before(model, j, i))
				rank[i]++;
	for (unsigned i = 0; i < TIMERS_MAX; i++) {
		model->timer[i].order = rank[i];
		if (model->timer[i].pending)
			model->timer[i].expires -= shift;
	}
	model->clock -= shift;
}
