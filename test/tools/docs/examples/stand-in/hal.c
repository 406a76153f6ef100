/* SPDX-License-Identifier: MIT */
/* See main.h beside it */
#include <stdio.h>
#include <stdlib.h>

#include "main.h"

/* The counter wraps after a second. */
#define START (UINT32_MAX - 999)

static uint32_t tick = START;

HAL_StatusTypeDef HAL_Init(void)
{
	return HAL_OK;
}

uint32_t HAL_GetTick(void)
{
	return tick;
}

void HAL_GPIO_WritePin(GPIO_TypeDef *port, uint16_t pin, GPIO_PinState state)
{
	(void)port;
	(void)pin;
	printf("%5u: %s\n", (unsigned)(tick - START), state ? "on" : "off");
}

/* Something takes a while in the fourth second. */
void __WFI(void)
{
	tick++;
	if (tick - START == 3500)
		tick += 2000;
	if (tick - START > 7500)
		exit(0);
}
