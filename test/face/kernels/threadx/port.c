/* SPDX-License-Identifier: MIT */
/*
 * test/face/kernels/threadx/port.c - the port's tests of interrupts, in a
 * thread
 *
 * The runner's main() is called run_tests() here. With EARLY, they run before
 * ThreadX is started.
 */
#include <jif/port.h>
#include <tx_api.h>

int run_tests(void);

void jif_port_start(void)
{
}

static void run(ULONG unused)
{
	run_tests();
}

void tx_application_define(void *unused)
{
	static TX_THREAD thread;
	static ULONG stack[1024];

	tx_thread_create(&thread, "tests", run, 0, stack, sizeof(stack), 5, 5,
			 TX_NO_TIME_SLICE, TX_AUTO_START);
}

int main(void)
{
	if (EARLY)
		run_tests();
	tx_kernel_enter();
	return 1;
}
