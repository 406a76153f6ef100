/* SPDX-License-Identifier: MIT */
/*
 * test/face/kernels/freertos/stress.c - many timers, from tasks and handlers at
 * once
 *
 * Three tasks, one of them more urgent than those that run the wheels, a
 * handler that comes at random times, and the hook of the tick each have timers
 * of their own, which they arm, move and disarm: those of a wheel, and those of
 * jif/face/freertos/timers.h. What a timer has to do follows from FreeRTOS'
 * tick count, read before and after each call. An arming either ends by a
 * callback, on its tick, or is taken back by a call that says so.
 *
 * No lock is held around a call and its record: so a callback, which may come
 * at any point, is compared with both, the record before and the one to come;
 * and where calls may have interrupted it when it had begun, with those from
 * before them.
 */
#include <FreeRTOS.h>
#include <jif/face/kernel.h>
#include <jif/jiffies.h>
#include <jif/wheel.h>
#include <task.h>

#include "board.h"
#include "timers.h"

#ifndef OPERATIONS
#define OPERATIONS 1000000u
#endif

/* How many ticks a callback may come after its own. */
#ifndef LATE
#define LATE (TICKLESS ? 3 : 1)
#endif

#define OWN    16u
#define OLD    4u
#define OPEN   1000u
#define LENGTH 5u

/* Due between @from and @to and, if it has a @period, each after that. */
struct due {
	uint32_t from, to, period;
};

struct raw {
	struct jif_timer timer;
	struct due now, next, old[OLD];
	uint32_t armed, taken_back, fired;
};

struct soft {
	TimerHandle_t timer;
	struct due now, next, old[OLD];
	volatile uint32_t stopped;
};

enum who { LOW, MIDDLE, HIGH, HANDLER, HOOK };

struct owner {
	enum who who;
	uint32_t seed, operations, pended;
	struct raw raw[OWN];
	struct soft soft[OWN];
};

/* It is taken for early. */
static const struct due never = { 0x80000000u, 0x80000000u, 0 };

static struct owner owners[LENGTH];
static struct jif_kernel wheels;
static volatile uint32_t wrong, late[3], unasked, called, refused;
static volatile uint32_t interrupts;
static volatile bool over;

static uint32_t ticks(void)
{
	return (uint32_t)xTaskGetTickCountFromISR();
}

static uint32_t draw(struct owner *owner, uint32_t limit)
{
	owner->seed = owner->seed * 1664525 + 1013904223;
	return (uint32_t)(((uint64_t)owner->seed * limit) >> 32);
}

static uint32_t draw_delay(struct owner *owner)
{
	static const uint32_t most[] = { 3, 20, 70, 400, 4000, 100000 };

	return 3 + draw(owner, most[draw(owner, 6)]);
}

static bool in_isr(const struct owner *owner)
{
	return owner->who >= HANDLER;
}

/* How late it is for what was due; more than LATE if it was not. */
static uint32_t lateness(const struct due *due, uint32_t now)
{
	uint32_t since = now - due->from;

	if (due->period && (int32_t)since >= 0)
		since %= due->period;
	if ((int32_t)since < 0)
		return UINT32_MAX;
	return since <= due->to - due->from ? 0 : since - (due->to - due->from);
}

static void judge(const struct due *now, const struct due *next,
		  const struct due *old, uint32_t at)
{
	uint32_t by = lateness(now, at);

	if (by > LATE)
		by = lateness(next, at);
	for (unsigned i = 0; by > LATE && i < OLD; i++)
		by = lateness(&old[i], at);
	late[by > 1 ? 2 : by]++;
	if (by <= LATE)
		return;
	if (!wrong++)
		board_say("wrong: at", at);
	if (wrong < 4) {
		board_say("  it was due from", now->from);
		board_say("  to", now->to);
		board_say("  by a period of", now->period);
		board_say("  or from", next->from);
	}
}

static void on_raw(struct jif_timer *timer)
{
	struct raw *raw = jif_container_of(timer, struct raw, timer);
	uint32_t clock = jif_wheel_clock(&wheels.wheel);
	uint32_t now = ticks();

	judge(&raw->now, &raw->next, raw->old, now);
	if (now - clock > LATE)
		wrong++;
	raw->fired++;
}

static void on_soft(TimerHandle_t timer)
{
	struct soft *soft = (struct soft *)pvTimerGetTimerID(timer);
	uint32_t now = ticks();

	judge(&soft->now, &soft->next, soft->old, now);
	unasked += soft->stopped;
}

static void on_pended(void *counter, uint32_t by)
{
	*(volatile uint32_t *)counter += by;
}

/* Until a call is over, nobody knows at which tick it did what. */
static uint32_t before(struct due *next, uint32_t delay, uint32_t period)
{
	uint32_t now = ticks();

	next->from = now + delay;
	next->to = now + delay + (period && period < OPEN ? period - 1 : OPEN);
	next->period = period;
	return now;
}

