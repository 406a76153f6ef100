/* SPDX-License-Identifier: MIT */
/*
 * jif/jif.hpp - the calls of jif as C++ classes, from C++11 on
 *
 * Each class is the structure of C, which C calls take too. Each member
 * function has the name, the contexts and the results of the C function that it
 * calls: Timer::add_in() is jif_timer_add_in(). A delay is a number of ticks
 * or, where there is <chrono>, any duration of it; see Ticks.
 *
 * A callback is a function, a lambda, or, by jif::member(), a member
 * function that is not const, named with the class that declares it. It takes
 * nothing, or what has expired, as TimerBase & and the like. It is kept within
 * the object, without allocation, with captures as large as two pointers:
 * Scoped<TimerBase, 40> has room for 40 bytes, Scoped<TimerBase, 0> for none. A
 * copy is called. An exception that leaves it ends the program.
 *
 * What an object has armed, started or queued is off when it is destroyed. That
 * may be in its own callback. Elsewhere, it may not be while the callback is
 * under way. What it was made with, such as the wheel, outlives it.
 *
 * None can be copied or moved, since a wheel or queue may have its address, and
 * a callback that of its owner. But take() goes on with what another one has
 * armed or queued, other than a wheel: see docs/design.md.
 *
 * JIF_CONSTINIT StaticTimer and StaticWork, with a function, a lambda without
 * captures or a member() of a static object, need no code to start: from C++20
 * on, they are right before constructors run. Others have what only the library
 * knows, and a wheel is too large for flash. What is Static has no destructor.
 *
 * Queues, tasks, tables and the like have no class: call C for them.
 *
 * It needs neither exceptions, nor run-time types, nor the standard library.
 * Without a C library, other static objects need start code that calls their
 * constructors, and -fno-use-cxa-atexit, so that no destructor is registered.
 */
#ifndef JIF_HPP
#define JIF_HPP

#include <jif/firmware/work.h>
#include <jif/jiffies.h>
#include <jif/periodic.h>
#include <jif/timer.h>
#include <jif/wheel.h>

/* Templates are looked at where they are used: after a global called wheel. */
JIF_MAY_SHADOW

namespace jif
{

/*
 * A delay: a number of ticks, or a duration, which is rounded up. One that is
 * too long is refused by the call that is given it, as JIF_FOREVER - 1 is.
 */
class Ticks
{
      public:
	constexpr Ticks(uint32_t ticks) : n(ticks) {}
	template <typename Span, typename Unit = typename Span::period>
	JIF_ALWAYS_INLINE constexpr Ticks(const Span &span)
	    : n(Per<Unit::num * CONFIG_JIF_HZ, Unit::den>::ticks(span.count()))
	{
	}
	constexpr operator uint32_t() const { return n; }

      private:
	static constexpr uint64_t divisor(uint64_t a, uint64_t b)
	{
		return b ? divisor(b, a % b) : a;
	}
	static JIF_ALWAYS_INLINE constexpr uint32_t limit(uint64_t ticks)
	{
		return uint32_t(ticks < JIF_FOREVER ? ticks : JIF_FOREVER - 1);
	}

	/* A count of num / den ticks each. */
	template <uint64_t num, uint64_t den> struct Per {
		static constexpr uint64_t mul = num / divisor(num, den);
		static constexpr uint64_t div = den / divisor(num, den);

		template <typename Count>
		static JIF_ALWAYS_INLINE constexpr uint32_t ticks(Count count)
		{
			return !(count > 0) ? 0 :
			       Count(1) / 2 != 0 ?
					      real(double(count) * double(mul) /
						   double(div)) :
					      whole(uint64_t(count) / div,
						    uint64_t(count) % div);
		}
		static JIF_ALWAYS_INLINE constexpr uint32_t
		whole(uint64_t times, uint64_t more)
		{
			return times >= JIF_FOREVER / mul + 1 ?
				       limit(JIF_FOREVER) :
				       limit(times * mul +
					     (more * mul + div - 1) / div);
		}
		static JIF_ALWAYS_INLINE constexpr uint32_t real(double ticks)
		{
			return ticks >= JIF_FOREVER ?
				       limit(JIF_FOREVER) :
				       limit(uint64_t(ticks) +
					     (double(uint64_t(ticks)) < ticks));
		}
	};

