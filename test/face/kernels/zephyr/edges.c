/* SPDX-License-Identifier: MIT */
/*
 * Edges of a queue of time-outs, most of them after a public report about
 * Zephyr's, whose number the name of a test has
 *
 * A row is a test. Timers are letters, those in lower case unnoticed; ticks
 * count from the start of the row; $ stands for each of some values.
 *
 *	+A5 +A5/7   A starts for tick 5; with a period of 7
 *	~A5         A starts for 5 ticks from now
 *	&9/5/2%100  nine more start, for 5, 7, 9 ... and, past 100 more, again 5
 *	-A ! !-     A stops; these stop, from the first or from the last on
 *	.5 *5 <5 >5 5 ticks pass; 5 us; 5 ticks without interrupts, up to the
 *	            next of time that passes; a quarter of what is left up to 5
 *	T5          the clock announces 5 ticks
 *	x9{...}     nine times
 *	(A...)      whenever A has expired;  (3A...) three times
 *	[A...]      once in the gap between A's leaving the queue and that
 *	{3...}      in the next 3 gaps in which the lock is free
 *	^           on the other processor, in one of these
 *	o z S       now is tick 0; nobody has set the clock; it may be stopped
 *
 *	=AB5 =A5/2*9  A, then B expired on tick 5; A on 5, 7, 9, ... nine times
 *	#5          5 more expired; none at the end of a row
 *	?A5 ?       A has 5 ticks left; all have what is left up to their tick
 *	@5 @<5      the clock is set to 5 ticks from now; to 5 at most
 *	w5 s5 n5    so many wake-ups, settings, stops of the clock
 *	v e :5      no wake-up was vain; nothing is pending; it is tick 5
 */
#include <ctype.h>

#define LETTERS ('z' + 1 - 'A')
#define MORE	300

static struct one {
	struct k_timer timer;
	char name;
	int64_t due;
	unsigned turn;
} ones[LETTERS + MORE];

static struct shot {
	char name;
	bool seen;
	int64_t tick;
	unsigned turn;
} shots[9000];

/* What to do where, as long as there are turns left. */
static struct hook {
	const char *text;
	int64_t turns;
} after[LETTERS], gap[LETTERS], between;

static const char *at;
static int64_t value, origin;
static unsigned shot_count, turns, more;
static uint64_t fruitful, wakes_before;
static bool masked, busy, expiring;
static void (*player)(void);

static void must(bool is, const char *what)
{
	if (is)
		return;
	fprintf(stderr,
		"$ is %" PRId64 ", tick %" PRId64 ", before \"%s\": %s\n",
		value, k_uptime_ticks() - origin, at, what);
	exit(1);
}

static int64_t now(void)
{
	return k_uptime_ticks() - origin;
}

static bool is_sign(void)
{
	return (*at == '+' || *at == '-') &&
	       (at[1] == '$' || isdigit((unsigned char)at[1]));
}

static int64_t number(void)
{
	int64_t sum = 0, sign;
	char *end = NULL;

	do {
		sign = *at == '-' ? -1 : 1;
		at += is_sign();
		if (*at == '$') {
			sum += sign * value;
			at++;
		} else if (isdigit((unsigned char)*at)) {
			sum += sign * strtoll(at, &end, 0);
			at = end;
		}
	} while (is_sign());
	return sum;
}

static int64_t number_after(char sign, int64_t otherwise)
{
	if (*at != sign)
		return otherwise;
	at++;
	return number();
}

static struct one *letter(void)
{
	return &ones[*at++ - 'A'];
}

static void perform(struct hook *hook)
{
	const char *back = at;
	int cpu = test_cpu;

	if (!hook->turns)
		return;
	hook->turns--;
	at = hook->text;
	player();
	at = back;
	test_cpu = cpu;
}

static void in_between(void)
{
	uintptr_t flying = (uintptr_t)inflight_timeout & ~(uintptr_t)1;
	struct hook *hook = &between;

	for (unsigned i = 0; i < LETTERS; i++)
		if (gap[i].turns && flying == (uintptr_t)&ones[i].timer.timeout)
			hook = &gap[i];
	if (busy)
		return;
	busy = true;
	perform(hook);
	busy = false;
}

static void expired(struct k_timer *timer)
{
	struct one *one = CONTAINER_OF(timer, struct one, timer);
	struct shot *shot = &shots[shot_count];

	must(!test_locks && !expiring, "a handler with a lock, in another");
	expiring = true;
	fruitful += wakes_before != hw.wakes;
	wakes_before = hw.wakes;
	if (one->name == '&' && shot_count && shot[-1].name == '&')
		must(shot[-1].tick < now() || shot[-1].turn < one->turn,
		     "the order of ties");
	*shot = (struct shot){ one->name, false, now(), one->turn };
	shot_count += !islower((unsigned char)one->name);
	if (one < &ones[LETTERS])
		perform(&after[one - ones]);
	expiring = false;
}

