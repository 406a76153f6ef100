/* SPDX-License-Identifier: MIT */
/*
 * docs/examples/asio.cc - an operation of asio that waits for a service of jif
 *
 * The coroutine of the service holds all that the operation needs, in its
 * frame. It goes on where the program's own coroutine runs.
 */
#include <asio.hpp>
#include <asio/experimental/awaitable_operators.hpp>
#include <cstdio>
#include <jif/coroutine.hpp>

using namespace asio::experimental::awaitable_operators;
using namespace std::chrono_literals;

/* A coroutine that begins at once, and that nobody waits for. */
struct Detached {
	struct promise_type {
		Detached get_return_object() { return {}; }
		std::suspend_never initial_suspend() { return {}; }
		std::suspend_never final_suspend() noexcept { return {}; }
		void return_void() {}
		void unhandled_exception() { std::terminate(); }
	};
};

/* Awaits a turn of an executor. */
template <typename Executor> struct Turn {
	Executor executor;

	bool await_ready() { return false; }
	void await_suspend(std::coroutine_handle<> coroutine)
	{
		Executor to = executor;

		asio::post(to, coroutine);
	}
	void await_resume() {}
};

template <typename Handler>
Detached run_after(jif::Service &service, std::chrono::nanoseconds delay,
		   Handler handler)
{
	auto work = asio::make_work_guard(handler);
	auto slot = asio::get_associated_cancellation_slot(handler);
	jif::Wait wait = service.after(delay);

	if (slot.is_connected())
		slot.assign(
			[&wait](asio::cancellation_type) { wait.cancel(); });
	int err = co_await wait;
	co_await Turn<decltype(work.get_executor())>{ work.get_executor() };
	slot.clear();
	handler(std::error_code(-err, std::system_category()));
}

template <typename Token>
auto async_after(jif::Service &service, std::chrono::nanoseconds delay,
		 Token &&token)
{
	return asio::async_initiate<Token, void(std::error_code)>(
		[&service, delay](auto handler) {
			run_after(service, delay, std::move(handler));
		},
		token);
}

static asio::awaitable<void> blink(jif::Service &service, const char *name,
				   std::chrono::milliseconds period)
{
	for (int i = 1; i <= 3; i++) {
		co_await async_after(service, period, asio::use_awaitable);
		std::printf("%s %d\n", name, i);
	}
}

static asio::awaitable<void> race(jif::Service &service)
{
	auto winner =
		co_await (async_after(service, 1h, asio::use_awaitable) ||
			  async_after(service, 400ms, asio::use_awaitable));

	std::printf("number %d was first\n", int(winner.index()));
}

int main()
{
	jif::Service service;
	asio::io_context io;

	if (service.init() || service.start())
		return 1;
	asio::co_spawn(io, blink(service, "fast", 100ms), asio::detached);
	asio::co_spawn(io, blink(service, "slow", 250ms), asio::detached);
	asio::co_spawn(io, race(service), asio::detached);
	io.run();
	return service.stop();
}
