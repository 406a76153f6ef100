/* SPDX-License-Identifier: MIT */
/*
 * test/build/jif.cc - the C++ classes do what they say
 *
 * The same file is compiled for targets without a library.
 */
#include <jif/jif.hpp>

/* Prints a line of TAP. */
extern "C" void check(const char *name, bool right);
extern "C" void test_all();

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
		timer.add_in(10);
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
	function.add_in(5);
	lambda.add_in(5);
	capturing.add_in(5);
	lamp.timer.add_in(10);
	meter.timer.add_in(5);
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
	timer.add_in(1);
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
		dying->timer.~Timer();
		__builtin_memset(static_cast<void *>(dying), 0xa5,
				 sizeof(*dying));
		after++;
	});

	dying = &mortal;
	mortal.timer.add_in(3);
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
	jif::Periodic *self = nullptr;

	jif_workqueue_init(&queue, nullptr);
	jif::Work work(
		queue, [&ran] { ran++; }, 1);
	jif::Periodic periodic(
		wheel, [&missed, &self] { missed = self->missed(); },
		JIF_CATCHUP_SKIP);
	self = &periodic;
	check("start_at()", periodic.start_at(wheel.clock() + 10, 10, 3) == 0 &&
				    periodic.left() == 3);
	jif_ticks(35);
	wheel.run();
	check("missed() in the callback", missed == 2 && periodic.left() == 2);
	check("start_in() of one that runs",
	      periodic.start_in(9, 9) == 1 && periodic.left() == JIF_FOREVER);
	check("stop()", periodic.stop() && !periodic.pending());
	check("cancel()", work.queue() && work.cancel());
	work.queue();
	jif_workqueue_run(&queue, 10);
	check("work runs", ran == 1);
}

extern "C" void test_all()
{
	test_callbacks();
	test_alignment();
	test_destructors();
	test_end_in_callback();
	test_timer();
	test_periodic_and_work();
}