/* Without absolute time, what is past or far is not to be had. */
static void start(struct one *one, bool absolute)
{
	int64_t when = number(), period = number_after('/', 0), delay = when;

	one->due = when;
	one->turn = turns++;
	if (absolute)
		delay -= now() + 1;
	if (!IS_ENABLED(CONFIG_TIMEOUT_64BIT) &&
	    (delay < -1 || delay > INT32_MAX))
		exit(SKIPPED);
	k_timer_start(&one->timer,
		      absolute ? K_TIMEOUT_ABS_TICKS(origin + when) :
				 K_TICKS(when),
		      K_TICKS(period));
}

static void start_more(void)
{
	int64_t count = number(), first = number_after('/', 0);
	int64_t step = number_after('/', 0), within = number_after('%', 0);
	const char *back = at;
	char text[24];

	for (int64_t i = 0; i < count; i++) {
		snprintf(text, sizeof(text), "%" PRId64,
			 first + (within ? i * step % within : i * step));
		at = text;
		start(&ones[LETTERS + more++], true);
	}
	at = back;
}

static void stop_more(void)
{
	bool back = *at == '-';

	at += back;
	for (unsigned i = 0; i < more; i++)
		k_timer_stop(&ones[LETTERS + (back ? more - 1 - i : i)].timer);
	more = 0;
}

static void unmask(void)
{
	test_locks -= masked;
	masked = false;
	test_window();
}

static void announce(int64_t ticks)
{
	bool handles = hw.handles;

	hw.now += (uint64_t)ticks * CYCLES_PER_TICK;
	hw.base += (uint64_t)ticks * CYCLES_PER_TICK;
	hw.handles = true;
	sys_clock_announce((sys_clock_ticks_t)ticks);
	hw.handles = handles;
}

static void look_at_others(int64_t count)
{
	for (unsigned i = 0; i < shot_count; i++) {
		count -= !shots[i].seen;
		shots[i].seen = true;
	}
	must(!count, "how many expired");
}

static void begin(void)
{
	look_at_others(0);
	shot_count = turns = 0;
	hw.wakes = hw.settings = hw.stops = fruitful = wakes_before = 0;
	origin = k_uptime_ticks();
}

static void keep(struct hook *hook, int64_t count)
{
	int depth = 1;

	*hook = (struct hook){ at, count ? count : INT64_MAX };
	while (depth) {
		depth += strchr("([{", *at) != NULL;
		depth -= strchr(")]}", *at) != NULL;
		at++;
	}
}

static void keep_hook(char sign)
{
	int64_t count = isdigit((unsigned char)*at) ? number() : sign == '[';

	if (sign == '{')
		keep(&between, count);
	else
		keep(&(sign == '[' ? gap : after)[*at++ - 'A'], count);
}

static void repeat(void)
{
	int64_t count = number();
	const char *text = ++at;

	while (count--) {
		at = text;
		player();
	}
	at++;
}

static struct shot *find_shot(char name)
{
	for (unsigned i = 0; i < shot_count; i++)
		if (!shots[i].seen && shots[i].name == name)
			return &shots[i];
	must(false, "it did not expire");
	return NULL;
}

static void look_at_shots(void)
{
	const char *names = at, *end = at + strspn(at, "&ABCDEFGHIJ");
	struct shot *shot, *last;
	int64_t tick, step, count;

	at = end;
	tick = number();
	step = number_after('/', 0);
	count = number_after('*', 1);
	for (; count--; tick += step) {
		last = NULL;
		for (const char *name = names; name < end; name++) {
			shot = find_shot(*name);
			must(shot->tick == tick, "the tick");
			must(!last || last < shot, "the order");
			shot->seen = true;
			last = shot;
		}
	}
}

static int64_t left(const struct one *one)
{
	k_ticks_t ticks = k_timer_remaining_ticks(&one->timer);

	return sizeof(ticks) == 4 ? (int32_t)ticks : (int64_t)ticks;
}

static void look_at_what_is_left(void)
{
	struct one *one;

	if (isalpha((unsigned char)*at)) {
		one = letter();
		must(left(one) == number(), "what is left");
		return;
	}
	for (one = ones; one < &ones[LETTERS + more]; one++)
		must(z_is_inactive_timeout(&one->timer.timeout) ||
			     left(one) == one->due - now(),
		     "what is left");
}

