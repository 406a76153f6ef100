/* SPDX-License-Identifier: MIT */
/*
 * lib/firmware/snapshot.c - timers that survive a reset
 *
 * Restoring turns the wheel's clock back to the save, and arms everything for
 * when it was due: the wheel finds out what is due by now, as after a stall.
 * All is checked before anything changes. A clock that is behind that of the
 * save, as on boards that lose it, says that no time passed.
 */
#include <jif/firmware/snapshot.h>
#include <limits.h>

#include "../delay.h"
#include "../periodic_shared.h"
#include "key.h"

/* "jifS", as a number of 32 bits. */
#define MAGIC	UINT32_C(0x5366696a)
#define VERSION 1

/* Bytes: of a word, of a record without a key, and of the checksum. */
enum { WORD = 4, HEADER = 7 * WORD, RECORD = 4 * WORD, CHECKSUM = WORD };

JIF_STATIC_ASSERT(JIF_SNAPSHOT_SIZE(3) == HEADER + 3 * RECORD + CHECKSUM,
		  "the size of a snapshot");

/* What a record is of. */
enum { OF_TIMER = 1, OF_PERIODIC, OF_NUMBER, OF_BYTES };

/* A timer, in a snapshot. */
struct jif_record {
	uint16_t id; /* the number of its object */
	uint8_t of;  /* what it is */
	uint8_t how; /* 1 if it is paused */
	/* From the save on, in ticks; less than 0 if its call is overdue. */
	uint32_t left;
	uint32_t period; /* in ticks, or 0 */
	uint32_t times;	 /* how often it expires, or JIF_FOREVER */
	struct jif_key key;
	uint32_t high;	/* the upper half of its 64 bits */
	uint32_t nth;	/* it is the record of that number of its object */
	uint32_t since; /* ticks from the save to the restore */
};

/* What is to be done with a kind of object. */
struct jif_saved_kind {
	/*
	 * Fills in the next record of it, from @cursor on, which is 0 at first;
	 * false if there is no more. Interrupts are off.
	 */
	bool (*save)(struct jif_wheel *wheel, const void *object,
		     struct jif_record *r, jif_handle_t *cursor);
	/* Why a record cannot be restored, or 0. */
	int (*check)(const void *object, const struct jif_record *r);
	/*
	 * Arms what a record says, on a wheel with the clock of the save; false
	 * if a record before has armed that.
	 */
	bool (*restore)(struct jif_wheel *wheel, void *object,
			const struct jif_record *r);
};

/* From the clock on, as all that is saved, and not from now. */
static uint32_t left_at_clock(const struct jif_wheel *wheel,
			      const struct jif_timer *timer)
{
	return jif_timer_expires(wheel, timer) - jif_wheel_clock(wheel);
}

static bool save_timer(struct jif_wheel *wheel, const void *object,
		       struct jif_record *r, jif_handle_t *cursor)
{
	const struct jif_timer *timer = object;
	bool paused = is_paused(timer);
	uint32_t left = timer->remaining;

	if (!paused)
		left = left_at_clock(wheel, timer);
	*r = (struct jif_record){
		.of = OF_TIMER, .how = paused, .left = left, .times = 1
	};
	return !(*cursor)++ && (paused || jif_timer_pending(timer));
}

static int check_timer(const struct jif_timer *timer)
{
	if (jif_timer_pending(timer))
		return -JIF_EBUSY;
	if ((timer->where != JIF_TIMER_IDLE && timer->where != JIF_TIMER_NEW) ||
	    !timer->fn)
		return -JIF_EINVAL;
	return 0;
}

static int check_saved_timer(const void *object, const struct jif_record *r)
{
	if (r->of != OF_TIMER)
		return -JIF_ENOENT;
	if (r->nth || r->how > 1 || r->period || r->times != 1)
		return -JIF_EBADMSG;
	return check_timer(object);
}

static bool restore_timer(struct jif_wheel *wheel, void *object,
			  const struct jif_record *r)
{
	struct jif_timer *timer = object;

	if (jif_timer_add(wheel, timer, jif_wheel_clock(wheel) + r->left))
		return false;
	if (r->how) {
		jif_timer_pause(wheel, timer);
		timer->remaining = r->left;
	}
	return true;
}

const struct jif_saved_kind jif_saved_timer = { save_timer, check_saved_timer,
						restore_timer };

static bool save_periodic(struct jif_wheel *wheel, const void *object,
			  struct jif_record *r, jif_handle_t *cursor)
{
	const struct jif_periodic *p = object;
	bool paused = is_periodic_paused(p);

