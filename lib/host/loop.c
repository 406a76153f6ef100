/* SPDX-License-Identifier: MIT */
/*
 * lib/host/loop.c - a wheel in an event loop, on Linux
 *
 * The kernel keeps one timer, at the next expiry of the wheel or, with many in
 * a slot, when that is reached. Arming costs a system call only if what is
 * armed comes first, and not during a run; disarming costs none.
 */
#define _GNU_SOURCE 1
#include "loop_inside.h"

#include <errno.h>
#include <pthread.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "../periodic_kind.h"
#include "../shared.h"
#include "../wheel_sleep.h"

#define NS_PER_S UINT64_C(1000000000)
#define AWAKE	 UINT64_C(0)

unsigned jif_forks;

static void count_fork(void)
{
	JIF_FETCH_ADD(&jif_forks, 1, RELAXED);
}

static void watch_forks(void)
{
	pthread_atfork(NULL, NULL, count_fork);
}

bool jif_loop_claim(struct jif_loop *loop)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, watch_forks);
	/* What is pending there is the parent's. */
	if (CONFIG_JIF_DEBUG && is_inherited(loop))
		loop->wheel = (struct jif_wheel){ .time = NULL };
	loop->forks = JIF_LOAD(&jif_forks, RELAXED);
	if (!loop->tick_ns)
		loop->tick_ns = JIF_TICK_NS_DEFAULT;
	return loop->tick_ns >= JIF_TICK_NS_MIN &&
	       loop->tick_ns <= JIF_TICK_NS_MAX;
}

static clockid_t clock_id(const struct jif_loop *loop)
{
	return loop->boottime ? CLOCK_BOOTTIME : CLOCK_MONOTONIC;
}