static void look_at_alarm(void)
{
	int64_t ticks = (int64_t)div_up(hw.alarm - hw.now, CYCLES_PER_TICK);
	bool most = *at == '<';
	int64_t want;

	at += most;
	want = number();
	must(most ? ticks <= want : ticks == want, "the alarm");
}

static k_ticks_t next_expiry(void)
{
	k_spinlock_key_t key = sys_clock_lock();
	k_ticks_t next = z_timeout_q_next_expiry();

	k_spin_unlock(&timeout_lock, key);
	return next;
}

static void pass_time(char sign)
{
	int64_t count = number();

	if (sign == '>')
		count = (count - now()) / 4;
	if (sign != '*')
		count *= CYCLES_PER_TICK;
	if (sign == '<') {
		test_locks += !masked;
		masked = true;
	} else if (sign != '*') {
		unmask();
	}
	k_busy_wait((uint64_t)count);
}

static void act(char sign)
{
	if (strchr("+~", sign))
		start(letter(), sign == '+');
	else if (sign == '-')
		k_timer_stop(&letter()->timer);
	else if (sign == '&')
		start_more();
	else if (sign == '!')
		stop_more();
	else if (sign == 'x')
		repeat();
	else if (strchr("([{", sign))
		keep_hook(sign);
	else if (sign == 'T')
		announce(number());
	else if (sign == 'o')
		begin();
	else if (sign == 'z')
		hw.alarm = UINT64_MAX;
	else if (sign == '^')
		test_cpu = 1;
	else if (sign == 'S')
		test_sloppy = true;
	else
		pass_time(sign);
}

static void look(char sign)
{
	if (sign == '=')
		look_at_shots();
	else if (sign == '#')
		look_at_others(number());
	else if (sign == '?')
		look_at_what_is_left();
	else if (sign == '@')
		look_at_alarm();
	else if (sign == 'e')
		must(next_expiry() == K_TICKS_FOREVER, "what is pending");
	else if (sign == 'v')
		must(hw.wakes == fruitful, "the vain wake-ups");
	else if (sign == ':')
		must(now() == number(), "the time");
	else if (sign == 'w')
		must((int64_t)hw.wakes == number(), "the wake-ups");
	else if (sign == 's')
		must((int64_t)hw.settings == number(), "the settings");
	else
		must((int64_t)hw.stops == number(), "the stops");
}

static void play(void)
{
	char sign;

	while (*at && !strchr(")]}", *at)) {
		sign = *at++;
		if (strchr("+~-&!x([{TozS^.*<>", sign))
			act(sign);
		else if (sign != ' ')
			look(sign);
	}
}

struct row {
	struct ztest test;
	const char *text;
	const int64_t *values;
	size_t count;
};

static void run_row(void)
{
	const struct row *row = CONTAINER_OF(ztest_now, struct row, test);

	player = play;
	test_in_between = in_between;
	for (size_t i = 0; i < row->count; i++) {
		for (unsigned k = 0; k < LETTERS + MORE; k++) {
			ones[k].name = k < LETTERS ? (char)('A' + k) : '&';
			k_timer_init(&ones[k].timer, expired, NULL);
		}
		memset(after, 0, sizeof(after));
		k_usleep(1);
		begin();
		value = row->values[i];
		at = row->text;
		play();
		look_at_others(0);
		between.turns = 0;
		stop_more();
		for (unsigned k = 0; k < LETTERS; k++)
			k_timer_stop(&ones[k].timer);
	}
}

static const int64_t at_once[] = { 0 };
static const int64_t edges[] = { 1,	2,     31,    32,     33,     59,
				 60,	61,    119,   120,    121,    1023,
				 1056,	1057,  3599,  3600,   3601,   7200,
				 86399, 86400, 86401, 604799, 604800, 5000000 };
static const int64_t distances[] = { 200, 4000, 90000, 700000, 5000000 };
static const int64_t ties[] = { 61, 3600, 3661, 90000, 1 << 30, 5LL << 30 };

#define VALUES(list) list, sizeof(list) / sizeof(*list)

