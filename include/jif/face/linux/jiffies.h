/* SPDX-License-Identifier: MIT */
/*
 * jif/face/linux/jiffies.h - time, by the names of the Linux kernel
 *
 * Names and results are those of the kernel's <linux/jiffies.h>; what differs,
 * and which way is rounded, is said with each. Context: any.
 */
#ifndef JIF_LINUX_JIFFIES_H
#define JIF_LINUX_JIFFIES_H

#include <jif/jiffies.h>
#include <limits.h>

JIF_BEGIN_DECLS

/*
 * Stands behind a function that has the kernel's name in C: in an object file,
 * its name begins with jif_, as all names of the library do.
 */
#define JIF_LINUX(function) JIF_LINK_NAME("jif_linux_" #function)

/** HZ - ticks per second */
#undef HZ
#define HZ		 CONFIG_JIF_HZ

#define INITIAL_JIFFIES	 ((unsigned long)CONFIG_JIF_INITIAL_JIFFIES)
#define MAX_JIFFY_OFFSET ((LONG_MAX >> 1) - 1)

#ifndef MSEC_PER_SEC
#define MSEC_PER_SEC 1000L
#endif
#ifndef USEC_PER_SEC
#define USEC_PER_SEC 1000000L
#endif
#ifndef NSEC_PER_SEC
#define NSEC_PER_SEC 1000000000L
#endif

#define TICK_NSEC ((NSEC_PER_SEC + HZ / 2) / HZ)
#define TICK_USEC ((USEC_PER_SEC + HZ / 2) / HZ)

/* Clock ticks of user space in a second. */
#define USER_HZ 100

typedef int64_t time64_t;

/* A time span, as in <linux/time64.h>. */
struct timespec64 {
	time64_t tv_sec;
	long tv_nsec;
};

/**
 * jiffies - the jiffies that have passed, as wide as unsigned long
 *
 * The library's counter itself; members and parameters may have that name, too.
 * Where that would be torn or stale, on AVR, with CONFIG_JIF_COMPARE and under
 * a kernel, it is a call, and no member or parameter may.
 */
#if !defined(__AVR__) && !CONFIG_JIF_COMPARE && !defined(JIF_PORT)
#define jiffies jif_jiffies
#elif ULONG_MAX > UINT32_MAX
#define jiffies ((unsigned long)jif_now64())
#else
#define jiffies ((unsigned long)jif_now())
#endif

/*
 * Is @a later than @b, sooner, ...? Right across the wrap while the two are not
 * half of it apart. A narrower type is converted, where the kernel's warn.
 */
#define JIF_LINUX_COMPARES(bits, type, half)                                   \
	static inline bool time_after##bits(type a, type b)                    \
	{                                                                      \
		return b - a > (half);                                         \
	}                                                                      \
	static inline bool time_before##bits(type a, type b)                   \
	{                                                                      \
		return a - b > (half);                                         \
	}                                                                      \
	static inline bool time_after_eq##bits(type a, type b)                 \
	{                                                                      \
		return a - b <= (half);                                        \
	}                                                                      \
	static inline bool time_before_eq##bits(type a, type b)                \
	{                                                                      \
		return b - a <= (half);                                        \
	}                                                                      \
	static inline bool time_in_range##bits(type a, type b, type c)         \
	{                                                                      \
		return a - b <= (half) && c - a <= (half);                     \
	}

JIF_LINUX_COMPARES(, unsigned long, LONG_MAX)
JIF_LINUX_COMPARES(64, uint64_t, INT64_MAX)

/* As time_in_range(), but @a is not @c. */
static inline bool time_in_range_open(unsigned long a, unsigned long b,
				      unsigned long c)
{
	return time_after_eq(a, b) && time_before(a, c);
}

/* At least once in 2^32 ticks, where unsigned long has 32 bits. */
uint64_t get_jiffies_64(void) JIF_LINUX(get_jiffies_64);

#define time_is_before_jiffies(a)      time_after(jiffies, a)
#define time_is_after_jiffies(a)       time_before(jiffies, a)
#define time_is_before_eq_jiffies(a)   time_after_eq(jiffies, a)
#define time_is_after_eq_jiffies(a)    time_before_eq(jiffies, a)
#define time_is_before_jiffies64(a)    time_after64(get_jiffies_64(), a)
#define time_is_after_jiffies64(a)     time_before64(get_jiffies_64(), a)
#define time_is_before_eq_jiffies64(a) time_after_eq64(get_jiffies_64(), a)
#define time_is_after_eq_jiffies64(a)  time_before_eq64(get_jiffies_64(), a)

/* Rounded up; MAX_JIFFY_OFFSET if @m is over INT32_MAX, or they do not fit. */
unsigned long msecs_to_jiffies(uint32_t m) JIF_LINUX(msecs_to_jiffies);

/* Also of constants. */
#define secs_to_jiffies(s) ((unsigned long)(s)*HZ)

/* Rounded up. */
static inline unsigned long usecs_to_jiffies(uint32_t u)
{
	return (unsigned long)(((uint64_t)u * HZ + 999999) / 1000000);
}