static void after(struct due *now, struct due *next, uint32_t to)
{
	next->to = to;
	*now = *next;
}

static void keep(struct due *old, const struct due *now, bool begun)
{
	for (unsigned i = OLD - 1; i > 0; i--)
		old[i] = begun ? old[i - 1] : never;
	old[0] = begun ? *now : never;
}

static void raw_operation(struct owner *owner)
{
	struct raw *raw = &owner->raw[draw(owner, OWN)];
	uint32_t delay = draw_delay(owner);
	uint32_t choice = draw(owner, 10);
	uint32_t expires, end;
	int ret;

	if (choice < 2) {
		raw->taken_back += jif_timer_del(&wheels.wheel, &raw->timer);
		return;
	}
	expires = before(&raw->next, delay, 0) + delay;
	if (choice < 3 && jif_timer_pending(&raw->timer))
		return;
	ret = choice < 3 ?
		      jif_timer_add(&wheels.wheel, &raw->timer, expires) :
	      choice < 5 ?
		      jif_timer_postpone(&wheels.wheel, &raw->timer, expires) :
		      jif_timer_mod(&wheels.wheel, &raw->timer, expires);
	raw->armed++;
	raw->taken_back += ret > 0;
	/* More than the arming itself: a callback has begun. */
	keep(raw->old, &raw->now,
	     owner->who >= HIGH &&
		     raw->armed - raw->taken_back - raw->fired > 1);
	jif_kernel_wake(&wheels, expires);
	end = ticks();
	after(&raw->now, &raw->next,
	      (int32_t)(end - expires) < 0 ? expires : end + 1);
}

static void soft_stop(struct owner *owner, struct soft *soft)
{
	if (in_isr(owner))
		xTimerStopFromISR(soft->timer, NULL);
	else
		xTimerStop(soft->timer, 0);
	soft->stopped = owner->who < HIGH;
}

static BaseType_t change(struct owner *owner, struct soft *soft,
			 uint32_t period)
{
	BaseType_t woken = pdFALSE, ret;

	if (!in_isr(owner))
		return xTimerChangePeriod(soft->timer, period, 0);
	ret = xTimerChangePeriodFromISR(soft->timer, period, &woken);
	if (owner->who == HANDLER)
		portYIELD_FROM_ISR(woken);
	return ret;
}

static BaseType_t restart(struct owner *owner, struct soft *soft)
{
	BaseType_t woken = pdFALSE, ret;

	if (!in_isr(owner))
		return xTimerReset(soft->timer, 0);
	ret = xTimerResetFromISR(soft->timer, &woken);
	if (owner->who == HANDLER)
		portYIELD_FROM_ISR(woken);
	return ret;
}

static void soft_operation(struct owner *owner)
{
	struct soft *soft = &owner->soft[draw(owner, OWN)];
	uint32_t period = xTimerGetPeriod(soft->timer);
	bool reload = draw(owner, 2);
	uint32_t choice = draw(owner, 10);

	soft_stop(owner, soft);
	if (choice < 2)
		return;
	vTimerSetReloadMode(soft->timer, reload);
	if (choice < 8)
		period = draw_delay(owner);
	before(&soft->next, period, reload ? period : 0);
	soft->stopped = 0;
	refused += (choice < 8 ? change(owner, soft, period) :
				 restart(owner, soft)) != pdPASS;
	keep(soft->old, &soft->now, owner->who >= HIGH);
	after(&soft->now, &soft->next, ticks() + period);
}

static void pend(struct owner *owner)
{
	void *counter = (void *)(uintptr_t)&called;
	BaseType_t ret =
		in_isr(owner) ?
			xTimerPendFunctionCallFromISR(on_pended, counter, 1,
						      NULL) :
			xTimerPendFunctionCall(on_pended, counter, 1, 0);

	owner->pended += ret == pdPASS;
}

/* A timer of a short life, which ends before or after it has expired. */
static void create(struct owner *owner)
{
	static struct soft soft;
	uint32_t period = 3 + draw(owner, 5);

	soft.timer = xTimerCreate("short", period, pdTRUE, &soft, on_soft);
	configASSERT(soft.timer);
	soft.stopped = 0;
	before(&soft.next, period, period);
	xTimerStart(soft.timer, 0);
	after(&soft.now, &soft.next, ticks() + period);
	vTaskDelay(draw(owner, 10));
	xTimerDelete(soft.timer, 0);
	soft.stopped = 1;
}

static void operate(struct owner *owner)
{
	uint32_t choice = draw(owner, 64);

	owner->operations++;
	if (choice == 0)
		pend(owner);
	else if (choice & 1)
		raw_operation(owner);
	else
		soft_operation(owner);
}