static struct row rows[] = {
#define ROW(name, text)                                                        \
	{                                                                      \
		{ name, run_row, NULL }, text, VALUES(at_once)                 \
	}
#define ROWS(name, values, text)                                               \
	{                                                                      \
		{ name, run_row, NULL }, text, VALUES(values)                  \
	}
	ROW("107059 started anew in the gap", "+A5[A~A10].40 =A15"),
	ROW("109977 stopped, started, stopped there", "+A5[A-A~A10-A].40"),
	ROW("54568 a period anew there", "+A5/5[A~A7/5].24 =A12/5*3"),
	ROW("40391 a periodic one stopped there", "+A5/5[A-A].60?A0"),
	ROW("106653 stopped there by another CPU", "+A5[A^-A].20#~A3.9=A24"),
	ROW("44845 another CPU announces amid it",
	    "+A5+B8+C16(1A^T10T0).16 =A5=B8=C16 :16"),
	ROW("108540 others see one time",
	    "+D7000&300/1/13%3000{^:4000?D3000}<4000.0 #300"),
	ROW("107452 another CPU adds amid it",
	    "+A5+C21[A^~B3]<20.10 =A5=C21=B24"),
	ROW("55507 another CPU churns in every gap",
	    "&300/1/7{^~d3-d~e60}x30{<80.0} =&1/7*300"),
	ROW("own: all in the last gap of a handler's tick",
	    "+A5+C6(A{1~D0~B0-D}).9=A5=B5=C6"),
	ROW("own: all in the last gap, for nothing",
	    "{1~A0~B0-A}T0x20000000.9#1"),
	ROW("own: a far one after a far one",
	    "+C100+A0x50000000-A+B0x60000000.100=C100@0x5fffff9c"),
	ROW("own: in the first gap of a search",
	    "+A0x2fffffff&99/0x30000000/1-A{1^~B5}T0x20000000.20=B0x20000006!"),
	ROW("62908 a start amid a start", "~A9{1~A30}~A5.60 =A31"),
	ROW("8669 a handler starts what is due now",
	    "+A7+B7+C7(A~B10/20).40 =AC7=B17/20*2"),
	ROW("8669 a handler stops what is due now",
	    "+A70+B70+C71+D71(A-B-C).100 =A70=D71"),
	ROW("own: 0 ticks in a handler, for another",
	    "+A7+D7(A~B0~C1).50 =ADB7=C8"),
	ROWS("own: from a handler", edges, "+A5(3A~A$).$+$+$+5 =A5/$*4"),
	ROW("own: 0 ticks from a handler", "+A5(3A~A0).100 =A5/0*4"),
	ROW("48664 a slow handler", "+A10/10(A*337).10005 =A10/10*1000"),
	ROW("27874 slow ones in step, overrun",
	    "+A4+B4+C4(99A*150~A1)(99B*150~B1)(99C*150~C1).3000 =ABC4/1*100"),
	ROW("28414 what is overdue asks for the next tick",
	    "+A5+B6<9-A@<1~C3@<1.20 =B6=C13"),
	ROW("118933 what is left when overdue", "+A5<9?A-4.0=A5"),
	ROW("12332 a late announcement",
	    "+A5+C6/10(A~B40)<8.50 =A5=C6/10*6=B45"),
	ROW("20585 a short one, again and again",
	    "+A1000x2500{~B3.2} =A1000:5000"),
	ROW("111099 no wait is too long to count",
	    "x12{~A0x60000000@<0x7fffffff.0x50000000}#.0x20000000 "
	    "=A0x3d0000001"),
	ROW("22268 far ones",
	    "+A0x3fffffff+B0x40000000+C0x40000001+D0x7fffffff+E0x80000000"
	    "+F0x80000001+G0xffffffff+H0x100000000+I0x100000001"
	    "+J0x400000000?.100?#.0x400000000 =A0x3fffffff=B0x40000000"
	    "=C0x40000001=D0x7fffffff=E0x80000000=F0x80000001"
	    "=G0xffffffff=H0x100000000=I0x100000001=J0x400000000"),
	ROW("79863 across 2^32 and 2^33 ticks",
	    "x2{.0xfffffe00 o+A10/10x100{~B109.10?B100}-A-B =A10/10*100}"),
	ROW("25820 K_FOREVER", "~A-1.50#o~A5/7~A-1/1.21 =A6/7*3"),
	ROW("54756 a period of 1 from 0 on", "~A0/1.200 =A1/1*200"),
	ROW("32683 absolute time",
	    "+B4000.777*30+A1000x223{?#.1}=A1000+A1000+C0.2=AC1001"),
	ROW("44662 late by periods", "+A10/10x20{<35.7}.1 =A10/10*84"),
	ROW("13353 the first one is stopped", "+A10+B5000-A@5000-B@0x7fffffff"),
	ROW("13353 it is, among many",
	    "&300/100/7919%100000x2000{~A20.10-A.40}#300v"),
	ROWS("13353 it is, before many", distances,
	     "&100/$+500/-5+A100-A.$+600 v=&$+5/5*100"),
	ROWS("72285 one wake-up", edges, "+B0x3000000+A$.$=A$w1"),
	ROWS("72285 one for each of many", distances,
	     "&100/$+500/-5.$+600 w100=&$+5/5*100"),
	ROWS("117990 the first one sets the clock", edges, "z+A$.$=A$"),
	ROW("30916 the slice is not put off",
	    "+A20s1&100/21/41 !-s1@20.20=A20"),
	ROW("88353 a slice for every switch", "+B100000x1000{~A20*3}.60=A50"),
	ROWS("8159 ties from all distances", ties,
	     "x4{+A$&1/$>$&1/$-A>$}x4{&1/$>$}.$=&$/0*12"),
	ROW("2811 what is left of many", "&300/500/997x400{.1?}!"),
	ROW("54782 replaced just before",
	    "+B400x29{~A9.9*99~A2.3*1}=A12/13*29.30=B400"),
	ROW("117320 added from the last, stopped from the first",
	    "+A50000&299/49963/-37s300!-.50000=A50000"),
	ROW("112750 nothing is pending", "+A100+B9000+C9001+D9002-B-C-D-Ae"),
	ROW("112750 nothing after many", "+A100&100/90000/5-A!e"),
	ROW("112750 nothing after a far one",
	    "+A0x50000000-Aew0.0x7ffffff0 w0"),
	ROW("112750 nothing once one came near",
	    "+A0x50000000+B0x90000000T0x20000000{1^-B}T0x20000000-Ae"),
	ROW("118012 every tick is announced",
	    "+A7/7+B61/61+C3600/3600x8000{T1}"
	    "=A7/7*1142=B61/61*131=C3600/3600*2"),
	ROWS("66145 woken early", edges, "~A$+9.8?A$+2-A?A0"),
	ROW("110938 a slice from its handler",
	    "+A19+B38/38(A~A19).19000=A19/19*1000=B38/38*500"),
	ROW("41422 a clock that may be stopped", "S+A100n0-An1~B70.80=B71n2"),
	ROW("41422 after many", "S+A100&100/90000/5!n0-An1~B70.80=B71n2"),
	ROW("41422 after a far one", "S+A100+B0x50000000-Bn0-An1~B70.80=B71n2"),
	ROW("41422 the first one before many", "S+A100&100/90000/5-A!n1"),
	ROW("41422 nine left", "S&10/4000/1!n1"),
};

