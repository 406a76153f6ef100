/* SPDX-License-Identifier: MIT */
/*
 * test/tools/build/jif.cc - the C++ classes do what they say
 *
 * The same file is compiled for targets without a library.
 */
#include <jif/jif.hpp>

/* Prints a line of TAP. */
extern "C" void check(const char *name, bool right);
extern "C" void test_all();

static void must(int err)
{
	if (err < 0)
		check("nothing that is armed is refused", false);
}

static int calls;

static void on_call()
{
	calls++;
}

struct Lamp {
	explicit Lamp(jif::Wheel &wheel)
	    : timer(wheel, jif::member<Lamp, &Lamp::toggle>(this))
	{
	}
	void toggle()
	{
		on = !on;
		must(timer.add_in(10));
	}

	bool on = false;
	jif::Timer timer;
};

struct Counting {
	void count() { counted++; }

	int counted = 0;
};

/* Its base declares what is called. */
struct Meter : Counting {
	explicit Meter(jif::Wheel &wheel)
	    : timer(wheel, jif::member<Counting, &Counting::count>(this))
	{
	}

	jif::Timer timer;
};

static void run_for(jif::Wheel &wheel, uint32_t ticks)
{
	while (ticks--) {
		jif_tick();
		wheel.run();
	}
}

static void test_callbacks()
{
	jif::Wheel wheel;
	Lamp lamp(wheel);
	Meter meter(wheel);
	int here = 0;
	int there = 0;

	calls = 0;
	jif::Timer function(wheel, on_call);
	jif::Timer lambda(wheel, [] { calls += 10; });
	jif::Timer capturing(wheel, [&here, &there] { here += ++there; });
	must(function.add_in(5));
	must(lambda.add_in(5));
	must(capturing.add_in(5));
	must(lamp.timer.add_in(10));
	must(meter.timer.add_in(5));
	run_for(wheel, 6);
	check("a function and a lambda are called", calls == 11);
	check("a lambda has what it captured", here == 1 && there == 1);
	check("a member function of a base is called", meter.counted == 1);
	run_for(wheel, 5);
	check("a member function is called", lamp.on);
	run_for(wheel, 11);
	check("and has armed its timer again", !lamp.on);
	check("on one tick after the other", lamp.timer.left() == 11);
}

/* As large as two pointers and aligned like that, as uint64_t is on 32 bits. */
struct alignas(2 * sizeof(void *)) Wide {
	unsigned char bytes[2 * sizeof(void *)];
};

static void test_alignment()
{
	jif::Wheel wheel;
	Wide wide = {};
	static bool right;

	wide.bytes[sizeof(wide) - 1] = 42;
	jif::Timer timer(wheel, [wide] {
		right = wide.bytes[sizeof(wide) - 1] == 42 &&
			reinterpret_cast<uintptr_t>(&wide) % alignof(Wide) == 0;
	});
	must(timer.add_in(1));
	run_for(wheel, 2);
	check("a capture is aligned as it has to be", right);
}

static void test_destructors()
{
	jif::Wheel wheel;
	static jif_workqueue queue;

	calls = 0;
	jif_workqueue_init(&queue, &wheel);
	{
		jif::Timer timer(wheel, on_call);
		jif::Periodic periodic(wheel, on_call);
		jif::Work work(queue, on_call);

		check("add() arms", timer.add(wheel.clock() + 5) == 0);
		check("start() starts", periodic.start(2, 2) == 0);
		check("queue() queues", work.queue());
		check("all are pending",
		      timer.pending() && periodic.pending() && work.pending());
	}
	run_for(wheel, 10);
	check("a destructor disarms, stops and cancels",
	      calls == 0 && wheel.empty() && jif_workqueue_empty(&queue));
}

/* Its destructor is called by whoever likes. */
union Mortal {
	template <typename Fn>
	Mortal(jif::Wheel &wheel, Fn fn) : timer(wheel, fn)
	{
	}
	~Mortal() {}

	jif::Timer timer;
};