static uint32_t operations(void)
{
	uint32_t sum = 0;

	for (unsigned i = 0; i < LENGTH; i++)
		sum += owners[i].operations;
	return sum;
}

/* The more urgent, the less at a time, or the others would have no turn. */
static void work(void *arg)
{
	struct owner *owner = (struct owner *)arg;
	uint32_t most = owner->who == HIGH ? 10 : 100;

	while (!over) {
		for (uint32_t i = draw(owner, most); i > 0; i--)
			operate(owner);
		if (owner->who == LOW && !draw(owner, 10))
			create(owner);
		else if (TICKLESS || owner->who != LOW || !draw(owner, 4))
			vTaskDelay(draw(owner, TICKLESS ? 40 : 4));
	}
	vTaskSuspend(NULL);
}

void board_interrupt(void)
{
	interrupts++;
	for (uint32_t i = draw(&owners[HANDLER], 4); !over && i > 0; i--)
		operate(&owners[HANDLER]);
}

void vApplicationTickHook(void)
{
	if (!over && !draw(&owners[HOOK], 2))
		operate(&owners[HOOK]);
}

static uint32_t take_back(struct owner *owner)
{
	uint32_t lost = 0;

	for (unsigned i = 0; i < OWN; i++) {
		struct raw *raw = &owner->raw[i];

		raw->taken_back += jif_timer_del(&wheels.wheel, &raw->timer);
		lost += raw->armed != raw->taken_back + raw->fired;
		xTimerDelete(owner->soft[i].timer, 0);
	}
	return lost;
}

static void say(uint32_t lost)
{
	static const char *const names[] = { "low", "middle", "high", "handler",
					     "hook" };

	for (unsigned i = 0; i < LENGTH; i++)
		board_say(names[i], owners[i].operations);
	board_say("ticks", ticks());
	board_say("on their tick", late[0]);
	board_say("one tick late", late[1]);
	board_say("later", late[2]);
	board_say("wrong", wrong);
	board_say("lost", lost);
	board_say("after a stop", unasked);
	board_say("refused", refused);
}

/* Within a critical section, jif leaves it as it is. */
static bool nests(void)
{
	static struct jif_timer idle = JIF_TIMER_INIT(on_raw);
	uint32_t before, after;

	taskENTER_CRITICAL();
	before = interrupts;
	board_pend();
	jif_timer_del(&wheels.wheel, &idle);
	jif_now();
	after = interrupts;
	taskEXIT_CRITICAL();
	return before == after && after != interrupts;
}

static void watch(void *of_timers)
{
	size_t heap = xPortGetFreeHeapSize() + (size_t)(uintptr_t)of_timers;
	uint32_t lost = 0, pended = 0;

	board_start(2463534242u);
	while (operations() < OPERATIONS) {
		vTaskDelay(50);
		wrong += !nests();
	}
	over = true;
	vTaskDelay(100);
	for (unsigned i = 0; i < LENGTH; i++) {
		lost += take_back(&owners[i]);
		pended += owners[i].pended;
	}
	vTaskDelay(10);
	lost += pended != called;
	lost += !jif_wheel_empty(&wheels.wheel);
	/* A tick may come right before a wait; not before each. */
	wrong += late[1] > late[0] / 50;
	lost += heap != xPortGetFreeHeapSize();
	say(lost);
	board_exit(wrong || lost || unasked || refused ||
		   jif_wheel_check(&wheels.wheel));
}

static void run_wheels(void *arg)
{
	jif_kernel_run((struct jif_kernel *)arg);
}

static void init(struct owner *owner, enum who who)
{
	owner->who = who;
	owner->seed = who * 747796405u + 1;
	for (unsigned i = 0; i < OWN; i++) {
		struct soft *soft = &owner->soft[i];

		jif_timer_init(&owner->raw[i].timer, on_raw);
		soft->timer = xTimerCreate("own", 10, pdFALSE, soft, on_soft);
		configASSERT(soft->timer);
	}
}

int main(void)
{
	size_t heap;

	jif_kernel_init(&wheels);
	xTaskCreate(run_wheels, "wheels", 512, &wheels,
		    configTIMER_TASK_PRIORITY, NULL);
	xTimerCreateTimerTask();
	xTaskCreate(work, "low", 256, &owners[LOW], 1, NULL);
	xTaskCreate(work, "middle", 256, &owners[MIDDLE], 2, NULL);
	xTaskCreate(work, "high", 256, &owners[HIGH], 7, NULL);
	heap = xPortGetFreeHeapSize();
	for (unsigned i = 0; i < LENGTH; i++)
		init(&owners[i], (enum who)i);
	heap -= xPortGetFreeHeapSize();
	xTaskCreate(watch, "watch", 256, (void *)heap, 3, NULL);
	vTaskStartScheduler();
	return 1;
}