__attribute__((constructor)) static void add_rows(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		ztest_add(&rows[i].test);
}

/* 109977, 21484: once it ran, or was aborted, nobody looks at it again. */
static struct _timeout *others[3];

static void free_it(struct _timeout *to)
{
	free(to);
	shot_count++;
	for (unsigned i = 0; shot_count == 2 && i < 3; i++) {
		must(!z_try_abort_timeout(others[i]), "it was pending");
		free(others[i]);
	}
}

static void add_one_to_free(struct _timeout **to, k_ticks_t tick)
{
	at = "";
	*to = calloc(1, sizeof(**to));
	z_init_timeout(*to);
	z_add_timeout(*to, free_it, K_TIMEOUT_ABS_TICKS(tick));
}

ZTEST(edges, objects_are_freed)
{
	struct _timeout *to;

	for (int i = 0; i < 200; i++)
		add_one_to_free(&to, 103 + i * 17 % 4000);
	for (int i = 0; i < 3; i++)
		add_one_to_free(&others[i], 120 + 60 * i);
	k_busy_wait(UINT64_C(4200) * CYCLES_PER_TICK);
	must(shot_count == 200, "all expired");
}

/* The queue's own time goes on where a test sets the kernel's back. */
ZTEST(edges, the_last_tick_is_far)
{
	static struct _timeout to;

	at = "";
	announce(100);
	z_impl_sys_clock_tick_set(0);
	z_init_timeout(&to);
	z_add_timeout(&to, free_it, K_TIMEOUT_ABS_TICKS(INT64_MAX - 1));
	must(!z_try_abort_timeout(&to), "it was pending");
}

/* 37304 */
ZTEST(edges, a_thread_waits_for_each_period)
{
	struct k_timer *timer = &ones[0].timer;

	k_timer_init(timer, NULL, NULL);
	k_timer_start(timer, K_TICKS(1), K_TICKS(1));
	for (int i = 0; i < 200; i++) {
		must(!wait_for(&timer->status, K_TICKS(3)), "it expired");
		timer->status = 0;
	}
	k_timer_stop(timer);
}

ZTEST_SUITE(edges, NULL, NULL, NULL, NULL, NULL);
