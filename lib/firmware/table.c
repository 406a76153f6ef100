/* SPDX-License-Identifier: MIT */
/*
 * lib/firmware/table.c - timers by key
 *
 * THE ENTRIES
 *
 * The caller's array holds everything. Entries do not move: a list of indices
 * links those of one bucket, and another one those that are free. A handle is
 * an index and a generation, and is refused from the moment at which the entry
 * is freed. Going through the array is stable even if keys are set or removed
 * meanwhile. There are as many buckets as entries, and the head of each list is
 * kept in the entry of that number.
 *
 * THE MOMENT OF AN EXPIRY
 *
 * An entry expires when its callback looks at it with interrupts off. From the
 * moment at which the wheel takes the timer off until then, an interrupt may
 * still remove, move or pause it, or give it to another key: then the timer is
 * pending, or the entry is not armed, and the callback does nothing.
 */
#include <jif/firmware/table.h>

#include "../delay.h"
#include "../periodic_shared.h"
#include "key.h"

#define LINK_BITS (sizeof(jif_link_t) * 8)

/* The entry of a handle, or NULL. Interrupts are off. */
static struct jif_entry *entry_of(const struct jif_table *table,
				  jif_handle_t handle)
{
	unsigned link = (jif_link_t)handle;
	struct jif_entry *entry;

	if (!link || link > table->capacity)
		return NULL;
	entry = entry_at(table, link);
	if (!entry->state || entry->generation != handle >> LINK_BITS)
		return NULL;
	return entry;
}

static jif_handle_t handle_of(const struct jif_table *table, unsigned link)
{
	return (jif_handle_t)entry_at(table, link)->generation << LINK_BITS |
	       link;
}

uint32_t jif_key_hash(struct jif_key key)
{
	const uint8_t *byte = key.bytes;
	uint32_t hash = UINT32_C(2166136261);

	if (!byte)
		return (uint32_t)key.number +
		       HIGH_HALF(key.number) * UINT32_C(0x85ebca6b);
	while (key.number--)
		hash = (hash ^ *byte++) * UINT32_C(16777619);
	return hash;
}

/* Any bit of the hash counts: the product mixes them into its upper half. */
static jif_link_t *bucket_of(const struct jif_table *table, struct jif_key key)
{
	uint32_t hash = table->hash(key) * UINT32_C(0x9e3779b1);

	if (JIF_TABLE_MAX <= UINT16_MAX)
		hash = (hash >> 16) * table->capacity >> 16;
	else
		hash = (uint32_t)((uint64_t)hash * table->capacity >> 32);
	return &table->entries[hash].bucket;
}

/* The entry in that bucket that has the key; 0 if there is none. */
static unsigned search(const struct jif_table *table, const jif_link_t *bucket,
		       struct jif_key key)
{
	unsigned link = *bucket;

	while (link && !is_same_key(entry_at(table, link)->key, key))
		link = entry_at(table, link)->next;
	return link;
}

/*
 * Takes an entry out. One whose key has changed is in another bucket, where it
 * stays for good. Interrupts are off.
 */
static void release(struct jif_table *table, struct jif_entry *entry)
{
	jif_link_t *link = bucket_of(table, entry->key), freed;

	jif_timer_del(table->wheel, &entry->timer);
	entry->state = KEY_DRAINED;
	while (*link && entry_at(table, *link) != entry)
		link = &entry_at(table, *link)->next;
	if (!*link) {
		if (CONFIG_JIF_DEBUG)
			jif_misused("the bytes of a key have changed", table,
				    (void (*)(void))table->fn);
		return;
	}
	freed = *link;
	*link = entry->next;
	entry->next = table->free;
	table->free = freed;
	table->used--;
	entry->generation++;
	entry->state = KEY_FREE;
}

static void arm(struct jif_entry *entry, uint32_t expires)
{
	entry->state = KEY_ARMED;
	entry->left = 0;
	jif_timer_mod(entry->table->wheel, &entry->timer, expires);
}

/* What the run under way covers is missed; the next time is after that. */
static void arm_next(struct jif_entry *entry)
{
	const struct jif_wheel *wheel = entry->table->wheel;
	uint32_t clock = clock_of(wheel), period = entry->period;
	uint32_t missed = lateness(wheel, clock, entry->policy) / period;
	uint32_t ahead = missed * period;

	if (missed && entry->policy == JIF_CATCHUP_RESTART)
		ahead = wheel->target - clock;
	if (ahead + period <= JIF_DELAY_MAX)
		ahead += period;
	else
		missed--;
	arm(entry, clock + ahead);
	entry->left = missed;
}

static void expire_entry(struct jif_timer *timer)
{
	struct jif_entry *entry =
		jif_container_of(timer, struct jif_entry, timer);
	struct jif_table *table = entry->table;
	jif_irq_t flags = jif_irq_save();
	struct jif_key key = entry->key;
	void *value = entry->value;
	bool due = entry->state == KEY_ARMED && !jif_timer_pending(timer);

	if (due) {
		if (entry->times != JIF_FOREVER)
			entry->times--;
		if (entry->times)
			arm_next(entry);
		else
			release(table, entry);
	}
	jif_irq_restore(flags);
	if (due)
		table->fn(table, key, value);
}

