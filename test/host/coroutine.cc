/* SPDX-License-Identifier: MIT */
/*
 * test/host/coroutine.cc - coroutines that wait for a service
 *
 * usage: coroutine ROUNDS
 *
 * In each round, threads cancel a wait at about the time at which it ends.
 */
#include <atomic>
#include <barrier>
#include <cstdlib>
#include <jif/coroutine.hpp>
#include <new>
#include <thread>
#include <vector>

#include "tap.h"

using namespace std::chrono_literals;

#define CANCELERS 2

static std::atomic<unsigned> frames, allocations;
static sem_t ends;

void *operator new(std::size_t size)
{
	allocations++;
	return std::malloc(size);
}

void operator delete(void *memory) noexcept
{
	std::free(memory);
}

void operator delete(void *memory, std::size_t) noexcept
{
	std::free(memory);
}

/* A coroutine that begins at once; its frame stays until this is gone. */
struct Run {
	struct promise_type {
		struct End {
			bool await_ready() noexcept { return false; }
			void await_suspend(std::coroutine_handle<>) noexcept
			{
				sem_post(&ends);
			}
			void await_resume() noexcept {}
		};

		Run get_return_object()
		{
			return Run{ std::coroutine_handle<
				promise_type>::from_promise(*this) };
		}
		std::suspend_never initial_suspend() noexcept { return {}; }
		End final_suspend() noexcept { return {}; }
		void return_void() {}
		void unhandled_exception() { std::abort(); }
		static void *operator new(std::size_t size)
		{
			frames++;
			return std::malloc(size);
		}
		static void operator delete(void *memory) { std::free(memory); }
	};

	explicit Run(std::coroutine_handle<promise_type> handle) : frame(handle)
	{
	}
	Run(Run &&from) : frame(from.frame) { from.frame = nullptr; }
	~Run()
	{
		if (frame)
			frame.destroy();
	}

	std::coroutine_handle<promise_type> frame;
};

/* What a coroutine tells of itself. */
struct Seen {
	std::atomic<jif::Wait *> wait = nullptr;
	std::stop_token stop;
	int result = 1;
	std::thread::id thread;
	std::chrono::steady_clock::time_point at;
};

static Run wait_for(jif::Service &service, std::chrono::nanoseconds delay,
		    Seen &seen)
{
	jif::Wait wait = service.after(delay, seen.stop);

	seen.wait = &wait;
	seen.result = co_await wait;
	seen.at = std::chrono::steady_clock::now();
	seen.thread = std::this_thread::get_id();
}

static Run wait_until(jif::Service &service, uint64_t ns, Seen &seen)
{
	seen.result = co_await service.at(ns, seen.stop);
	seen.at = std::chrono::steady_clock::now();
	seen.thread = std::this_thread::get_id();
}

static Run wait_often(jif::Service &service, int &result, unsigned &count)
{
	do {
		result = co_await service.after(100us);
		count++;
	} while (!result);
}

static void await_ends(unsigned count)
{
	while (count--)
		await(&ends);
}

static void test_time(jif::Service &service)
{
	static const std::chrono::milliseconds delays[] = { 30ms, 10ms, 20ms };
	std::vector<Run> runs;
	Seen seen[3], none, far, sole;
	std::stop_source source;
	unsigned before;
	bool early = false;

	runs.reserve(9);
	for (Seen &each : seen)
		each.stop = source.get_token();
	/* Nothing is over before all have begun, however long that takes. */
	jif_service_lock(&service);
	auto begin = std::chrono::steady_clock::now();
	uint64_t now = jif_service_now(&service);
	frames = 0;
	before = allocations;
	for (int i = 0; i < 3; i++)
		runs.push_back(wait_until(
			service, now + uint64_t(delays[i] / 1ns), seen[i]));
	jif_service_unlock(&service);
	await_ends(3);
	is(allocations - before, 0, "a wait allocates nothing");
	is(frames, 3, "but the frame of its coroutine");
	for (int i = 0; i < 3; i++)
		early |= seen[i].result || seen[i].at - begin < delays[i];
	ok(seen[1].at <= seen[2].at && seen[2].at <= seen[0].at,
	   "several end in their order");
	ok(seen[0].thread != std::this_thread::get_id(),
	   "in a thread of the service");
	begin = std::chrono::steady_clock::now();
	runs.push_back(wait_for(service, 5ms, sole));
	await_ends(1);
	early |= sole.result || sole.at - begin < 5ms;
	ok(!early, "it is never early");
	runs.push_back(wait_for(service, -1s, none));
	await_ends(1);
	is(none.result, 0, "no time ends, too");
	runs.push_back(wait_for(service, std::chrono::hours(24 * 60), far));
	await_ends(1);
	ok(far.result == -JIF_ERANGE &&
		   far.thread == std::this_thread::get_id(),
	   "what is too far ends at once");
	runs.push_back(wait_for(service, std::chrono::nanoseconds::max(), far));
	await_ends(1);
	is(far.result, -JIF_ERANGE, "what is further, too");
	runs.push_back(wait_until(service, now, none));
	await_ends(1);
	is(none.result, 0, "at() a time that is past");
}

