/* SPDX-License-Identifier: MIT */
/*
 * test/tools/build/packaging/stand-in/freertos/FreeRTOS.h - what the port of
 * the ESP-IDF component calls: not FreeRTOS, but what ESP-IDF's headers have of
 * it
 */
#ifndef INC_FREERTOS_H
#define INC_FREERTOS_H

typedef int BaseType_t;
typedef unsigned int UBaseType_t;

static UBaseType_t level;

static inline UBaseType_t mask(UBaseType_t now)
{
	UBaseType_t was = level;

	level = now;
	return was;
}

#define portSET_INTERRUPT_MASK_FROM_ISR()	  mask(1)
#define portCLEAR_INTERRUPT_MASK_FROM_ISR(before) ((void)mask(before))

static inline BaseType_t xPortGetCoreID(void)
{
	return 1;
}

static inline BaseType_t xPortInIsrContext(void)
{
	return 0;
}

#endif
