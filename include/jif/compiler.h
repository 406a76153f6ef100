/* SPDX-License-Identifier: MIT */
/*
 * jif/compiler.h - what C11 does not say, in the words of each compiler
 *
 * The only place that knows compilers: GCC, clang and what behaves like them,
 * whose assembler the ports for a processor need; tcc; and others with C11.
 */
#ifndef JIF_COMPILER_H
#define JIF_COMPILER_H

/* In C++, declarations in between have the linkage of C. */
#ifdef __cplusplus
#define JIF_BEGIN_DECLS		     extern "C" {
#define JIF_END_DECLS		     }
#define JIF_STATIC_ASSERT(cond, why) static_assert(cond, why)
#else
#define JIF_BEGIN_DECLS
#define JIF_END_DECLS
#define JIF_STATIC_ASSERT(cond, why) _Static_assert(cond, why)
#endif

/* From C++20 on, what is JIF_CONSTINIT is right before constructors run. */
#if defined(__cpp_constinit)
#define JIF_CONSTINIT	  constinit
#define JIF_CONSTEXPR	  constexpr
#define JIF_IS_CONSTANT() __builtin_is_constant_evaluated()
#else
#define JIF_CONSTINIT
#define JIF_CONSTEXPR
#define JIF_IS_CONSTANT() false
#endif

#define JIF_TEXT(value)	     JIF_TEXT_OF(value)
#define JIF_TEXT_OF(literal) #literal

/* 1: a program on an operating system, which has a C library. */
#if __STDC_HOSTED__ &&                                                         \
	(defined(__unix__) || defined(__APPLE__) || defined(_WIN32))
#define JIF_ON_SYSTEM 1
#else
#define JIF_ON_SYSTEM 0
#endif

/* Behind the declaration of a function: what it is called in an object file. */
#if defined(__GNUC__)
#define JIF_LINK_NAME(...) __asm__(JIF_TEXT(__USER_LABEL_PREFIX__) __VA_ARGS__)
#define JIF_WEAK	   __attribute__((weak))
#define JIF_NORETURN	   __attribute__((noreturn))
#elif defined(__TINYC__)
/* For it, glibc defines the word with underscores behind it as nothing. */
#define JIF_LINK_NAME(...) __asm__(__VA_ARGS__)
#define JIF_WEAK	   __attribute((weak))
#define JIF_NORETURN	   __attribute((noreturn))
#else
#define JIF_LINK_NAME(...)
#define JIF_NORETURN
#endif

/* JIF_AVR_HANDLER is for a function that the vector table of an AVR names. */
#if defined(__GNUC__)
#define JIF_AVR_HANDLER		__attribute__((signal, used))
#define JIF_NOINLINE		__attribute__((noinline))
#define JIF_MAYBE_UNUSED	__attribute__((unused))
#define JIF_ALWAYS_INLINE	inline __attribute__((always_inline))
#define JIF_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define JIF_NOINLINE
#define JIF_MAYBE_UNUSED
#define JIF_ALWAYS_INLINE inline
#define JIF_PRINTF(text, first)
#endif

/* The result says that a timer will not come; (void)!call() ignores that. */
#if defined(__cplusplus) && __cplusplus >= 201703L
#define JIF_MUST_CHECK [[nodiscard]]
#elif defined(__GNUC__)
#define JIF_MUST_CHECK __attribute__((warn_unused_result))
#else
#define JIF_MUST_CHECK
#endif

/* For a constant that would else take RAM: AVR whose flash is not mapped. */
#if defined(__AVR_HAVE_LPMX__) && __AVR_ARCH__ != 103
#define JIF_IN_FLASH __attribute__((section(".progmem.jif")))
#endif

#define JIF_PRAGMA(...) _Pragma(#__VA_ARGS__)

/* 1: compiled for speed, by a compiler that does unroll loops if asked to. */
#if defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__) &&                    \
	(defined(__clang__) || __GNUC__ >= 8)
#define JIF_UNROLLS   1
#define JIF_UNROLL(n) JIF_PRAGMA(GCC unroll n)
#else
#define JIF_UNROLLS 0
/* Else gcc may unroll short loops, even for size. */
#if (defined(__clang__) || __GNUC__ >= 8) && !defined(__TINYC__)
#define JIF_UNROLL(n) JIF_PRAGMA(GCC unroll 1)
#else
#define JIF_UNROLL(n)
#endif
#endif

/* In between, a declaration may hide another one, whatever -Wshadow says. */
#if defined(__GNUC__)
#define JIF_MAY_SHADOW                                                         \
	_Pragma("GCC diagnostic push")                                         \
		_Pragma("GCC diagnostic ignored \"-Wshadow\"")
#define JIF_END_MAY_SHADOW _Pragma("GCC diagnostic pop")
#else
#define JIF_MAY_SHADOW
#define JIF_END_MAY_SHADOW
#endif