uint64_t jif_loop_now(const struct jif_loop *loop)
{
	struct timespec now;

	if (loop->clock)
		return loop->clock(loop);
	clock_gettime(clock_id(loop), &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

uint64_t jif_loop_clock(const struct jif_loop *loop)
{
	uint32_t ran = (uint32_t)loop->ran;

	return loop->ran + (jif_wheel_clock(&loop->wheel) - ran);
}

/* The tick under way; never before the wheel's clock. */
static uint64_t tick_under_way(const struct jif_loop *loop)
{
	uint64_t clock = jif_loop_clock(loop);
	uint64_t now = jif_loop_now(loop) / loop->tick_ns;

	return (int64_t)(now - clock) > 0 ? now : clock;
}

/* Time moves on where nothing is due. */
static void pass_idle_time(struct jif_loop *loop, uint64_t now)
{
	uint64_t clock = jif_loop_clock(loop), end;
	uint32_t when;

	for (; clock != now; clock = end) {
		end = clock + JIF_DELAY_MAX;
		if (jif_wheel_next_expiry(&loop->wheel, &when))
			end = clock + (when - (uint32_t)clock) - 1;
		if (end > now)
			end = now;
		if ((int64_t)(end - clock) <= 0)
			break;
		/* jif_wheel_run() may ask the source, which may come here. */
		jif_wheel_run_budget(&loop->wheel, (uint32_t)end, -1u);
		JIF_STORE(&loop->ran, end, RELAXED);
	}
}

/* In order of expiry; what each has left is its remaining value. */
static _Thread_local struct jif_timer *first_taken, **last_taken;

static void take(struct jif_timer *timer)
{
	timer->next = NULL;
	*last_taken = timer;
	last_taken = &timer->next;
}

/*
 * Of the calls of a periodic timer up to @clock, the last one remains. One that
 * restarts has missed a period, so that one may not be after now.
 */
static void skip_calls(struct jif_timer *timer, uint64_t from, uint64_t clock)
{
	struct jif_periodic *p =
		jif_container_of(timer, struct jif_periodic, timer);
	uint32_t ahead = p->expires - (uint32_t)from;
	uint64_t late = clock - from - (uint64_t)(int64_t)(int32_t)ahead;

	if ((int64_t)late < (int64_t)p->period)
		return;
	late %= p->period;
	if (policy_of(p) == JIF_CATCHUP_RESTART &&
	    late + JIF_SLEEP_MAX < p->period)
		late = p->period - JIF_SLEEP_MAX;
	p->expires = (uint32_t)(clock - late);
}

/* What is due by @clock expires on the tick after it, in order of expiry. */
static void skip_to(struct jif_loop *loop, uint64_t clock)
{
	uint64_t from = jif_loop_clock(loop), due;
	struct jif_timer *timer;

	last_taken = &first_taken;
	jif_wheel_drain(&loop->wheel, take);
	pass_idle_time(loop, clock);
	while ((timer = first_taken)) {
		first_taken = timer->next;
		due = from + timer->remaining;
		if (due <= clock) {
			due = clock + 1;
			if (timer->fn == jif_periodic_expire ||
			    timer->fn == jif_periodic_expire_ratio)
				skip_calls(timer, from, clock);
		}
		(void)!jif_timer_add(&loop->wheel, timer, (uint32_t)due);
	}
}

/*
 * Outside of callbacks, the clock goes on to @now or, if something is due, to
 * the tick before that. If that is more than JIF_SLEEP_MAX ticks before @now, a
 * loop skips them up to there; a service runs them in steps.
 */
static void catch_up(struct jif_loop *loop, uint64_t now)
{
	if (loop->wheel.nesting)
		return;
	pass_idle_time(loop, now);
	if (!loop->steps && now - jif_loop_clock(loop) > JIF_SLEEP_MAX)
		skip_to(loop, now - JIF_SLEEP_MAX);
}

/* The clock stays before that tick, or it would be late. */
bool jif_loop_reach(struct jif_loop *loop, uint64_t tick)
{
	uint64_t now, clock = jif_loop_clock(loop);

	if ((int64_t)(tick - clock) <= (int64_t)JIF_DELAY_MAX)
		return true;
	now = tick_under_way(loop);
	catch_up(loop, now < tick ? now : tick - 1);
	return tick - jif_loop_clock(loop) <= JIF_DELAY_MAX;
}

/* A delay does not make a loop that is so near to now look for what is due. */
#define NEAR (JIF_SLEEP_MAX / 4)

/* If it is still far behind, nothing is in reach. */
static uint32_t tick_of_loop(const struct jif_wheel *wheel)
{
	struct jif_loop *loop = jif_container_of((struct jif_wheel *)wheel,
						 struct jif_loop, wheel);
	uint64_t now = tick_under_way(loop), ahead;

	if (now - jif_loop_clock(loop) > NEAR)
		catch_up(loop, now);
	ahead = now - jif_loop_clock(loop);
	if (ahead > JIF_DELAY_MAX)
		ahead = JIF_DELAY_MAX;
	return clock_of(wheel) + (uint32_t)ahead;
}

int jif_loop_open(struct jif_loop *loop, int flags)
{
	loop->fd = timerfd_create(clock_id(loop), TFD_CLOEXEC | flags);
	if (loop->fd < 0)
		return -errno;
	loop->ran = loop->goal = jif_loop_now(loop) / loop->tick_ns;
	/* Never 0: so it is what was not made yet. */
	JIF_STORE(&loop->began, loop->ran + !loop->ran, RELAXED);
	loop->until_ns = AWAKE;
	loop->kicked = false;
	loop->steps = false;
	jif_wheel_init(&loop->wheel, (uint32_t)loop->ran);
	loop->wheel.time = tick_of_loop;
	return 0;
}

int jif_loop_init(struct jif_loop *loop)
{
	int err = jif_loop_claim(loop) ?
			  jif_loop_open(loop, TFD_NONBLOCK) :
			  jif_invalid("a loop has no such tick", loop);

	if (!err)
		jif_loop_sleep(loop);
	return err;
}

void jif_loop_shutdown(struct jif_loop *loop)
{
	close(loop->fd);
	loop->fd = -1;
}

static void set_fd(const struct jif_loop *loop, uint64_t ns)
{
	struct itimerspec when = { .it_value = {
					   .tv_sec = (time_t)(ns / NS_PER_S),
					   .tv_nsec = (long)(ns % NS_PER_S) } };

	timerfd_settime(loop->fd, TFD_TIMER_ABSTIME, &when, NULL);
}

void jif_loop_kick(struct jif_loop *loop)
{
	JIF_STORE(&loop->kicked, true, SEQ_CST);
	set_fd(loop, 1);
}

bool jif_loop_wait(struct jif_loop *loop)
{
	uint64_t expirations;
	ssize_t n;

	JIF_STORE(&loop->kicked, false, SEQ_CST);
	do {
		n = read(loop->fd, &expirations, sizeof(expirations));
	} while (n < 0 && errno == EINTR);
	return n > 0;
}

static uint64_t ns_of(const struct jif_loop *loop, uint64_t tick)
{
	return tick < INT64_MAX / loop->tick_ns ? tick * loop->tick_ns :
						  INT64_MAX;
}

/*
 * A clock of the program's own is none of the kernel's. If another thread has
 * made the descriptor readable, it stays so.
 */
static void wait_until(struct jif_loop *loop, uint64_t ns)
{
	JIF_STORE(&loop->until_ns, ns, RELAXED);
	if (loop->clock)
		return;
	set_fd(loop, ns);
	if (JIF_LOAD(&loop->kicked, SEQ_CST))
		set_fd(loop, 1);
}

bool jif_loop_is_sooner(const struct jif_loop *loop, uint64_t tick)
{
	return ns_of(loop, tick) < JIF_LOAD(&loop->until_ns, RELAXED);
}

void jif_loop_armed(struct jif_loop *loop, uint64_t tick)
{
	if (jif_loop_is_sooner(loop, tick))
		wait_until(loop, ns_of(loop, tick));
}

void jif_loop_awake(struct jif_loop *loop)
{
	JIF_STORE(&loop->until_ns, AWAKE, RELAXED);
}

static uint64_t next_ns(struct jif_loop *loop)
{
	uint32_t when = jif_wheel_sleep_until(&loop->wheel);

	return ns_of(loop, loop->ran + (when - (uint32_t)loop->ran));
}

void jif_loop_sleep(struct jif_loop *loop)
{
	wait_until(loop, next_ns(loop));
}

int jif_loop_reject(const struct jif_loop *loop)
{
	if (!loop->tick_ns)
		return jif_invalid(NO_LOOP, loop);
	return loop->fd < 0 || is_inherited(loop) ? -JIF_ECANCELED : 0;
}

/* Never later: what is in an inbox is not on the wheel. */
int jif_loop_wake(struct jif_loop *loop)
{
	int err = jif_loop_reject(loop);
	uint64_t ns = err ? UINT64_MAX : next_ns(loop);

	if (ns < loop->until_ns)
		wait_until(loop, ns);
	return err;
}

void jif_loop_check(const struct jif_loop *loop, uint64_t ns,
		    const void *object, void (*fn)(void))
{
	if (CONFIG_JIF_DEBUG && loop->tick_ns && ns >= loop->tick_ns &&
	    ns / loop->tick_ns <= JIF_LOAD(&loop->began, RELAXED) / 2)
		jif_refused("a time is before the loop or service was made",
			    object, fn);
}

int jif_loop_tick(const struct jif_loop *loop, uint64_t ns, uint64_t *tick)
{
	uint64_t first, ran = JIF_LOAD(&loop->ran, RELAXED);
	int err = jif_loop_reject(loop);

	if (err)
		return err;
	first = ns / loop->tick_ns + (ns % loop->tick_ns != 0);
	if ((int64_t)(first - ran) <= 0)
		first = ran + 1;
	if (first - ran > JIF_DELAY_MAX &&
	    (int64_t)(first - jif_loop_now(loop) / loop->tick_ns) >
		    (int64_t)JIF_DELAY_MAX)
		return -JIF_ERANGE;
	*tick = first;
	return 0;
}

/* The same, for @object, which is armed on the wheel. */
static int tick_in_reach(struct jif_loop *loop, uint64_t ns, uint64_t *tick,
			 const void *object, jif_timer_fn *fn)
{
	int err = jif_loop_tick(loop, ns, tick);

	if (!err && !jif_loop_reach(loop, *tick))
		err = -JIF_ERANGE;
	return err == -JIF_ERANGE ? jif_too_far(object, fn) : err;
}

int jif_loop_expires(struct jif_loop *loop, uint64_t expires_ns,
		     uint32_t *expires)
{
	uint64_t tick;
	int err = tick_in_reach(loop, expires_ns, &tick, loop, NULL);

	if (!err)
		*expires = (uint32_t)tick;
	return err;
}

/* By jif_timer_add() or jif_timer_mod(). */
static int arm_on_loop(struct jif_loop *loop, struct jif_timer *timer,
		       uint64_t expires_ns,
		       int (*how)(struct jif_wheel *wheel,
				  struct jif_timer *timer, uint32_t expires))
{
	uint64_t tick;
	int err = tick_in_reach(loop, expires_ns, &tick, timer, timer->fn);

	jif_loop_check(loop, expires_ns, timer, (void (*)(void))timer->fn);
	if (!err)
		err = how(&loop->wheel, timer, (uint32_t)tick);
	if (err >= 0)
		jif_loop_armed(loop, tick);
	return err;
}

int jif_loop_add(struct jif_loop *loop, struct jif_timer *timer,
		 uint64_t expires_ns)
{
	return arm_on_loop(loop, timer, expires_ns, jif_timer_add);
}

int jif_loop_mod(struct jif_loop *loop, struct jif_timer *timer,
		 uint64_t expires_ns)
{
	return arm_on_loop(loop, timer, expires_ns, jif_timer_mod);
}

int jif_loop_mod_in(struct jif_loop *loop, struct jif_timer *timer,
		    uint64_t delay_ns)
{
	return jif_loop_mod(loop, timer, ns_in(loop, delay_ns));
}

/* A jump that is too long for one run takes several. */
bool jif_loop_step(struct jif_loop *loop, uint64_t now, unsigned max)
{
	uint64_t end = now, clock = jif_loop_clock(loop);
	bool all;

	if ((int64_t)(now - loop->goal) > 0)
		loop->goal = now;
	/* A clock that goes back is waited for. */
	if ((int64_t)(now - clock) < 0)
		end = clock;
	else if (now - clock > JIF_DELAY_MAX)
		end = clock + JIF_SLEEP_MAX;
	all = jif_wheel_run_budget(&loop->wheel, (uint32_t)end, max);
	JIF_STORE(&loop->ran, jif_loop_clock(loop), RELAXED);
	return all && (int64_t)(now - end) <= 0;
}

/* A callback may shut it down, or go on in the child of a fork. */
int jif_loop_run(struct jif_loop *loop)
{
	int err = jif_loop_reject(loop);
	uint64_t now;
	bool read, all;

	if (err)
		return err;
	if (loop->wheel.nesting)
		return jif_invalid("a loop is run within a run, or was left",
				   loop);
	now = jif_loop_now(loop);
	read = jif_loop_wait(loop);
	if (now < loop->until_ns) {
		if (read)
			wait_until(loop, loop->until_ns);
		return 0;
	}
	now /= loop->tick_ns;
	jif_loop_awake(loop);
	if ((int64_t)(now - loop->ran) > (int64_t)JIF_SLEEP_MAX)
		catch_up(loop, now);
	for (all = false; !err && !all; err = jif_loop_reject(loop))
		all = jif_loop_step(loop, now, 1);
	if (!err)
		jif_loop_sleep(loop);
	return err;
}