	uint32_t n;
};

/* Calls a member function of an object; see member(). */
template <typename T, void (T::*method)()> struct Member {
	T *object;

	void operator()() const { (object->*method)(); }
};

/* As in Timer blink(wheel, jif::member<Lamp, &Lamp::toggle>(this)); */
template <typename T, void (T::*method)()>
constexpr Member<T, method> member(T *object)
{
	return Member<T, method>{ object };
}

/* The bytes of a callable object. */
template <size_t room> class Captures
{
      protected:
	constexpr Captures(void (*fn)()) : function(fn) {}
	template <typename T, void (T::*method)()>
	constexpr Captures(Member<T, method> fn) : object(fn.object)
	{
	}
	template <typename Fn>
	constexpr Captures(const Fn &fn)
	    : Captures(fn, Choose<__is_empty(Fn)>())
	{
		static_assert(__is_empty(Fn) || sizeof(Fn) <= room,
			      "no room for so large captures");
	}

      private:
	template <bool> struct Choose {
	};

	template <typename Fn>
	constexpr Captures(const Fn &, Choose<true>) : object()
	{
	}
	template <typename Fn> Captures(const Fn &fn, Choose<false>)
	{
		JIF_MEMCPY(bytes, &fn, sizeof(fn));
	}

	union {
		void (*function)();
		void *object;
		unsigned char bytes[room];
	};
};

template <> class Captures<0>
{
      protected:
	template <typename Fn> constexpr Captures(const Fn &)
	{
		static_assert(__is_empty(Fn), "no room for captures");
	}
};

/* Calls a callback with what it takes: its object too, or not. */
template <typename Fn, typename Object>
auto invoke(int, Fn &fn, Object &) -> decltype(void(fn()))
{
	fn();
}

template <typename Fn, typename Object>
auto invoke(long, Fn &fn, Object &object) -> decltype(void(fn(object)))
{
	fn(object);
}

/* An object and its callback, which stay armed when it is gone. */
template <typename Base, size_t room = 2 * sizeof(void *)>
class Static : public Base, Captures<room>
{
      public:
	template <typename Fn, typename... More>
	JIF_CONSTEXPR Static(typename Base::Owner &owner, Fn fn, More &&...more)
	    : Base(owner, call<Fn>, more...), Captures<room>(fn)
	{
		static_assert(__is_trivially_copyable(Fn),
			      "captures are copied byte by byte");
	}
	Static(const Static &) = delete;
	Static &operator=(const Static &) = delete;

      private:
	/*
	 * The object may be gone when its callback returns. An exception would
	 * leave the wheel in the middle of its run.
	 */
	template <typename Fn, typename C> static void call(C *c) noexcept
	{
		union Copy {
			char nothing;
			Fn fn;
			Copy() : nothing() {}
		} copy;
		Static &object = static_cast<Static &>(*c);

		JIF_MEMCPY(static_cast<void *>(&copy.fn),
			   static_cast<Captures<room> *>(&object),
			   __is_empty(Fn) ? 0 : sizeof(copy.fn));
		invoke(0, copy.fn, static_cast<Base &>(object));
	}
};

/* Disarmed when it is gone. */
template <typename Base, size_t room = 2 * sizeof(void *)>
class Scoped : public Static<Base, room>
{
      public:
	using Static<Base, room>::Static;
	~Scoped() { this->off(); }
};

class Wheel : public jif_wheel
{
      public:
	explicit Wheel(uint32_t now) { jif_wheel_init(this, now); }
	explicit Wheel(jif_time_fn &source = jif_time_jiffies)
	{
		jif_wheel_init_time(this, &source);
	}
	Wheel(const Wheel &) = delete;
	Wheel &operator=(const Wheel &) = delete;

	unsigned run(uint32_t now) { return jif_wheel_run(this, now); }
	unsigned run() { return run(time ? this->now() : jif_now()); }
	void set_time(jif_time_fn *source) { jif_wheel_set_time(this, source); }
	uint32_t now() const { return jif_wheel_now(this); }
	int poll() { return jif_wheel_poll(this); }
	uint32_t clock() const { return jif_wheel_clock(this); }
	bool next_stop(uint32_t &at) { return jif_wheel_next_stop(this, &at); }
	bool empty() const { return jif_wheel_empty(this); }
};

class TimerBase : public jif_timer
{
      public:
	using Owner = jif_wheel;
	JIF_CONSTEXPR TimerBase(jif_wheel &wheel, jif_timer_fn *fn) : on(&wheel)
	{
		if (JIF_IS_CONSTANT())
			jif_timer::operator=(JIF_TIMER_INIT(fn));
		else
			jif_timer_init(this, fn);
	}

