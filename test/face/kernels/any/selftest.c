/* SPDX-License-Identifier: MIT */
/*
 * test/face/kernels/any/selftest.c - the self-test under the kernels of any.sh
 *
 * With hosttime.c: a handler comes where the test looks at the clock, opens its
 * lock, or sleeps.
 */
#ifdef RIOT_OS
#include <native_internal.h>
#elif defined(__NuttX__)
#include <nuttx/irq.h>
#define main CONFIG_INIT_ENTRYPOINT
#elif defined(MYNEWT)
#include <os/mynewt.h>
#define main mynewt_main
#elif defined(CONTIKI)
#include <contiki.h>
#include <sys/rtimer.h>
#else
#include <ch.h>
#include <hal.h>
#endif
#include <jif/face/kernel.h>
#include <jif/kit/selftest.h>
#include <signal.h>

#include "../../../../lib/port/jif_port.h"
#include "../../../../lib/port/kernel/kernel.h"
#include "../../../target/target.h"
#include "hosttime.h"

#define IRQ 12 /* a signal of the host that is not in use */

static struct jif_wheel wheel;
static struct jif_kernel kernel;
static struct jif_selftest test;
static volatile bool sleeps;

static void handle(void)
{
	jif_selftest_irq(&test);
	if (!sleeps)
		return;
	sleeps = false;
	jif_kernel_signal(&kernel);
}

#ifdef RIOT_OS

#define OPEN 1

void host_irq(void)
{
	raise(IRQ);
}

static void start_kernel(void)
{
	native_register_interrupt(IRQ, handle);
}

#elif defined(__NuttX__)

void host_irq(void)
{
	raise(IRQ);
}

static int on_irq(int irq, void *context, void *unused)
{
	handle();
	return 0;
}

static void start_kernel(void)
{
	irq_attach(IRQ, on_irq, NULL);
	up_enable_irq(IRQ);
}

#elif defined(MYNEWT)

#define KNOWN (1u << JIF_SELFTEST_IN_IRQ) /* its native board does not say */

static volatile bool pending;

void host_irq(void)
{
	pending = true;
	raise(SIGALRM);
}

/* In the place of the one that it calls: the linker wraps that. */
void __real_os_time_advance(int ticks);
void __wrap_os_time_advance(int ticks)
{
	__real_os_time_advance(ticks);
	if (!pending)
		return;
	pending = false;
	handle();
}

/* Its ticks begin when the first signal comes: not at the test's. */
static void start_kernel(void)
{
	while (!os_time_get())
		host_pass(1000);
}

#elif defined(CONTIKI)

#define KNOWN	 (1u << JIF_SELFTEST_IN_IRQ) /* nor does Contiki-NG */
#define PREEMPTS false			     /* nobody may block */

static void on_rtimer(struct rtimer *timer, void *unused)
{
	handle();
}

void host_irq(void)
{
	static struct rtimer irq;

	rtimer_set(&irq, RTIMER_NOW() + 1, 0, on_rtimer, NULL);
	raise(SIGALRM);
}

void jif_kernel_wait(struct jif_kernel *kernel, uint32_t ticks)
{
}

void jif_kernel_signal(struct jif_kernel *kernel)
{
}

void jif_kernel_begin(struct jif_kernel *kernel)
{
}

static void start_kernel(void)
{
}

#else

#define LOOKS

static volatile bool pending;

void host_irq(void)
{
	pending = true;
}

/* Where ChibiOS' simulator lets handlers in. */
void __real__sim_check_for_interrupts(void);
void __wrap__sim_check_for_interrupts(void)
{
	host_pass(1000);
	__real__sim_check_for_interrupts();
	if (!pending)
		return;
	pending = false;
	CH_IRQ_PROLOGUE();
	handle();
	CH_IRQ_EPILOGUE();
	__dbg_check_lock();
	if (chSchIsPreemptionRequired())
		chSchDoPreemption();
	__dbg_check_unlock();
}

/* As the lock opens, too. */
void __real_chSchRescheduleS(void);
void __wrap_chSchRescheduleS(void)
{
	__real_chSchRescheduleS();
	port_unlock();
	_sim_check_for_interrupts();
	port_lock();
}

static uint32_t look(void)
{
	if (port_irq_enabled(port_get_irq_status()) && !port_is_isr_context())
		_sim_check_for_interrupts();
	else
		host_pass(1000);
	return host_us();
}

static void start_kernel(void)
{
	halInit();
	chSysInit();
}

#endif

#ifndef LOOKS
static uint32_t look(void)
{
	host_pass(1000);
	return host_us();
}
#endif

/* What jif_irq_save() returns when the lock is open. */
#ifndef OPEN
#define OPEN 0
#endif

#ifndef PREEMPTS
#define PREEMPTS true
#endif

/* What a port cannot know. */
#ifndef KNOWN
#define KNOWN 0
#endif

static void idle(uint32_t ticks)
{
	sleeps = true;
	jif_irq_restore(OPEN);
	jif_kernel_wait(&kernel, ticks);
	(void)jif_irq_save();
	sleeps = false;
}

static void tell(enum jif_selftest_code code, uint32_t value)
{
	if (KNOWN >> code & 1)
		return;
	target_puts("code ");
	target_put_number(code);
	target_puts(", value ");
	target_put_number(value);
	target_puts("\n");
}

static void run(void)
{
	uint32_t found;

	start_kernel();
	jif_kernel_begin(&kernel);
	test = (struct jif_selftest){
		.wheel = &wheel,
		.clock = look,
		.clock_hz = 1000000,
		.pend = host_request,
		.idle = PREEMPTS ? idle : NULL,
		.longest = 300,
		.report = tell,
	};
	found = jif_selftest_run(&test) & ~KNOWN;
	target_puts("self-test: ");
	target_put_number(__builtin_popcount(found));
	target_puts(" findings\n");
	target_exit(found != 0);
}

#ifdef CONTIKI

PROCESS(self_test, "");
AUTOSTART_PROCESSES(&self_test);

PROCESS_THREAD(self_test, ev, data)
{
	PROCESS_BEGIN();
	run();
	PROCESS_END();
}

#else

int main(int argc, char **argv)
{
	run();
	return 1;
}

#endif
