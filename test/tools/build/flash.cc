/* SPDX-License-Identifier: MIT */
/*
 * test/tools/build/flash.cc - objects of the kinds that there are: flash.c, in
 * C++
 */
#include <jif/jif.hpp>

extern jif::Wheel wheel;
extern jif_workqueue queue;

#ifdef TIMER
struct Lamp {
	Lamp();
	int start();
	int at(uint32_t when);
	int feed(uint32_t when);
	bool stop();
	void toggle()
	{
		on = !on;
		(void)!timer.add_in(500);
	}

	bool on = false;
	jif::Static<jif::TimerBase, sizeof(void *)> timer;
};

Lamp::Lamp() : timer(wheel, jif::member<Lamp, &Lamp::toggle>(this))
{
}

int Lamp::start()
{
	return timer.mod_in(500);
}

int Lamp::at(uint32_t when)
{
	return timer.mod(when);
}

int Lamp::feed(uint32_t when)
{
	return timer.postpone(when);
}

bool Lamp::stop()
{
	return timer.del();
}
#endif

#ifdef STATIC_TIMER
static bool on;
JIF_CONSTINIT static jif::Static<jif::TimerBase, 0>
	timer(wheel, [](jif::TimerBase &self) {
		on = !on;
		(void)!self.add_in(500);
	});

void lamp_start()
{
	(void)!timer.mod_in(500);
}

bool lamp_stop()
{
	return timer.del();
}
#endif

#ifdef STATIC_WORK
static unsigned lines;
JIF_CONSTINIT static jif::Static<jif::WorkBase, 0> work(
	queue, [] { lines++; }, 2);

bool log_queue()
{
	return work.queue();
}

bool log_cancel()
{
	return work.cancel();
}
#endif

#ifdef PERIODIC
struct Meter {
	Meter();
	int start();
	int at(uint32_t when);
	int ratio(uint32_t delay);
	bool stop();
	void sample() { lost += every.missed(); }

	uint32_t lost = 0;
	jif::Static<jif::PeriodicBase, sizeof(void *)> every;
};

Meter::Meter()
    : every(wheel, jif::member<Meter, &Meter::sample>(this), JIF_CATCHUP_SKIP)
{
}

int Meter::start()
{
	return every.start(50, 50);
}

int Meter::at(uint32_t when)
{
	return every.start_at(when, 50);
}

int Meter::ratio(uint32_t delay)
{
	return every.start_ratio(delay, 50, 3);
}

bool Meter::stop()
{
	return every.stop();
}
#endif
