/* SPDX-License-Identifier: MIT */
/*
 * lib/kit/access.c - a window before each access to memory
 *
 * A compiler that is given -fsanitize=thread calls a function of the sanitizer
 * before each load and store of what another thread may see. With these instead
 * of the sanitizer, each such call lets interrupts in; with -O0, the accesses
 * are those of the source. Link this with sources that are compiled so, and do
 * not give -fsanitize=thread to the linker.
 */
#include <jif/kit/test.h>
#include <string.h>

static void let_in(const void *place)
{
	jif_test_place = place;
	jif_sim_irq();
}

#define IGNORED __attribute__((unused))

/* The compiler calls these names, and declares them nowhere. */
#define DEFINE(result, name, ...)                                              \
	result name(__VA_ARGS__);                                              \
	result name(__VA_ARGS__)

#define ACCESS(name, ...)                                                      \
	DEFINE(void, __tsan_##name, __VA_ARGS__)                               \
	{                                                                      \
		let_in(__builtin_return_address(0));                           \
	}
#define ACCESSES(bytes)                                                        \
	ACCESS(read##bytes, IGNORED void *at)                                  \
	ACCESS(write##bytes, IGNORED void *at)                                 \
	ACCESS(unaligned_read##bytes, IGNORED void *at)                        \
	ACCESS(unaligned_write##bytes, IGNORED void *at)

ACCESS(read1, IGNORED void *at)
ACCESS(write1, IGNORED void *at)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)
ACCESS(read_range, IGNORED void *at, IGNORED size_t size)
ACCESS(write_range, IGNORED void *at, IGNORED size_t size)

#define COPY(name)                                                             \
	DEFINE(void *, __tsan_##name, void *to, const void *from, size_t size) \
	{                                                                      \
		let_in(__builtin_return_address(0));                           \
		return name(to, from, size);                                   \
	}

COPY(memcpy)
COPY(memmove)

DEFINE(void *, __tsan_memset, void *to, int value, size_t size)
{
	let_in(__builtin_return_address(0));
	return memset(to, value, size);
}

/* C11's atomic operations, as this compiler does them, whatever the order. */
#define ATOMIC(bits, type)                                                     \
	DEFINE(type, __tsan_atomic##bits##_load, const volatile type *at,      \
	       IGNORED int order)                                              \
	{                                                                      \
		let_in(__builtin_return_address(0));                           \
		return __atomic_load_n(at, __ATOMIC_SEQ_CST);                  \
	}                                                                      \
	DEFINE(void, __tsan_atomic##bits##_store, volatile type *at,           \
	       type value, IGNORED int order)                                  \
	{                                                                      \
		let_in(__builtin_return_address(0));                           \
		__atomic_store_n(at, value, __ATOMIC_SEQ_CST);                 \
	}                                                                      \
	UPDATE(bits, type, exchange, exchange_n)                               \
	UPDATE(bits, type, fetch_add, fetch_add)                               \
	UPDATE(bits, type, fetch_sub, fetch_sub)                               \
	UPDATE(bits, type, fetch_and, fetch_and)                               \
	UPDATE(bits, type, fetch_or, fetch_or)                                 \
	UPDATE(bits, type, fetch_xor, fetch_xor)                               \
	SWAP(bits, type, strong)                                               \
	SWAP(bits, type, weak)

#define UPDATE(bits, type, name, builtin)                                      \
	DEFINE(type, __tsan_atomic##bits##_##name, volatile type *at,          \
	       type value, IGNORED int order)                                  \
	{                                                                      \
		let_in(__builtin_return_address(0));                           \
		return __atomic_##builtin(at, value, __ATOMIC_SEQ_CST);        \
	}

#define SWAP(bits, type, strength)                                             \
	DEFINE(int, __tsan_atomic##bits##_compare_exchange_##strength,         \
	       volatile type *at, type *old, type value, IGNORED int order,    \
	       IGNORED int other)                                              \
	{                                                                      \
		let_in(__builtin_return_address(0));                           \
		return __atomic_compare_exchange_n(at, old, value, false,      \
						   __ATOMIC_SEQ_CST,           \
						   __ATOMIC_SEQ_CST);          \
	}

ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)

/* No access, so that nobody comes. */
#define NOTHING(name, ...)                                                     \
	DEFINE(void, __tsan_##name, __VA_ARGS__)                               \
	{                                                                      \
	}

NOTHING(init, void)
NOTHING(func_entry, IGNORED void *caller)
NOTHING(func_exit, void)
NOTHING(atomic_signal_fence, IGNORED int order)
NOTHING(atomic_thread_fence, IGNORED int order)