	*r = (struct jif_record){ .of = OF_PERIODIC,
				  .how = paused,
				  .left = p->expires,
				  .period = p->timer.remaining,
				  .times = p->left };
	if (!paused) {
		r->left -= jif_wheel_clock(wheel);
		r->period = p->period;
	}
	if (p->timer.fn != jif_periodic_expire)
		r->times = 0;
	return !(*cursor)++ && p->left;
}

static int check_periodic(const void *object, const struct jif_record *r)
{
	const struct jif_periodic *p = object;

	if (r->of != OF_PERIODIC)
		return -JIF_ENOENT;
	if (r->nth || r->how > 1 || r->period - 1 >= JIF_DELAY_MAX)
		return -JIF_EBADMSG;
	if (!is_periodic_ready(p))
		return -JIF_EINVAL;
	if (policy_of(p) != JIF_CATCHUP_EACH &&
	    r->period > JIF_DELAY_MAX - r->since)
		return -JIF_ERANGE;
	return p->left ? -JIF_EBUSY : check_timer(&p->timer);
}

/* The grid is that of the save, also if this call comes a tick later. */
static bool restore_periodic(struct jif_wheel *wheel, void *object,
			     const struct jif_record *r)
{
	struct jif_periodic *p = object;
	uint32_t expires = jif_wheel_clock(wheel) + r->left;
	int was = jif_periodic_start_at(wheel, p, expires, r->period, r->times);

	p->expires = expires;
	if (r->how) {
		jif_timer_del(wheel, &p->timer);
		keep_periodic(p, r->left);
	}
	return !was;
}

const struct jif_saved_kind jif_saved_periodic = { save_periodic,
						   check_periodic,
						   restore_periodic };

static bool save_key(struct jif_wheel *wheel, const void *object,
		     struct jif_record *r, jif_handle_t *cursor)
{
	const struct jif_table *table =
		((const struct jif_saved_keys *)object)->table;
	const struct jif_entry *entry;
	bool pending;

	do {
		*cursor = jif_table_next(table, *cursor);
		if (!*cursor)
			return false;
		entry = entry_at(table, (jif_link_t)*cursor);
	} while (entry->state == KEY_DRAINED);
	pending = jif_timer_pending(&entry->timer);
	*r = (struct jif_record){ .of = entry->key.bytes ? OF_BYTES : OF_NUMBER,
				  .how = !pending,
				  .left = entry->left,
				  .period = entry->period,
				  .times = entry->times,
				  .key = entry->key };
	if (pending)
		r->left = left_at_clock(wheel, &entry->timer);
	return true;
}

static int check_key(const void *object, const struct jif_record *r)
{
	const struct jif_table *table =
		((const struct jif_saved_keys *)object)->table;

	if (r->of != OF_NUMBER && r->of != OF_BYTES)
		return -JIF_ENOENT;
	if (r->how > 1 || r->period > JIF_DELAY_MAX ||
	    (!r->period && r->times != 1) || (r->key.bytes && !r->key.number))
		return -JIF_EBADMSG;
	if (sizeof(jif_number_t) == WORD && r->high)
		return -JIF_ENOTSUP;
	if (table->stopped || !(table->free || jif_table_count(table)))
		return -JIF_EINVAL;
	if (jif_table_count(table))
		return -JIF_EBUSY;
	return r->nth < table->capacity ? 0 : -JIF_ENOSPC;
}

static bool restore_key(struct jif_wheel *wheel, void *object,
			const struct jif_record *r)
{
	const struct jif_saved_keys *keys = object;
	struct jif_key key = r->key;
	void *value = keys->value ? keys->value(keys->table, &key) : NULL;
	struct jif_schedule when = { jif_wheel_clock(wheel) + r->left,
				     r->period, r->times, JIF_CATCHUP_SKIP };
	jif_handle_t handle;
	int was = jif_table_set(keys->table, key, value, when);

	if (r->how) {
		handle = jif_table_find(keys->table, key);
		jif_entry_pause(keys->table, handle);
		entry_at(keys->table, (jif_link_t)handle)->left = r->left;
	}
	return !was;
}

const struct jif_saved_kind jif_saved_table = { save_key, check_key,
						restore_key };

/* CRC-32, as of Ethernet and zip: of a few hundred bytes, without a table. */
static uint32_t checksum_of(const uint8_t *at, size_t size)
{
	uint32_t sum = UINT32_MAX;

	while (size--) {
		sum ^= *at++;
		for (unsigned bit = 0; bit < 8; bit++)
			sum = sum >> 1 ^ (sum & 1 ? UINT32_C(0xedb88320) : 0);
	}
	return ~sum;
}

/* The buffer of a save. */
struct output {
	uint8_t *bytes; /* where it is */
	size_t size;	/* beyond which nothing is written */
	size_t at;	/* how many bytes there have been */
	bool refused;	/* there was a periodic timer with a ratio */
};