int jif_table_init(struct jif_table *table)
{
	if (!table->wheel || !table->fn || !table->hash || !table->entries ||
	    !table->capacity || table->capacity > JIF_TABLE_MAX)
		return jif_invalid("a table lacks a field", table);
	for (unsigned i = 0; i < table->capacity; i++) {
		table->entries[i] = (struct jif_entry){ .table = table };
		jif_timer_init(&table->entries[i].timer, expire_entry);
		table->entries[i].next = (jif_link_t)(i + 2);
	}
	table->entries[table->capacity - 1].next = 0;
	table->free = 1;
	table->used = 0;
	table->stopped = false;
	return 0;
}

/* The error of a set of that key with that schedule, or 0. */
static int reject(const struct jif_table *table, struct jif_key key,
		  struct jif_schedule schedule)
{
	if (READ_SHARED(&table->stopped))
		return -JIF_ECANCELED;
	if (key.bytes && !key.number)
		return jif_invalid("a key is empty", table);
	if (schedule.period > JIF_DELAY_MAX)
		return jif_reject(-JIF_ERANGE, "a period is too long", table);
	if (!schedule.times || (!schedule.period && schedule.times != 1) ||
	    schedule.catchup > JIF_CATCHUP_RESTART)
		return jif_invalid("a key has no such schedule", table);
	return 0;
}

/* Puts a free entry at the head of the bucket; there is one. */
static unsigned allocate(struct jif_table *table, jif_link_t *bucket)
{
	jif_link_t link = table->free;
	struct jif_entry *entry = entry_at(table, link);

	table->free = entry->next;
	table->used++;
	entry->next = *bucket;
	*bucket = link;
	return link;
}

/* Nothing is free where nothing is used: there was no jif_table_init(). */
static int full(const struct jif_table *table)
{
	if (table->used)
		return -JIF_ENOSPC;
	return jif_invalid("a table was never initialised", table);
}

static int insert_or_assign(struct jif_table *table, struct jif_key key,
			    void *value, struct jif_schedule schedule,
			    bool replace)
{
	jif_link_t *bucket = bucket_of(table, key);
	jif_irq_t flags = jif_irq_save();
	unsigned link = search(table, bucket, key);
	struct jif_entry *entry;
	int err = reject(table, key, schedule);

	if (!err && link && !replace)
		err = -JIF_EEXIST;
	if (!err && !link && !table->free)
		err = full(table);
	if (!err) {
		entry = entry_at(table, link ? link : allocate(table, bucket));
		entry->key = key;
		entry->value = value;
		entry->period = schedule.period;
		entry->times = schedule.times;
		entry->policy = schedule.catchup & 3u;
		arm(entry, schedule.expires);
		err = link ? 1 : 0;
	}
	jif_irq_restore(flags);
	return err;
}

int jif_table_set(struct jif_table *table, struct jif_key key, void *value,
		  struct jif_schedule schedule)
{
	return insert_or_assign(table, key, value, schedule, true);
}

int jif_table_add(struct jif_table *table, struct jif_key key, void *value,
		  struct jif_schedule schedule)
{
	return insert_or_assign(table, key, value, schedule, false);
}

jif_handle_t jif_table_find(const struct jif_table *table, struct jif_key key)
{
	const jif_link_t *bucket = bucket_of(table, key);
	jif_irq_t flags = jif_irq_save();
	unsigned link = search(table, bucket, key);
	jif_handle_t handle = link ? handle_of(table, link) : 0;

	jif_irq_restore(flags);
	return handle;
}

jif_handle_t jif_table_next(const struct jif_table *table, jif_handle_t after)
{
	jif_handle_t handle = 0;
	jif_irq_t flags;

	for (unsigned link = (jif_link_t)after + 1u;
	     !handle && link <= table->capacity; link++) {
		flags = jif_irq_save();
		if (entry_at(table, link)->state != KEY_FREE)
			handle = handle_of(table, link);
		jif_irq_restore(flags);
	}
	return handle;
}

unsigned jif_table_count(const struct jif_table *table)
{
	jif_irq_t flags = jif_irq_save();
	unsigned used = table->used;

	jif_irq_restore(flags);
	return used;
}

static void mark_drained(struct jif_table *table, struct jif_entry *entry)
{
	jif_irq_t flags = jif_irq_save();

	if (entry->state != KEY_FREE) {
		jif_timer_del(table->wheel, &entry->timer);
		entry->state = KEY_DRAINED;
	}
	jif_irq_restore(flags);
}