static void test_end_in_callback()
{
	jif::Wheel wheel;
	Mortal *dying = nullptr;
	int after = 0;
	Mortal mortal(wheel, [&dying, &after] {
		using T = jif::Timer;

		dying->timer.~T();
		__builtin_memset(static_cast<void *>(dying), 0xa5,
				 sizeof(*dying));
		after++;
	});

	dying = &mortal;
	must(mortal.timer.add_in(3));
	run_for(wheel, 10);
	check("a timer may be destroyed in its own callback",
	      after == 1 && wheel.empty());
}

static void test_timer()
{
	jif::Wheel wheel;
	jif::Timer timer(wheel, on_call);
	uint32_t now = wheel.clock();
	uint32_t when = 0;

	check("add_in() tells what is too far",
	      timer.add_in(JIF_DELAY_MAX) == -JIF_ERANGE);
	check("mod_pending() leaves an idle one alone",
	      !timer.mod_pending(now + 5) && !timer.pending());
	check("mod() arms", !timer.mod(now + 500) && timer.left() == 500);
	check("add() of a pending one is busy",
	      timer.add(now + 5) == -JIF_EBUSY);
	check("reduce()",
	      timer.reduce(now + 400) && timer.expires() == now + 400);
	check("postpone()",
	      timer.postpone(now + 600) && timer.expires() == now + 600);
	check("mod_in()", timer.mod_in(50) == 1 && wheel.next_stop(when) &&
				  when == now + 51);
	check("pause() and resume()", timer.pause() && !timer.pending() &&
					      timer.left() == 51 &&
					      timer.resume() == 0);
	check("mod_pending() moves a pending one", timer.mod_pending(now + 5));
	check("del()", timer.del() && !timer.del());
	check("shutdown()", !timer.shutdown() && timer.add_in(1) < 0);
}

static void test_periodic_and_work()
{
	jif::Wheel wheel;
	static jif_workqueue queue;
	int ran = 0;
	uint32_t missed = 0;

	jif_workqueue_init(&queue, nullptr);
	jif::Work work(
		queue, [&ran] { ran++; }, 1);
	jif::Periodic periodic(
		wheel,
		[&missed](jif::PeriodicBase &self) { missed = self.missed(); },
		JIF_CATCHUP_SKIP);
	check("start_at()", periodic.start_at(wheel.clock() + 10, 10, 3) == 0 &&
				    periodic.left() == 3);
	jif_ticks(35);
	wheel.run();
	check("missed() in the callback", missed == 2 && periodic.left() == 2);
	check("start() of one that runs",
	      periodic.start(9, 9) == 1 && periodic.left() == JIF_FOREVER);
	check("stop()", periodic.stop() && !periodic.pending());
	check("cancel()", work.queue() && work.cancel());
	work.queue();
	jif_workqueue_run(&queue, 10);
	check("work runs", ran == 1);
	jif::Work other(queue, on_call);
	calls = 0;
	other.take(work);
	check("work takes nothing from idle work", !other.pending());
	work.queue();
	other.take(work);
	jif_workqueue_run(&queue, 10);
	check("and queues itself for what is queued", calls == 1 && ran == 1);
}

/* What a duration of <chrono> has. */
template <typename Count, intmax_t n, intmax_t d> struct Duration {
	struct period {
		static constexpr intmax_t num = n;
		static constexpr intmax_t den = d;
	};
	Count n_periods;
	constexpr Count count() const { return n_periods; }
};

using Seconds = Duration<int, 1, 1>;
using Thirds = Duration<unsigned, 1, 3>;
using Days = Duration<int64_t, 86400, 1>;
using Nanoseconds = Duration<int64_t, 1, 1000000000>;
using Floating = Duration<float, 1, 1>;

