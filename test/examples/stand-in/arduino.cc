/* SPDX-License-Identifier: MIT */
/*
 * test/examples/stand-in/arduino.cc - see Arduino.h beside it
 */
#include "Arduino.h"

#include <stdio.h>

static unsigned long now = 7;

extern "C" void pinMode(uint8_t pin, uint8_t mode)
{
	(void)pin;
	(void)mode;
}

extern "C" void digitalWrite(uint8_t pin, uint8_t value)
{
	printf("%5lu: pin %u %s\n", now, pin, value ? "high" : "low");
}

extern "C" unsigned long millis(void)
{
	return now;
}

int main(void)
{
	for (setup(); now < 3000; now++)
		loop();
	return 0;
}
