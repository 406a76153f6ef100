/* SPDX-License-Identifier: MIT */
/*
 * jif/coroutine.hpp - a coroutine waits for a time of a service; from C++20 on
 *
 *	int err = co_await service.after(5ms);
 *
 * The wait is a job within the coroutine's frame: nothing is allocated. It ends
 * once: in a thread of the service, never early, with 0; or as it is canceled,
 * in the thread that does so, with -JIF_ECANCELED; or at once, in this thread,
 * with what jif_job_add() has returned. A coroutine that goes on whatever the
 * result does not end when the service stops.
 *
 * While it waits it may be destroyed by who has the service locked, and has
 * seen then that it is pending().
 */
#ifndef JIF_COROUTINE_HPP
#define JIF_COROUTINE_HPP

#include <chrono>
#include <coroutine>
#include <jif/service.h>
#include <optional>
#include <stop_token>

/* Fields of C are no names for anything else. */
JIF_MAY_SHADOW

namespace jif
{

/* A wait, which is awaited once; see Service::after(). */
class Wait : jif_job
{
      public:
	Wait(jif_service &service, uint64_t expires_ns, std::stop_token stop)
	    : on(service), expires(expires_ns), token(stop)
	{
		jif_job_init(&service, this, expire);
	}
	Wait(const Wait &) = delete;
	Wait &operator=(const Wait &) = delete;
	~Wait()
	{
		if (waits)
			jif_job_del(this);
	}

	/*
	 * From any thread, as long as the coroutine does not go on and destroy
	 * it. If nobody awaits it yet, who does need not wait.
	 *
	 * Return: true if it ends by that; false if it has ended, or is about
	 * to.
	 */
	bool cancel()
	{
		jif_service &service = on;
		bool pending;
		bool early;

		jif_service_lock(&service);
		pending = jif_job_del(this);
		early = !begun && !result;
		if (pending || early)
			result = -JIF_ECANCELED;
		jif_service_unlock(&service);
		if (pending)
			waiting.resume();
		return pending || early;
	}
	bool pending() { return jif_job_pending(this); }

	bool await_ready() const { return false; }
	bool await_suspend(std::coroutine_handle<> coroutine)
	{
		jif_service &service = on;
		bool suspend;

		waiting = coroutine;
		/* Once it is armed and unlocked, it may be gone. */
		jif_service_lock(&service);
		if (token.stop_possible())
			stop.emplace(token, Stop{ this });
		begun = true;
		if (!result)
			result = jif_job_add(this, expires);
		suspend = !result;
		waits = suspend;
		jif_service_unlock(&service);
		return suspend;
	}
	int await_resume()
	{
		waits = false;
		return result;
	}

      private:
	friend class Service;
	struct Stop {
		Wait *wait;

		void operator()() const { wait->cancel(); }
	};

	static int expire(jif_job *job) noexcept
	{
		static_cast<Wait *>(job)->waiting.resume();
		return 0;
	}

	jif_service &on;
	uint64_t expires;
	std::stop_token token;
	std::optional<std::stop_callback<Stop>> stop;
	std::coroutine_handle<> waiting;
	Wait *next = nullptr; /* of those that a stop ends */
	int result = 0;
	bool begun = false; /* it is, or was, awaited */
	bool waits = false;
};

/* A service, whose fields are filled in before init(). */
class Service : public jif_service
{
      public:
	Service() : jif_service() {}
	Service(const Service &) = delete;
	Service &operator=(const Service &) = delete;

	int init() { return jif_service_init(this); }
	int start() { return jif_service_start(this); }

	/* Ends all waits with -JIF_ECANCELED; drains what else was armed. */
	int stop(jif_call_fn *drain = nullptr)
	{
		int count;

		others = drain;
		count = jif_service_stop(this, take_wait);
		while (Wait *wait = ended) {
			ended = wait->next;
			wait->waiting.resume();
		}
		return count;
	}

	/* After at least that delay. */
	template <typename Count, typename Period>
	Wait after(std::chrono::duration<Count, Period> delay,
		   std::stop_token stop = {})
	{
		using std::chrono::nanoseconds;
		uint64_t ns = UINT64_MAX; /* too far */

		if (delay <= delay.zero())
			ns = jif_service_now(this);
		else if (delay < std::chrono::years(100))
			ns = jif_service_now(this) +
			     uint64_t(std::chrono::ceil<nanoseconds>(delay)
					      .count());
		return Wait(*this, ns, stop);
	}
	/* Absolute, in nanoseconds of the service's clock. */
	Wait at(uint64_t expires_ns, std::stop_token stop = {})
	{
		return Wait(*this, expires_ns, stop);
	}

      private:
	/* The service is locked: they go on when it has stopped. */
	static void take_wait(jif_service *service, const jif_call *call)
	{
		Service *self = static_cast<Service *>(service);

		if (!call->job || call->fn != Wait::expire) {
			if (self->others)
				self->others(service, call);
			return;
		}
		Wait *wait = static_cast<Wait *>(call->job);

		wait->result = -JIF_ECANCELED;
		wait->next = self->ended;
		self->ended = wait;
	}

	jif_call_fn *others = nullptr;
	Wait *ended = nullptr;
};

} // namespace jif

JIF_END_MAY_SHADOW

#endif
