/* SPDX-License-Identifier: MIT */
/*
 * docs/examples/millis.cc - timers in an Arduino sketch
 *
 * The wheel's time is what millis() counts. The sketch is C++: a callback is a
 * lambda or a member function.
 */
#include <Arduino.h>
#include <jif/jif.hpp>

static jif::Wheel wheel(0);

/* A lamp that stays lit for a while after each press. */
struct Lamp {
	explicit Lamp(uint8_t number)
	    : pin(number), timer(wheel, jif::member<Lamp, &Lamp::off>(this))
	{
	}
	void press()
	{
		digitalWrite(pin, HIGH);
		timer.mod(millis() + 300);
	}
	void off() { digitalWrite(pin, LOW); }

	uint8_t pin;
	jif::Timer timer;
};

static Lamp lamp(LED_BUILTIN);
static jif::Periodic presses(wheel, [] { lamp.press(); });

void setup()
{
	pinMode(LED_BUILTIN, OUTPUT);
	wheel.run(millis());
	presses.start_at(millis() + 500, 1000);
}

void loop()
{
	wheel.run(millis());
}