/* What has been set again since it was marked stays. */
static bool take_drained(struct jif_table *table, struct jif_entry *entry,
			 jif_table_fn *fn)
{
	jif_irq_t flags = jif_irq_save();
	struct jif_key key = entry->key;
	void *value = entry->value;
	bool drained = entry->state == KEY_DRAINED;

	if (drained)
		release(table, entry);
	jif_irq_restore(flags);
	if (drained)
		fn(table, key, value);
	return drained;
}

unsigned jif_table_drain(struct jif_table *table, jif_table_fn *fn)
{
	unsigned drained = 0;

	for (unsigned i = 0; i < table->capacity; i++)
		mark_drained(table, &table->entries[i]);
	for (unsigned i = 0; i < table->capacity; i++)
		drained += take_drained(table, &table->entries[i],
					fn ? fn : table->fn);
	return drained;
}

unsigned jif_table_stop(struct jif_table *table, jif_table_fn *fn)
{
	WRITE_SHARED(&table->stopped, true);
	return jif_table_drain(table, fn);
}

void jif_table_start(struct jif_table *table)
{
	WRITE_SHARED(&table->stopped, false);
}

/* Finds the entry that a call changes, or the error. Interrupts are off. */
static int reach(const struct jif_table *table, jif_handle_t handle,
		 struct jif_entry **entry)
{
	if (READ_SHARED(&table->stopped))
		return -JIF_ECANCELED;
	*entry = entry_of(table, handle);
	return *entry ? 0 : -JIF_ENOENT;
}

int jif_entry_move(struct jif_table *table, jif_handle_t handle,
		   uint32_t expires)
{
	jif_irq_t flags = jif_irq_save();
	struct jif_entry *entry;
	int err = reach(table, handle, &entry);

	if (!err) {
		err = entry->state == KEY_ARMED ? 1 : 0;
		arm(entry, expires);
	}
	jif_irq_restore(flags);
	return err;
}

int jif_entry_remove(struct jif_table *table, jif_handle_t handle)
{
	jif_irq_t flags = jif_irq_save();
	struct jif_entry *entry;
	int err = reach(table, handle, &entry);

	if (!err)
		release(table, entry);
	jif_irq_restore(flags);
	return err;
}

/* 0 if its timer has been taken off, and its callback has not begun. */
static uint32_t ticks_left(const struct jif_table *table,
			   const struct jif_entry *entry)
{
	if (entry->state == KEY_PAUSED)
		return entry->left;
	if (!jif_timer_pending(&entry->timer))
		return 0;
	return left_of(table->wheel, &entry->timer);
}

int jif_entry_pause(struct jif_table *table, jif_handle_t handle)
{
	jif_irq_t flags = jif_irq_save();
	struct jif_entry *entry;
	int err = reach(table, handle, &entry);

	if (!err && entry->state != KEY_ARMED)
		err = -JIF_EINVAL;
	if (!err) {
		entry->left = ticks_left(table, entry);
		entry->state = KEY_PAUSED;
		jif_timer_del(table->wheel, &entry->timer);
	}
	jif_irq_restore(flags);
	return err;
}

int jif_entry_resume(struct jif_table *table, jif_handle_t handle)
{
	const struct jif_wheel *wheel = table->wheel;
	jif_irq_t flags = jif_irq_save();
	struct jif_entry *entry;
	int err = reach(table, handle, &entry);
	uint32_t now;

	if (!err && entry->state != KEY_PAUSED)
		err = -JIF_EINVAL;
	if (!err) {
		now = now_of(wheel);
		if (entry->left <= JIF_DELAY_MAX - (now - clock_of(wheel)))
			arm(entry, now + entry->left);
		else
			err = -JIF_ERANGE;
	}
	jif_irq_restore(flags);
	return err;
}

uint32_t jif_entry_left(const struct jif_table *table, jif_handle_t handle)
{
	jif_irq_t flags = jif_irq_save();
	const struct jif_entry *entry = entry_of(table, handle);
	uint32_t left = entry ? ticks_left(table, entry) : 0;

	jif_irq_restore(flags);
	return left;
}

uint32_t jif_entry_times(const struct jif_table *table, jif_handle_t handle)
{
	jif_irq_t flags = jif_irq_save();
	const struct jif_entry *entry = entry_of(table, handle);
	uint32_t times = entry ? entry->times : 0;

	jif_irq_restore(flags);
	return times;
}

uint32_t jif_entry_missed(const struct jif_table *table, jif_handle_t handle)
{
	jif_irq_t flags = jif_irq_save();
	const struct jif_entry *entry = entry_of(table, handle);
	uint32_t missed = entry && entry->state == KEY_ARMED ? entry->left : 0;

	jif_irq_restore(flags);
	return missed;
}

bool jif_entry_get(const struct jif_table *table, jif_handle_t handle,
		   struct jif_key *key, void **value)
{
	jif_irq_t flags = jif_irq_save();
	const struct jif_entry *entry = entry_of(table, handle);

	if (entry && key)
		*key = entry->key;
	if (entry && value)
		*value = entry->value;
	jif_irq_restore(flags);
	return entry;
}