static void put_byte(struct output *out, uint8_t byte)
{
	if (out->at < out->size)
		out->bytes[out->at] = byte;
	out->at++;
}

static void put_word(struct output *out, uint32_t word)
{
	for (unsigned i = 0; i < WORD; i++, word >>= 8)
		put_byte(out, (uint8_t)word);
}

static void put_record(struct output *out, uint16_t id,
		       const struct jif_record *r)
{
	const uint8_t *byte = r->key.bytes;

	put_word(out, id | (uint32_t)r->of << 16 | (uint32_t)r->how << 24);
	put_word(out, r->left);
	put_word(out, r->period);
	put_word(out, r->times);
	if (r->of >= OF_NUMBER) {
		put_word(out, (uint32_t)r->key.number);
		put_word(out, HIGH_HALF(r->key.number));
	}
	for (jif_number_t i = 0; byte && i < r->key.number; i++)
		put_byte(out, byte[i]);
}

static uint32_t get_word(const uint8_t **at)
{
	uint32_t word = 0;

	for (unsigned bits = 0; bits < 32; bits += 8)
		word |= (uint32_t) * (*at)++ << bits;
	return word;
}

/* False if it is not all there, or has what no save writes. */
static bool get_record(const uint8_t **at, const uint8_t *end,
		       struct jif_record *r)
{
	uint32_t word;

	if (end - *at < RECORD)
		return false;
	word = get_word(at);
	r->id = (uint16_t)word;
	r->of = (uint8_t)(word >> 16);
	r->how = (uint8_t)(word >> 24);
	r->left = get_word(at);
	r->period = get_word(at);
	r->times = get_word(at);
	r->key = jif_key_number(0);
	if (r->of >= OF_NUMBER) {
		if (end - *at < (ptrdiff_t)2 * WORD)
			return false;
		r->key.number = get_word(at);
		r->high = get_word(at);
		if (sizeof(jif_number_t) > WORD)
			r->key.number |= (jif_number_t)r->high << 16 << 16;
	}
	if (r->of == OF_BYTES) {
		if (r->high || (size_t)(end - *at) < r->key.number)
			return false;
		r->key.bytes = *at;
		*at += r->key.number;
	}
	return r->times && (r->left <= JIF_DELAY_MAX || r->of == OF_PERIODIC);
}

static int check_list(const struct jif_snapshot *s)
{
	for (unsigned i = 0; i < s->count; i++)
		if (!s->list[i].kind || !s->list[i].object ||
		    (i && s->list[i].id <= s->list[i - 1].id))
			return jif_invalid(
				"the list of a snapshot is not in order", s);
	return 0;
}

/* Mistakes of the caller are reported; damage in a buffer is not. */
static int refuse_use(int err, const char *what, const void *object)
{
	if (CONFIG_JIF_DEBUG && (err == -JIF_EBUSY || err == -JIF_EINVAL))
		jif_tell_refused(what, object, NULL);
	return err;
}

static uint32_t put_records(const struct jif_snapshot *s, struct output *out)
{
	uint32_t records = 0;
	const struct jif_saved *row;
	jif_handle_t cursor;
	jif_irq_t flags;
	struct jif_record r;
	bool more;

	for (unsigned i = 0; i < s->count; i++) {
		row = &s->list[i];
		cursor = 0;
		do {
			flags = jif_irq_save();
			more = row->kind->save(s->wheel, row->object, &r,
					       &cursor);
			if (more) {
				put_record(out, row->id, &r);
				out->refused |= !r.times;
				records++;
			}
			jif_irq_restore(flags);
		} while (more);
	}
	return records;
}

static int check_output(const struct output *out, size_t size)
{
	if (out->refused)
		return jif_invalid("a periodic timer with a ratio is saved",
				   out->bytes);
	return out->at + CHECKSUM > size ? -JIF_ENOSPC : 0;
}

int jif_snapshot_save(const struct jif_snapshot *s, void *buffer, size_t size,
		      uint32_t now, uint64_t rtc)
{
	struct output out = { buffer, 0, HEADER, false };
	uint32_t records, ahead = jif_wheel_clock(s->wheel) - now;
	size_t end;
	int err;

	if (check_list(s))
		return -JIF_EINVAL;
	if (size > INT_MAX)
		size = INT_MAX;
	put_records(s, &out);
	err = check_output(&out, size);
	if (err)
		return err;
	out.size = size;
	out.at = HEADER;
	records = put_records(s, &out);
	end = out.at;
	err = check_output(&out, size);
	if (err)
		return err;
	rtc += (uint64_t)(int64_t)(int32_t)ahead;
	out.at = 0;
	put_word(&out, MAGIC);
	put_word(&out, (uint32_t)(end + CHECKSUM));
	put_word(&out, VERSION);
	put_word(&out, records);
	put_word(&out, s->product);
	put_word(&out, (uint32_t)rtc);
	put_word(&out, (uint32_t)(rtc >> 32));
	out.at = end;
	put_word(&out, checksum_of(buffer, end));
	return (int)out.at;
}

