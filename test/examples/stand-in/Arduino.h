/* SPDX-License-Identifier: MIT */
/*
 * test/examples/stand-in/Arduino.h - as much of Arduino as the example calls
 *
 * Not Arduino, but what its documentation says of these calls: a stand-in, with
 * a millisecond per turn of the loop. The program ends after some seconds.
 */
#ifndef ARDUINO_H
#define ARDUINO_H

#include <stdint.h>

#define LOW	    0x0
#define HIGH	    0x1
#define OUTPUT	    0x1
#define LED_BUILTIN 13

void setup(void);
void loop(void);

extern "C" {
void pinMode(uint8_t pin, uint8_t mode);
void digitalWrite(uint8_t pin, uint8_t value);
unsigned long millis(void);
}

#endif