	JIF_MUST_CHECK
	int add(uint32_t at) { return jif_timer_add(on, this, at); }
	JIF_MUST_CHECK
	int add_in(Ticks delay) { return jif_timer_add_in(on, this, delay); }
	int mod(uint32_t at) { return jif_timer_mod(on, this, at); }
	JIF_MUST_CHECK
	int mod_in(Ticks delay) { return jif_timer_mod_in(on, this, delay); }
	bool mod_pending(uint32_t at)
	{
		return jif_timer_mod_pending(on, this, at);
	}
	int reduce(uint32_t at) { return jif_timer_reduce(on, this, at); }
	int postpone(uint32_t at) { return jif_timer_postpone(on, this, at); }
	bool del() { return jif_timer_del(on, this); }
	bool shutdown() { return jif_timer_shutdown(on, this); }
	bool pause() { return jif_timer_pause(on, this); }
	int resume() { return jif_timer_resume(on, this); }
	bool pending() const { return jif_timer_pending(this); }
	uint32_t expires() const { return jif_timer_expires(on, this); }
	uint32_t left() const { return jif_timer_left(on, this); }

	/*
	 * Of that tick, it is the last one then; what is due on the tick that
	 * is being run, is on the next. A paused one stays so.
	 */
	void take(TimerBase &from)
	{
		jif_timer was = from;
		uint32_t when = from.expires();

		if (where == JIF_TIMER_DEAD)
			return;
		if (from.del()) {
			jif_timer_mod(on, this, when);
		} else if (was.where == JIF_TIMER_IDLE && !was.next) {
			del();
			was.fn = fn;
			*static_cast<jif_timer *>(this) = was;
		}
	}

      protected:
	void off() { del(); }

      private:
	jif_wheel *on;
};

class PeriodicBase : public jif_periodic
{
      public:
	using Owner = jif_wheel;
	PeriodicBase(jif_wheel &on, jif_periodic_fn *fn,
		     jif_catchup policy = JIF_CATCHUP_SKIP)
	{
		wheel = &on;
		jif_periodic_init(this, fn, policy);
	}

	JIF_MUST_CHECK
	int start(Ticks first, Ticks period, uint32_t count = JIF_FOREVER)
	{
		return jif_periodic_start(wheel, this, first, period, count);
	}
	JIF_MUST_CHECK
	int start_at(uint32_t at, Ticks period, uint32_t count = JIF_FOREVER)
	{
		return jif_periodic_start_at(wheel, this, at, period, count);
	}
	JIF_MUST_CHECK
	int start_ratio(Ticks first, uint32_t ticks, uint32_t per,
			uint32_t count = JIF_FOREVER)
	{
		return jif_periodic_start_ratio(wheel, this, first, ticks, per,
						count);
	}
	bool stop() { return jif_periodic_stop(this); }
	bool pause() { return jif_periodic_pause(this); }
	int resume() { return jif_periodic_resume(this); }
	int change(Ticks period, uint32_t count = JIF_FOREVER)
	{
		return jif_periodic_change(this, period, count);
	}
	bool next(uint32_t &at) const { return jif_periodic_next(this, &at); }
	bool pending() const { return jif_periodic_pending(this); }
	uint32_t missed() const { return jif_periodic_missed(this); }
	uint32_t left() const { return jif_periodic_left(this); }

	/* Its grid goes on; a paused one stays so. */
	void take(PeriodicBase &from)
	{
		jif_periodic was = from;
		uint32_t when = jif_timer_expires(from.wheel, &from.timer);

		if (!from.stop())
			return;
		stop();
		timer.fn = was.timer.fn;
		timer.remaining = was.timer.remaining;
		expires = was.expires;
		period = was.period;
		jif_periodic::left = was.left;
		jif_periodic::missed = was.missed;
		per = was.per;
		phase = was.phase;
		if (period)
			jif_timer_mod(wheel, &timer, when);
	}

      protected:
	void off() { stop(); }
};

class WorkBase : public jif_work
{
      public:
	using Owner = jif_workqueue;
	template <typename Number = unsigned>
	JIF_CONSTEXPR WorkBase(jif_workqueue &queue, jif_work_fn *fn,
			       Number priority = 0)
	    : on(&queue)
	{
		if (JIF_IS_CONSTANT())
			jif_work::operator=(
				JIF_WORK_INIT(fn, uint8_t(priority)));
		else
			jif_work_init(this, fn, unsigned(priority));
	}

	bool queue() { return jif_work_queue(on, this); }
	bool cancel() { return jif_work_cancel(on, this); }
	bool pending() const { return jif_work_pending(this); }

	/* Of that priority, it is the last one then. */
	void take(WorkBase &from)
	{
		if (from.cancel())
			queue();
	}

      protected:
	void off() { cancel(); }

      private:
	jif_workqueue *on;
};

using Timer = Scoped<TimerBase>;
using Periodic = Scoped<PeriodicBase>;
using Work = Scoped<WorkBase>;
using StaticTimer = Static<TimerBase>;
using StaticWork = Static<WorkBase>;

} // namespace jif

JIF_END_MAY_SHADOW

#endif