/* The beginning of a snapshot. */
struct header {
	const uint8_t *begin; /* of its records */
	const uint8_t *end;   /* of them */
	uint32_t records;     /* how many */
	uint32_t product;     /* of the caller */
	uint64_t rtc;	      /* of its clock */
};

/* Where length and checksum are is the same in all versions. */
static int get_header(struct header *h, const void *buffer, size_t size)
{
	const uint8_t *at = buffer;
	uint32_t length;
	const uint8_t *sum;

	if (size < HEADER + CHECKSUM || get_word(&at) != MAGIC)
		return -JIF_ENODATA;
	length = get_word(&at);
	if (length > size)
		return -JIF_EMSGSIZE;
	if (length < HEADER + CHECKSUM)
		return -JIF_EBADMSG;
	h->end = sum = (const uint8_t *)buffer + length - CHECKSUM;
	if (get_word(&sum) != checksum_of(buffer, (size_t)length - CHECKSUM))
		return -JIF_EBADMSG;
	if (get_word(&at) != VERSION)
		return -JIF_ENOTSUP;
	h->records = get_word(&at);
	h->product = get_word(&at);
	h->rtc = get_word(&at);
	h->rtc |= (uint64_t)get_word(&at) << 32;
	h->begin = at;
	return 0;
}

int jif_snapshot_clock(const void *buffer, size_t size, uint64_t *rtc)
{
	struct header h;
	int err = get_header(&h, buffer, size);

	if (!err)
		*rtc = h.rtc;
	return err;
}

/* The record's object, which is not before @row; NULL if there is none. */
static const struct jif_saved *find_object(const struct jif_snapshot *s,
					   const struct jif_saved *row,
					   uint16_t id)
{
	const struct jif_saved *end = s->list + s->count;

	while (row != end && row->id < id)
		row++;
	return row != end && row->id == id ? row : NULL;
}

/* Look at all; arm what is due as it was saved, but not paused; or the rest. */
enum pass { CHECK, ARM_DUE, ARM_LATER };

/* Records are by ascending numbers, too. Returns how many it has armed. */
static int visit_records(const struct jif_snapshot *s, const struct header *h,
			 uint32_t since, enum pass pass)
{
	struct jif_record r = { .since = since };
	const struct jif_saved *row = s->list;
	const uint8_t *at = h->begin;
	uint16_t last = 0;
	int err = 0, armed = 0;

	for (uint32_t i = 0; i < h->records && !err; i++) {
		if (!get_record(&at, h->end, &r) || r.id < last)
			return -JIF_EBADMSG;
		row = find_object(s, row, r.id);
		if (!row)
			return -JIF_ENOENT;
		r.nth = i && r.id == last ? r.nth + 1 : 0;
		last = r.id;
		if (pass == CHECK)
			err = refuse_use(row->kind->check(row->object, &r),
					 TEXT("what is restored is not "
					      "initialised, or not idle"),
					 row->object);
		else if ((pass == ARM_DUE) == ((int32_t)(r.left - !r.how) < 0))
			armed += row->kind->restore(s->wheel, row->object, &r);
	}
	if (!err && at != h->end)
		err = -JIF_EBADMSG;
	return err ? err : armed;
}

int jif_snapshot_restore(const struct jif_snapshot *s, const void *buffer,
			 size_t size, uint32_t now, uint64_t rtc)
{
	struct header h;
	jif_time_fn *time;
	uint32_t since;
	int err = check_list(s);

	if (!err)
		err = get_header(&h, buffer, size);
	if (err)
		return err;
	if (h.product != s->product)
		return -JIF_ESTALE;
	rtc = rtc > h.rtc ? rtc - h.rtc : 0;
	if (rtc > JIF_SNAPSHOT_MAX)
		return -JIF_ERANGE;
	if (s->wheel->nesting || !jif_wheel_empty(s->wheel))
		return refuse_use(-JIF_EBUSY,
				  TEXT("a snapshot is restored to a wheel in "
				       "use"),
				  s->wheel);
	since = (uint32_t)rtc;
	err = visit_records(s, &h, since, CHECK);
	if (err)
		return err;
	time = s->wheel->time;
	jif_wheel_init(s->wheel, now - since);
	s->wheel->time = jif_wheel_clock;
	err = visit_records(s, &h, since, ARM_DUE);
	err += visit_records(s, &h, since, ARM_LATER);
	s->wheel->time = time;
	return err;
}
