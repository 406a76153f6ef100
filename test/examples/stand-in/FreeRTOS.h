/* SPDX-License-Identifier: MIT */
/*
 * test/examples/stand-in/FreeRTOS.h - as much of FreeRTOS as the example calls
 *
 * Not FreeRTOS, but what its documentation says of these calls: a stand-in,
 * with ticks of 1 ms. The program ends after some seconds.
 */
#ifndef FREERTOS_H
#define FREERTOS_H

#include <stddef.h>
#include <stdint.h>

typedef uint32_t TickType_t;
typedef long BaseType_t;
typedef unsigned long UBaseType_t;

#define pdFALSE		       ((BaseType_t)0)
#define pdTRUE		       ((BaseType_t)1)
#define pdPASS		       pdTRUE
#define portMAX_DELAY	       UINT32_MAX
#define pdMS_TO_TICKS(ms)      ((TickType_t)(ms))
#define portYIELD_FROM_ISR(it) ((void)(it))

#endif