static void test_durations()
{
	static const struct {
		const char *name;
		uint32_t is, should;
	} rows[] = {
		{ "a number", jif::Ticks(7), 7 },
		{ "seconds", jif::Ticks(Seconds{ 3 }), 3000 },
		{ "a fraction is rounded up", jif::Ticks(Thirds{ 2 }), 667 },
		{ "a nanosecond", jif::Ticks(Nanoseconds{ 1 }), 1 },
		{ "none", jif::Ticks(Nanoseconds{ 0 }), 0 },
		{ "2 ms", jif::Ticks(Nanoseconds{ 2000000 }), 2 },
		{ "and a nanosecond", jif::Ticks(Nanoseconds{ 2000001 }), 3 },
		{ "what is past", jif::Ticks(Seconds{ -1 }), 0 },
		{ "49 days", jif::Ticks(Days{ 49 }), 4233600000 },
		{ "50 days", jif::Ticks(Days{ 50 }), JIF_FOREVER - 1 },
		{ "an int, in ms", jif_msecs_to_jiffies(500), 500 },
		{ "50 days in ms", jif_msecs_to_jiffies(INT64_C(4320000000)),
		  JIF_FOREVER },
		{ "ages", jif::Ticks(Days{ INT64_MAX }), JIF_FOREVER - 1 },
		{ "a real number", jif::Ticks(Floating{ 0.5F }), 500 },
		{ "one that is rounded up", jif::Ticks(Floating{ 0.25e-3F }),
		  1 },
		{ "one that is past", jif::Ticks(Floating{ -1 }), 0 },
		{ "one that is too large", jif::Ticks(Floating{ 1e30F }),
		  JIF_FOREVER - 1 },
	};
	jif::Wheel wheel;
	jif::Timer timer(wheel, on_call);

	for (const auto &row : rows)
		check(row.name, row.is == row.should);
	static_assert(jif::Ticks(Seconds{ 1 }) == 1000, "when it is compiled");
	check("a timer takes a duration",
	      !timer.add_in(Seconds{ 2 }) && timer.left() == 2001);
	check("and refuses one that is too long",
	      timer.mod_in(Days{ 50 }) == -JIF_ERANGE && timer.left() == 2001);
}

static void test_rooms()
{
	jif::Wheel wheel;
	int a = 0, b = 0, c = 0;
	jif::Scoped<jif::TimerBase, 3 * sizeof(void *)> large(
		wheel, [&a, &b, &c] { a = b = c = 1; });
	jif::Scoped<jif::TimerBase, 0> none(wheel, [](jif::TimerBase &self) {
		calls += self.add_in(1) == 0;
	});
	jif::TimerBase *either[] = { &large, &none };

	calls = 0;
	for (jif::TimerBase *timer : either)
		must(timer->add_in(1));
	run_for(wheel, 4);
	check("room for three captures", a && b && c);
	check("a callback that takes its timer", calls == 2);
	check("no room is no memory", sizeof(none) == sizeof(jif::TimerBase));
}

/* An owner that can be moved, as into another place of an array. */
struct Sensor {
	explicit Sensor(jif::Wheel &on)
	    : timer(on, jif::member<Sensor, &Sensor::on_timer>(this)),
	      periodic(on, jif::member<Sensor, &Sensor::on_period>(this),
		       JIF_CATCHUP_SKIP),
	      wheel(on)
	{
	}
	Sensor(Sensor &&from) : Sensor(from.wheel)
	{
		*this = static_cast<Sensor &&>(from);
	}
	Sensor &operator=(Sensor &&from)
	{
		timer.take(from.timer);
		periodic.take(from.periodic);
		return *this;
	}
	void on_timer() { at = wheel.clock(); }
	void on_period() { periods++; }

	uint32_t at = 0;
	unsigned periods = 0;
	jif::Timer timer;
	jif::Periodic periodic;
	jif::Wheel &wheel;
};