/* Rounded down, as the kernel does it. */
static inline uint64_t nsecs_to_jiffies64(uint64_t n)
{
	return n / 1000000000 * HZ + n % 1000000000 * HZ / 1000000000;
}

static inline unsigned long nsecs_to_jiffies(uint64_t n)
{
	return (unsigned long)nsecs_to_jiffies64(n);
}

/*
 * Rounded up; tv_nsec is less than a second. All that are no more than
 * MAX_JIFFY_OFFSET and full seconds if @value is negative or more.
 */
static inline unsigned long
timespec64_to_jiffies(const struct timespec64 *value)
{
	uint32_t nsec = (uint32_t)value->tv_nsec;
	uint32_t ticks = (nsec + (uint32_t)TICK_NSEC - 1) / (uint32_t)TICK_NSEC;

	if ((uint64_t)value->tv_sec >= MAX_JIFFY_OFFSET / HZ)
		return MAX_JIFFY_OFFSET / HZ * HZ;
	if (NSEC_PER_SEC % HZ)
		ticks = (uint32_t)(((uint64_t)nsec * HZ + 999999999) /
				   1000000000);
	return (unsigned long)value->tv_sec * HZ + ticks;
}

/* Rounded down. */
static inline void jiffies_to_timespec64(unsigned long count,
					 struct timespec64 *value)
{
	uint32_t ticks = (uint32_t)(count % HZ);

	value->tv_sec = (time64_t)(count / HZ);
	value->tv_nsec = (long)ticks * TICK_NSEC;
	if (NSEC_PER_SEC % HZ)
		value->tv_nsec = (long)((uint64_t)ticks * 1000000000 / HZ);
}

/* @count * @per_sec / HZ, rounded down, as the kernel does it. */
static inline uint64_t jif_linux_convert(uint64_t count, uint32_t per_sec)
{
	return count / HZ * per_sec + count % HZ * per_sec / HZ;
}

/* Rounded up; the lowest 32 bits. All others are rounded down. */
static inline uint32_t jiffies_to_msecs(unsigned long j)
{
	uint64_t count = j;

	return (uint32_t)(count / HZ * 1000 +
			  (count % HZ * 1000 + HZ - 1) / HZ);
}

static inline uint32_t jiffies_to_usecs(unsigned long j)
{
	return (uint32_t)jif_linux_convert(j, 1000000);
}

static inline uint64_t jiffies_to_nsecs(unsigned long j)
{
	return (uint64_t)jiffies_to_usecs(j) * 1000;
}

static inline uint64_t jiffies64_to_msecs(uint64_t j)
{
	return jif_linux_convert(j, 1000);
}

static inline uint64_t jiffies64_to_nsecs(uint64_t j)
{
	return jif_linux_convert(j, 1000000000);
}

/* 0 if @delta is negative. */
static inline uint32_t jiffies_delta_to_msecs(long delta)
{
	return delta > 0 ? jiffies_to_msecs((unsigned long)delta) : 0;
}

static inline uint64_t jiffies_64_to_clock_t(uint64_t j)
{
	return jif_linux_convert(j, USER_HZ);
}

static inline long jiffies_to_clock_t(unsigned long j)
{
	return (long)jiffies_64_to_clock_t(j);
}

/* 0 if @delta is negative. */
static inline long jiffies_delta_to_clock_t(long delta)
{
	return delta > 0 ? jiffies_to_clock_t((unsigned long)delta) : 0;
}

static inline uint64_t nsec_to_clock_t(uint64_t n)
{
	return n / (1000000000 / USER_HZ);
}

/* Rounded down; ULONG_MAX if they do not fit. */
static inline unsigned long clock_t_to_jiffies(unsigned long x)
{
	if (HZ > USER_HZ && x >= ULONG_MAX / HZ * USER_HZ)
		return ULONG_MAX;
	return (unsigned long)((uint64_t)x / USER_HZ * HZ +
			       (uint64_t)x % USER_HZ * HZ / USER_HZ);
}

/*
 * The full second next to @j jiffies after @base, or with @up never before it,
 * counted from @base again. The processor @cpu is three jiffies off the others.
 */
unsigned long jif_linux_round(unsigned long j, unsigned long base, int cpu,
			      bool up);

/*
 * A time at about a full second, so that timers which need no more come
 * together. In the first quarter of a second, but by those with _up, it is
 * rounded down, else up; @j stays if the full second has passed already. Those
 * with _relative round a delay from now on.
 */
#define JIF_LINUX_ROUNDS(name, base, up)                                       \
	static inline unsigned long __##name(unsigned long j, int cpu)         \
	{                                                                      \
		return jif_linux_round(j, base, cpu, up);                      \
	}                                                                      \
	static inline unsigned long name(unsigned long j)                      \
	{                                                                      \
		return jif_linux_round(j, base, 0, up);                        \
	}

JIF_LINUX_ROUNDS(round_jiffies, 0, false)
JIF_LINUX_ROUNDS(round_jiffies_up, 0, true)
JIF_LINUX_ROUNDS(round_jiffies_relative, jiffies, false)
JIF_LINUX_ROUNDS(round_jiffies_up_relative, jiffies, true)

JIF_END_DECLS

#endif
