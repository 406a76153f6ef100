/* SPDX-License-Identifier: MIT */
/*
 * test/tools/docs/examples/stand-in/main.h - as much of an STM32's HAL as the
 * example has
 *
 * Not the HAL, but what its documentation says of these calls: a stand-in, with
 * a tick per __WFI(). The program ends after some seconds.
 */
#ifndef MAIN_H
#define MAIN_H

#include <stdint.h>

typedef struct gpio GPIO_TypeDef;
typedef enum { GPIO_PIN_RESET, GPIO_PIN_SET } GPIO_PinState;
typedef enum { HAL_OK } HAL_StatusTypeDef;

#define GPIOA	   ((GPIO_TypeDef *)0)
#define GPIO_PIN_5 ((uint16_t)0x20)

HAL_StatusTypeDef HAL_Init(void);
uint32_t HAL_GetTick(void);
void HAL_GPIO_WritePin(GPIO_TypeDef *port, uint16_t pin, GPIO_PinState state);
void __WFI(void);

#endif