static void test_take()
{
	jif::Wheel wheel;
	uint32_t start = wheel.clock();
	Sensor old(wheel);

	must(old.timer.add(start + 7));
	must(old.periodic.start(2, 4, 3));
	run_for(wheel, 3);
	Sensor young(static_cast<Sensor &&>(old));
	check("what is taken is idle",
	      !old.timer.pending() && !old.periodic.pending());
	check("who takes is pending",
	      young.timer.expires() == start + 7 && young.periodic.left() == 2);
	run_for(wheel, 20);
	check("what was armed runs once, on its tick",
	      young.at == start + 7 && !old.at);
	check("a grid goes on", old.periods == 1 && young.periods == 2);
	must(old.timer.add_in(70));
	start = old.timer.pause() ? old.timer.left() : 0;
	young.timer.take(old.timer);
	check("what is paused stays so",
	      old.timer.resume() == -JIF_EINVAL && start == 71 &&
		      young.timer.left() == 71 && !young.timer.resume() &&
		      young.timer.del());
	start = wheel.clock();
	jif::Timer taker(wheel,
			 [&old, &young] { old.periodic.take(young.periodic); });
	must(taker.add(start + 5));
	must(young.periodic.start(5, 10));
	run_for(wheel, 5);
	check("what is due when it is taken runs a tick later",
	      old.periods == 1 && young.periods == 2 && old.periodic.pending());
	run_for(wheel, 1);
	check("then", old.periods == 2);
	run_for(wheel, 8);
	check("and goes on with its grid: not too soon", old.periods == 2);
	run_for(wheel, 1);
	check("nor too late", old.periods == 3);
	must(young.timer.add(wheel.clock() + 1));
	young.timer.take(old.timer);
	check("who takes from one that is idle goes on as it was",
	      young.timer.pending());
	old.timer.shutdown();
	old.timer.take(young.timer);
	check("who is shut down takes nothing", young.timer.pause());
	old.timer.take(young.timer);
	check("and stays so", old.timer.resume() == -JIF_EINVAL);
}

static uint32_t tick_of_product = 5000;

static uint32_t tell(const jif_wheel *)
{
	return tick_of_product;
}

static void test_time()
{
	jif::Wheel wheel(tell);
	jif::Timer timer(wheel, on_call);

	check("a wheel begins when its source says", wheel.clock() == 5000);
	tick_of_product = 5100;
	check("now() is what it says", wheel.now() == 5100);
	check("add_in() counts from that",
	      !timer.add_in(10) && timer.expires() == 5111);
	calls = 0;
	tick_of_product = 5110;
	check("poll() runs up to that", !wheel.poll() && timer.left() == 1);
	tick_of_product = 5111;
	check("and what is due then", wheel.poll() == 1 && calls == 1);
	check("add_in() once more", !timer.add_in(10));
	tick_of_product = 5122;
	check("run() runs up to that, too", wheel.run() == 1 && calls == 2);
	wheel.set_time(jif_wheel_clock);
	tick_of_product = 6000;
	check("set_time() takes another source", wheel.now() == 5122);

	jif::Wheel plain;
	jif::Timer late(plain, on_call);

	check("a wheel has jiffies, unless told otherwise", !late.add_in(1));
	jif_ticks(2);
	check("and poll() runs up to them", plain.poll() == 1 && calls == 3);
}

static void test_periods()
{
	jif::Wheel wheel;
	uint32_t start = wheel.clock();
	uint32_t when = 0;
	jif::Periodic old(wheel, on_call);
	jif::Periodic young(wheel, on_call);

	check("no call is next", !old.next(when) && !old.pause());
	check("start_ratio()", !old.start_ratio(5, 10, 3) && old.next(when) &&
				       when == start + 5);
	wheel.run(start + 9);
	check("a ratio", old.next(when) && when == start + 12);
	young.take(old);
	wheel.run(start + 12);
	check("a ratio is taken with its phase",
	      !old.pending() && young.next(when) && when == start + 15);
	check("pause()", young.pause() && !young.next(when));
	old.take(young);
	check("a paused one is taken as it is",
	      !young.pending() && old.pending() && !old.next(when));
	wheel.run(start + 112);
	check("resume()",
	      !old.resume() && old.next(when) && when == start + 115);
	check("change()", !old.change(4, 2) && old.left() == 2);
	calls = 0;
	wheel.run(start + 118);
	wheel.run(start + 200);
	check("ends after that", calls == 2 && old.change(4) == -JIF_EINVAL);
}

extern "C" void test_all()
{
	test_durations();
	test_rooms();
	test_take();
	test_time();
	test_periods();
	test_callbacks();
	test_alignment();
	test_destructors();
	test_end_in_callback();
	test_timer();
	test_periodic_and_work();
}
