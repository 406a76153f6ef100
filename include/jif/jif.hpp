/* SPDX-License-Identifier: MIT */
/*
 * jif/jif.hpp - the calls of jif as C++ classes, from C++11 on
 *
 * A callback is a function, a lambda, or, by jif::member(), a member
 * function that is not const, named with the class that declares it. It is kept
 * within the object, without allocation: captures may be as large as two
 * pointers; for more, capture `this`. A copy is called. An exception that
 * leaves it ends the program.
 *
 * What an object has armed, started or queued is off when it is destroyed. That
 * may be in its own callback; otherwise, not while this is under way. Objects
 * can be neither copied nor moved, and what they were made with, such as the
 * wheel, outlives them.
 *
 * Each member function has the name, the contexts and the results of the C
 * function that it calls: Timer::add_in() is jif_timer_add_in(). It needs
 * neither exceptions, nor run-time types, nor the standard library. Without
 * a C library, static objects need start code that calls their constructors,
 * and -fno-use-cxa-atexit: else the compiler wants to register destructors.
 */
#ifndef JIF_HPP
#define JIF_HPP

#include <jif/jiffies.h>
#include <jif/periodic.h>
#include <jif/timer.h>
#include <jif/wheel.h>
#include <jif/work.h>

/* Templates are looked at where they are used: after a global called wheel. */
JIF_MAY_SHADOW

namespace jif
{

/* Calls a member function of an object; see member(). */
template <typename T, void (T::*method)()> struct Member {
	T *object;

	void operator()() const { (object->*method)(); }
};

/* As in Timer blink(wheel, jif::member<Lamp, &Lamp::toggle>(this)); */
template <typename T, void (T::*method)()> Member<T, method> member(T *object)
{
	return Member<T, method>{ object };
}

/* A C object, and what its callback calls. */
template <typename Base> class Holder
{
      public:
	Holder(const Holder &) = delete;
	Holder &operator=(const Holder &) = delete;

      protected:
	Holder() = default;

	/* Returns the callback of the C object. */
	template <typename Fn> void (*keep(const Fn &fn))(Base *)
	{
		static_assert(sizeof(Fn) <= sizeof(kept),
			      "captures are two pointers at most");
		static_assert(__is_trivially_copyable(Fn),
			      "captures are copied byte by byte");
		JIF_MEMCPY(kept, &fn, sizeof(fn));
		return call<Fn>;
	}

	/*
	 * The object may be gone when its callback returns. An exception would
	 * leave the wheel in the middle of its run.
	 */
	template <typename Fn> static void call(Base *base) noexcept
	{
		union Copy {
			char nothing;
			Fn fn;
			Copy() : nothing() {}
		} copy;

		JIF_MEMCPY(static_cast<void *>(&copy.fn),
			   reinterpret_cast<Holder *>(base)->kept,
			   sizeof(copy.fn));
		copy.fn();
	}

	/* First, so that its address is that of the whole. */
	Base c;
	alignas(void *) unsigned char kept[2 * sizeof(void *)];
};

/* A wheel, which may be given to the C calls too. */
class Wheel : public jif_wheel
{
      public:
	explicit Wheel(uint32_t now = jif_now()) { jif_wheel_init(this, now); }
	Wheel(const Wheel &) = delete;
	Wheel &operator=(const Wheel &) = delete;

	unsigned run(uint32_t now = jif_now())
	{
		return jif_wheel_run(this, now);
	}
	uint32_t clock() const { return jif_wheel_clock(this); }
	bool next_stop(uint32_t &when)
	{
		return jif_wheel_next_stop(this, &when);
	}
	bool empty() const { return jif_wheel_empty(this); }
};

class Timer : Holder<jif_timer>
{
      public:
	template <typename Fn> Timer(jif_wheel &wheel, Fn fn) : on(wheel)
	{
		jif_timer_init(&c, keep(fn));
	}
	~Timer() { jif_timer_del(&on, &c); }

	int add(uint32_t expires) { return jif_timer_add(&on, &c, expires); }
	int add_in(uint32_t delay) { return jif_timer_add_in(&on, &c, delay); }
	int mod(uint32_t expires) { return jif_timer_mod(&on, &c, expires); }
	int mod_in(uint32_t delay) { return jif_timer_mod_in(&on, &c, delay); }
	bool mod_pending(uint32_t expires)
	{
		return jif_timer_mod_pending(&on, &c, expires);
	}
	int reduce(uint32_t expires)
	{
		return jif_timer_reduce(&on, &c, expires);
	}
	int postpone(uint32_t expires)
	{
		return jif_timer_postpone(&on, &c, expires);
	}
	bool del() { return jif_timer_del(&on, &c); }
	bool shutdown() { return jif_timer_shutdown(&on, &c); }
	bool pause() { return jif_timer_pause(&on, &c); }
	int resume() { return jif_timer_resume(&on, &c); }
	bool pending() const { return jif_timer_pending(&c); }
	uint32_t expires() const { return jif_timer_expires(&on, &c); }
	uint32_t left() const { return jif_timer_left(&on, &c); }

      private:
	jif_wheel &on;
};

class Periodic : Holder<jif_periodic>
{
      public:
	template <typename Fn>
	Periodic(jif_wheel &wheel, Fn fn, jif_catchup policy = JIF_CATCHUP_EACH)
	    : on(wheel)
	{
		jif_periodic_init(&c, keep(fn), policy);
	}
	~Periodic() { jif_periodic_stop(&c); }

	int start(uint32_t first, uint32_t period, uint32_t count = JIF_FOREVER)
	{
		return jif_periodic_start(&on, &c, first, period, count);
	}
	int start_at(uint32_t expires, uint32_t period,
		     uint32_t count = JIF_FOREVER)
	{
		return jif_periodic_start_at(&on, &c, expires, period, count);
	}
	int start_in(uint32_t first, uint32_t period,
		     uint32_t count = JIF_FOREVER)
	{
		return jif_periodic_start_in(&on, &c, first, period, count);
	}
	bool stop() { return jif_periodic_stop(&c); }
	bool pending() const { return jif_periodic_pending(&c); }
	uint32_t missed() const { return jif_periodic_missed(&c); }
	uint32_t left() const { return jif_periodic_left(&c); }

      private:
	jif_wheel &on;
};

class Work : Holder<jif_work>
{
      public:
	template <typename Fn>
	Work(jif_workqueue &queue, Fn fn, unsigned priority = 0) : on(queue)
	{
		jif_work_init(&c, keep(fn), priority);
	}
	~Work() { jif_work_cancel(&on, &c); }

	bool queue() { return jif_work_queue(&on, &c); }
	bool cancel() { return jif_work_cancel(&on, &c); }
	bool pending() const { return jif_work_pending(&c); }

      private:
	jif_workqueue &on;
};

} // namespace jif

JIF_END_MAY_SHADOW

#endif
