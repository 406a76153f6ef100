/* SPDX-License-Identifier: MIT */
/*
 * test/face/kernels/threadx/stand-in/tx_api.h - as much of ThreadX as jif calls
 *
 * Not ThreadX, but what common/src/tx_thread_sleep.c, tx_thread_wait_abort.c
 * and tx_thread_create.c of 6.4.2 do on a host, with ticks of 1 ms: the rows of
 * rows.c are the same with both.
 */
#ifndef TX_API_H
#define TX_API_H

#include <stddef.h>
#include <stdint.h>

typedef void VOID;
typedef char CHAR;
typedef unsigned UINT;
typedef uint32_t ULONG;

struct thread;
typedef struct {
	struct thread *thread;
	void (*entry)(ULONG input);
	ULONG input;
	UINT aborted;
} TX_THREAD;

#define TX_TIMER_TICKS_PER_SECOND 1000
#define TX_NO_TIME_SLICE	  0
#define TX_AUTO_START		  1
#define TX_SUCCESS		  0x00
#define TX_WAIT_ABORTED		  0x1a
#define TX_WAIT_ABORT_ERROR	  0x1b

/* Nothing interrupts a thread of the stand-in. */
#define TX_INTERRUPT_SAVE_AREA UINT JIF_THREADX_POSTURE = 0;
#define TX_DISABLE
#define TX_RESTORE (void)JIF_THREADX_POSTURE;

ULONG tx_time_get(void);
void tx_time_set(ULONG ticks);
UINT tx_thread_create(TX_THREAD *thread, const char *name,
		      void (*entry)(ULONG input), ULONG input, void *stack,
		      ULONG size, UINT priority, UINT threshold, ULONG slice,
		      UINT start);
TX_THREAD *tx_thread_identify(void);
UINT tx_thread_sleep(ULONG ticks);
UINT tx_thread_wait_abort(TX_THREAD *thread);
void tx_kernel_enter(void);

/* The product's. */
void tx_application_define(void *memory);

#endif