static void test_cancel(jif::Service &service)
{
	Seen seen, stopped, late;
	std::stop_source source;
	bool pending;

	Run run = wait_for(service, 1h, seen);
	ok(seen.wait.load()->pending(), "a wait is pending");
	ok(seen.wait.load()->cancel(), "it is canceled");
	await_ends(1);
	ok(seen.result == -JIF_ECANCELED &&
		   seen.thread == std::this_thread::get_id(),
	   "it ends in this thread");

	stopped.stop = source.get_token();
	Run other = wait_for(service, 1h, stopped);
	source.request_stop();
	await_ends(1);
	is(stopped.result, -JIF_ECANCELED, "it is canceled by a token");

	late.stop = source.get_token();
	Run third = wait_for(service, 1h, late);
	await_ends(1);
	is(late.result, -JIF_ECANCELED, "or by what was canceled before");

	{
		auto await = [](jif::Wait &wait, int &result) -> Run {
			result = co_await wait;
		};
		jif::Wait wait = service.after(1h);
		int result = 1;

		ok(wait.cancel() && !wait.cancel(),
		   "it is canceled before it is awaited");
		Run fourth = await(wait, result);
		await_ends(1);
		is(result, -JIF_ECANCELED, "and ends at once");
		ok(!wait.cancel(), "then, it is too late");
	}

	Seen gone;
	Run last = wait_for(service, 1h, gone);
	jif_service_lock(&service);
	pending = gone.wait.load()->pending();
	last.frame.destroy();
	last.frame = nullptr;
	jif_service_unlock(&service);
	ok(pending, "a coroutine that waits is destroyed");
	is(jif_service_drain(&service, nullptr), 0, "and its wait is off");
}

static int drained;

static void count_drained(jif_service *, const jif_call *call)
{
	drained += call->job != nullptr;
}

static void test_stop(jif::Service &service)
{
	std::vector<Run> runs;
	int results[4] = {};
	unsigned counts[4] = {};
	unsigned wrong = 0, ended = 0;
	jif_job job;
	Seen off, hour;

	Run run = wait_for(service, 1h, hour);
	is(service.stop(), 1, "a stop takes off a wait");
	await_ends(1);
	ok(hour.result == -JIF_ECANCELED &&
		   hour.thread == std::this_thread::get_id(),
	   "which ends in the thread that stops it");
	service.start();
	jif_job_init(&service, &job, [](jif_job *) { return 0; });
	for (int round = 0; round < 20; round++) {
		runs.reserve(4);
		for (int i = 0; i < 4; i++)
			runs.push_back(
				wait_often(service, results[i], counts[i]));
		(void)!jif_job_add(&job,
				   jif_service_now(&service) + 3600000000000u);
		std::this_thread::sleep_for(1ms * (round % 5));
		wrong += service.stop(count_drained) < 1;
		await_ends(4);
		for (int result : results)
			wrong += result != -JIF_ECANCELED;
		ended += (unsigned)runs.size();
		runs.clear();
		wrong += service.start() != 0;
	}
	ok(!wrong && ended == 80, "a stop ends all that wait");
	is(drained, 20, "and drains what else there is");
	ok(counts[0] > 20, "of which some have waited often");
	service.stop();
	Run last = wait_for(service, 1ms, off);
	await_ends(1);
	is(off.result, -JIF_ECANCELED, "a service that is off waits for none");
	service.start();
}

static void test_races(jif::Service &service, unsigned rounds,
		       const char *const names[3])
{
	std::barrier barrier(CANCELERS + 1);
	std::vector<std::thread> threads;
	std::atomic<unsigned> canceled = 0;
	unsigned results[2] = {}, by_token = 0, wrong = 0;
	std::stop_source source;
	Seen *seen = nullptr;

	for (unsigned i = 0; i < CANCELERS; i++)
		threads.emplace_back([&, i] {
			for (unsigned n = 0; n < rounds; n++) {
				barrier.arrive_and_wait();
				std::this_thread::sleep_for(10us *
							    ((n + 7 * i) % 40));
				if (n % 2)
					canceled += seen->wait.load()->cancel();
				else
					source.request_stop();
				barrier.arrive_and_wait();
			}
		});
	for (unsigned n = 0; n < rounds; n++) {
		Seen here;

		seen = &here;
		source = std::stop_source();
		here.stop = source.get_token();
		Run run = wait_for(service, 10us * (n % 30), here);
		barrier.arrive_and_wait();
		barrier.arrive_and_wait();
		await_ends(1);
		if (here.result && here.result != -JIF_ECANCELED)
			wrong++;
		results[here.result != 0]++;
		by_token += here.result && n % 2 == 0;
	}
	for (std::thread &thread : threads)
		thread.join();
	ok(!wrong && !sem_trywait(&ends) == 0, names[0]);
	is(results[1], canceled + by_token, names[1]);
	ok(results[0] && by_token && canceled, names[2]);
}

int main(int argc, char *argv[])
{
	static jif_worker workers[2];
	static jif_call calls[16];
	static const char *const alone[] = {
		"each wait ends once", "it is canceled if cancel() says so",
		"all kinds of ends came"
	};
	static const char *const with_workers[] = {
		"each ends once, with workers", "canceled or not, with workers",
		"all kinds of ends came, with workers"
	};
	unsigned rounds = argc > 1 ? (unsigned)std::atoi(argv[1]) : 1000;
	jif::Service service, pool;

	sem_init(&ends, 0, 0);
	service.loop.tick_ns = 50000;
	if (service.init() || service.start())
		return 1;
	test_time(service);
	test_cancel(service);
	test_stop(service);
	test_races(service, rounds, alone);
	service.stop();
	pool.loop.tick_ns = 50000;
	pool.workers = workers;
	pool.worker_count = 2;
	pool.calls = calls;
	pool.call_count = 16;
	if (pool.init() || pool.start())
		return 1;
	test_races(pool, rounds, with_workers);
	pool.stop();
	return tap_end();
}