/*
 * In between, no label is to be jumped to past a local that is initialised or
 * set there. No option makes C++ accept the first.
 */
#if defined(__clang__) && !defined(__TINYC__)
#define JIF_NO_LOCALS                                                          \
	JIF_PRAGMA(clang diagnostic push)                                      \
	JIF_PRAGMA(clang diagnostic error "-Wsometimes-uninitialized")         \
	JIF_PRAGMA(clang diagnostic error "-Wconditional-uninitialized")
#define JIF_END_NO_LOCALS JIF_PRAGMA(clang diagnostic pop)
#elif defined(__GNUC__)
#ifdef __cplusplus
#define JIF_NO_CROSSING
#else
#define JIF_NO_CROSSING JIF_PRAGMA(GCC diagnostic error "-Wjump-misses-init")
#endif
#define JIF_NO_LOCALS                                                          \
	JIF_PRAGMA(GCC diagnostic push)                                        \
	JIF_NO_CROSSING                                                        \
	JIF_PRAGMA(GCC diagnostic error "-Wmaybe-uninitialized")
#define JIF_END_NO_LOCALS JIF_PRAGMA(GCC diagnostic pop)
#else
#define JIF_NO_LOCALS
#define JIF_END_NO_LOCALS
#endif

/* JIF_CTZ() is the number of the lowest bit that is set; there is one. */
#if defined(__GNUC__)
#define JIF_HAS_CTZ 1
#define JIF_CTZ(word)                                                          \
	(sizeof(word) > sizeof(unsigned) ? __builtin_ctzll(word) :             \
					   __builtin_ctz((unsigned)(word)))
#define JIF_MEMCPY __builtin_memcpy
#else
#include <string.h>
#define JIF_HAS_CTZ   0
#define JIF_CTZ(word) ((void)(word), 0)
#define JIF_MEMCPY    memcpy
#endif

/*
 * Accesses that other contexts see, in the orders of C11. JIF_HAS_ATOMICS is 1
 * if other cores see them, too, and this one can read and write in one step.
 * Without it, JIF_LOAD() and JIF_STORE() are one access each; gcc and clang
 * keep the order. There, what clang has of its own would call a library.
 */
#define JIF_ACCESS(to) (*(volatile __typeof__(*(to)) *)(to))
#if defined(__GNUC__)
#if defined(__clang__) && __GCC_ATOMIC_INT_LOCK_FREE != 2
#define JIF_LOAD(from, order)                                                  \
	__extension__({                                                        \
		__typeof__(*(from)) jif_value_ = JIF_ACCESS(from);             \
		__atomic_thread_fence(__ATOMIC_##order);                       \
		jif_value_;                                                    \
	})
#define JIF_STORE(to, what, order)                                             \
	(__atomic_thread_fence(__ATOMIC_##order), JIF_ACCESS(to) = (what))
#else
#define JIF_LOAD(from, order)	   __atomic_load_n(from, __ATOMIC_##order)
#define JIF_STORE(to, what, order) __atomic_store_n(to, what, __ATOMIC_##order)
#endif
#define JIF_EXCHANGE(to, what, order)                                          \
	__atomic_exchange_n(to, what, __ATOMIC_##order)
#define JIF_FETCH_ADD(to, what, order)                                         \
	__atomic_fetch_add(to, what, __ATOMIC_##order)
#define JIF_COMPARE_EXCHANGE(to, old, what, order)                             \
	__atomic_compare_exchange_n(to, old, what, true, __ATOMIC_##order,     \
				    __ATOMIC_##order)
#define JIF_COMPILER_BARRIER() __asm__ volatile("" : : : "memory")
#if defined(__GCC_ATOMIC_INT_LOCK_FREE) && __GCC_ATOMIC_INT_LOCK_FREE != 2
#define JIF_HAS_ATOMICS 0
#else
#define JIF_HAS_ATOMICS 1
#endif
#elif defined(__TINYC__)
/* It keeps the order of the source. */
#define JIF_HAS_ATOMICS		   0
#define JIF_LOAD(from, order)	   JIF_ACCESS(from)
#define JIF_STORE(to, what, order) ((void)(JIF_ACCESS(to) = (what)))
#define JIF_COMPILER_BARRIER()	   ((void)0)
#else
#define JIF_HAS_ATOMICS	      0
#define JIF_LOAD(from, order) (JIF_COMPILER_BARRIER(), *(from))
#define JIF_STORE(to, what, order)                                             \
	((void)(*(to) = (what)), JIF_COMPILER_BARRIER())
#define JIF_COMPILER_BARRIER() atomic_signal_fence(memory_order_seq_cst)
#if !defined(__cplusplus) && !defined(__STDC_NO_ATOMICS__)
#include <stdatomic.h>
#endif
#endif

#endif
