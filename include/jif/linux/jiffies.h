/* SPDX-License-Identifier: MIT */
/*
 * jif/linux/jiffies.h - time, by the names that the Linux kernel has for it
 *
 * Opt-in, see docs/linux.md. The names and results are those of the kernel's
 * <linux/jiffies.h>; what differs is said with each.
 */
#ifndef JIF_LINUX_JIFFIES_H
#define JIF_LINUX_JIFFIES_H

#include <jif/config.h>
#include <jif/jiffies.h>
#include <limits.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Stands behind a function that has the kernel's name in C: in an object file,
 * its name begins with jif_, as all names of the library do.
 */
#define JIF_LINUX(function) JIF_LINK_NAME("jif_linux_" #function)

/** HZ - ticks per second */
#undef HZ
#define HZ CONFIG_JIF_HZ

/** INITIAL_JIFFIES - what jiffies are at boot */
#define INITIAL_JIFFIES ((unsigned long)CONFIG_JIF_INITIAL_JIFFIES)

/** MAX_JIFFY_OFFSET - as many as "never" is: the kernel's infinite time-out */
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

/** TICK_NSEC - how many nanoseconds a tick lasts */
#define TICK_NSEC ((NSEC_PER_SEC + HZ / 2) / HZ)

/** TICK_USEC - how many microseconds a tick lasts */
#define TICK_USEC ((USEC_PER_SEC + HZ / 2) / HZ)

/** USER_HZ - how many of user space's clock ticks there are in a second */
#define USER_HZ 100

typedef int64_t time64_t;

/**
 * struct timespec64 - a time span, as in <linux/time64.h>
 * @tv_sec:	seconds
 * @tv_nsec:	and nanoseconds
 */
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
#if defined(__AVR__) || CONFIG_JIF_COMPARE || defined(JIF_PORT)
#define jiffies ((unsigned long)jif_now())
#else
#define jiffies jif_jiffies
#endif

/**
 * time_after - is @a later than @b?
 * @a:	absolute, in jiffies
 * @b:	absolute, in jiffies
 *
 * Right across the wrap while the two are less than half of it apart. A type
 * narrower than unsigned long, at which the kernel's macro warns, is converted.
 *
 * Context: any.
 * Return: true if @a is later than @b.
 */
static inline bool time_after(unsigned long a, unsigned long b)
{
	return b - a > LONG_MAX;
}

/** time_before - is @a sooner than @b? See time_after(). */
static inline bool time_before(unsigned long a, unsigned long b)
{
	return time_after(b, a);
}

/** time_after_eq - is @a @b, or later? See time_after(). */
static inline bool time_after_eq(unsigned long a, unsigned long b)
{
	return !time_after(b, a);
}

/** time_before_eq - is @a @b, or sooner? See time_after(). */
static inline bool time_before_eq(unsigned long a, unsigned long b)
{
	return !time_after(a, b);
}

/** time_in_range - is @a @b or later, and @c or sooner? See time_after(). */
static inline bool time_in_range(unsigned long a, unsigned long b,
				 unsigned long c)
{
	return time_after_eq(a, b) && time_before_eq(a, c);
}

/** time_in_range_open - as time_in_range(), but @a is not @c */
static inline bool time_in_range_open(unsigned long a, unsigned long b,
				      unsigned long c)
{
	return time_after_eq(a, b) && time_before(a, c);
}

/** time_is_before_jiffies - has the tick @a passed before this one? */
#define time_is_before_jiffies(a) time_after(jiffies, a)

/** time_is_after_jiffies - is the tick @a still to come? */
#define time_is_after_jiffies(a) time_before(jiffies, a)

/** time_is_before_eq_jiffies - is @a this tick or one that has passed? */
#define time_is_before_eq_jiffies(a) time_after_eq(jiffies, a)

/** time_is_after_eq_jiffies - is @a this tick or one to come? */
#define time_is_after_eq_jiffies(a) time_before_eq(jiffies, a)

/** time_after64 - as time_after(), of 64 bits */
static inline bool time_after64(uint64_t a, uint64_t b)
{
	return b - a > INT64_MAX;
}

/** time_before64 - as time_before(), of 64 bits */
static inline bool time_before64(uint64_t a, uint64_t b)
{
	return time_after64(b, a);
}

/** time_after_eq64 - as time_after_eq(), of 64 bits */
static inline bool time_after_eq64(uint64_t a, uint64_t b)
{
	return !time_after64(b, a);
}

/** time_before_eq64 - as time_before_eq(), of 64 bits */
static inline bool time_before_eq64(uint64_t a, uint64_t b)
{
	return !time_after64(a, b);
}

/**
 * get_jiffies_64 - the jiffies that have passed, in 64 bits
 *
 * Context: any. Where unsigned long has 32 bits, at least once in 2^32 ticks.
 * Return: the counter, in jiffies.
 */
uint64_t get_jiffies_64(void) JIF_LINUX(get_jiffies_64);

/** time_in_range64 - as time_in_range(), of 64 bits */
static inline bool time_in_range64(uint64_t a, uint64_t b, uint64_t c)
{
	return time_after_eq64(a, b) && time_before_eq64(a, c);
}

/* As those of unsigned long, of 64 bits. */
#define time_is_before_jiffies64(a)    time_after64(get_jiffies_64(), a)
#define time_is_after_jiffies64(a)     time_before64(get_jiffies_64(), a)
#define time_is_before_eq_jiffies64(a) time_after_eq64(get_jiffies_64(), a)
#define time_is_after_eq_jiffies64(a)  time_before_eq64(get_jiffies_64(), a)

/**
 * msecs_to_jiffies - how many jiffies last at least @m milliseconds
 * @m:	a time span, in milliseconds
 *
 * Context: any.
 * Return: jiffies, rounded up; MAX_JIFFY_OFFSET if @m is negative as a signed
 * number, or they do not fit.
 */
unsigned long msecs_to_jiffies(uint32_t m) JIF_LINUX(msecs_to_jiffies);

/** secs_to_jiffies - how many jiffies last @s seconds, also of constants */
#define secs_to_jiffies(s) ((unsigned long)(s)*HZ)

/**
 * usecs_to_jiffies - how many jiffies last at least @u microseconds
 * @u:	a time span, in microseconds
 *
 * Context: any.
 * Return: jiffies, rounded up.
 */
static inline unsigned long usecs_to_jiffies(uint32_t u)
{
	return (unsigned long)(((uint64_t)u * HZ + 999999) / 1000000);
}

/**
 * nsecs_to_jiffies64 - how many whole jiffies there are in @n nanoseconds
 * @n:	a time span, in nanoseconds
 *
 * Context: any.
 * Return: jiffies, rounded down, as the kernel does it.
 */
static inline uint64_t nsecs_to_jiffies64(uint64_t n)
{
	return n / 1000000000 * HZ + n % 1000000000 * HZ / 1000000000;
}

/** nsecs_to_jiffies - the same, as wide as jiffies */
static inline unsigned long nsecs_to_jiffies(uint64_t n)
{
	return (unsigned long)nsecs_to_jiffies64(n);
}

/**
 * timespec64_to_jiffies - how many jiffies last at least as long
 * @value:	a time span; tv_nsec is less than a second
 *
 * Context: any.
 * Return: jiffies, rounded up; all that are no more than MAX_JIFFY_OFFSET and
 * full seconds if @value is negative or more.
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

/** jiffies_to_timespec64 - how long @count jiffies last, rounded down */
static inline void jiffies_to_timespec64(unsigned long count,
					 struct timespec64 *value)
{
	uint32_t ticks = (uint32_t)(count % HZ);

	value->tv_sec = (time64_t)(count / HZ);
	value->tv_nsec = (long)ticks * TICK_NSEC;
	if (NSEC_PER_SEC % HZ)
		value->tv_nsec = (long)((uint64_t)ticks * 1000000000 / HZ);
}

/* count * per_sec / HZ, rounded down, as the kernel does it. */
static inline uint64_t jif_linux_convert(uint64_t count, uint32_t per_sec)
{
	return count / HZ * per_sec + count % HZ * per_sec / HZ;
}

/**
 * jiffies_to_msecs - how many milliseconds @j jiffies last
 * @j:	a time span, in jiffies
 *
 * Context: any.
 * Return: milliseconds, rounded up; the lowest 32 bits of them.
 */
static inline uint32_t jiffies_to_msecs(unsigned long j)
{
	uint64_t count = j;

	return (uint32_t)(count / HZ * 1000 +
			  (count % HZ * 1000 + HZ - 1) / HZ);
}

/** jiffies_to_usecs - the same in microseconds, but rounded down */
static inline uint32_t jiffies_to_usecs(unsigned long j)
{
	return (uint32_t)jif_linux_convert(j, 1000000);
}

/** jiffies_to_nsecs - as jiffies_to_usecs(), in nanoseconds and 64 bits */
static inline uint64_t jiffies_to_nsecs(unsigned long j)
{
	return (uint64_t)jiffies_to_usecs(j) * 1000;
}

/** jiffies64_to_msecs - the same of 64 bits, but rounded down */
static inline uint64_t jiffies64_to_msecs(uint64_t j)
{
	return jif_linux_convert(j, 1000);
}

/** jiffies64_to_nsecs - as jiffies64_to_msecs(), in nanoseconds */
static inline uint64_t jiffies64_to_nsecs(uint64_t j)
{
	return jif_linux_convert(j, 1000000000);
}

/** jiffies_delta_to_msecs - as jiffies_to_msecs(); 0 if @delta is negative */
static inline uint32_t jiffies_delta_to_msecs(long delta)
{
	return delta > 0 ? jiffies_to_msecs((unsigned long)delta) : 0;
}

/** jiffies_64_to_clock_t - @j jiffies in 1/100 s, as user space sees them */
static inline uint64_t jiffies_64_to_clock_t(uint64_t j)
{
	return jif_linux_convert(j, USER_HZ);
}

/** jiffies_to_clock_t - as jiffies_64_to_clock_t() */
static inline long jiffies_to_clock_t(unsigned long j)
{
	return (long)jiffies_64_to_clock_t(j);
}

/** jiffies_delta_to_clock_t - the same; 0 if @delta is negative */
static inline long jiffies_delta_to_clock_t(long delta)
{
	return delta > 0 ? jiffies_to_clock_t((unsigned long)delta) : 0;
}

/** nsec_to_clock_t - @n nanoseconds in 1/100 s, rounded down */
static inline uint64_t nsec_to_clock_t(uint64_t n)
{
	return n / (1000000000 / USER_HZ);
}

/**
 * clock_t_to_jiffies - the jiffies of @x times 1/100 s
 * @x:	a time span, in 1/100 s
 *
 * Context: any.
 * Return: jiffies, rounded down; ULONG_MAX if they do not fit.
 */
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

/**
 * round_jiffies - a time at about a full second, for timers that need no more
 * @j:	absolute, in jiffies
 *
 * Timers that are rounded so come together, and wake the machine up once. In
 * the first quarter of a second it is rounded down, else up.
 *
 * Context: any.
 * Return: absolute; @j itself if the full second has passed already.
 */
static inline unsigned long round_jiffies(unsigned long j)
{
	return jif_linux_round(j, 0, 0, false);
}

/** round_jiffies_relative - as round_jiffies(), of a delay from now on */
static inline unsigned long round_jiffies_relative(unsigned long j)
{
	return jif_linux_round(j, jiffies, 0, false);
}

/** round_jiffies_up - as round_jiffies(), but never down */
static inline unsigned long round_jiffies_up(unsigned long j)
{
	return jif_linux_round(j, 0, 0, true);
}

/** round_jiffies_up_relative - as round_jiffies_up(), of a delay from now on */
static inline unsigned long round_jiffies_up_relative(unsigned long j)
{
	return jif_linux_round(j, jiffies, 0, true);
}

/** __round_jiffies - as round_jiffies(), for the processor @cpu */
static inline unsigned long __round_jiffies(unsigned long j, int cpu)
{
	return jif_linux_round(j, 0, cpu, false);
}

/** __round_jiffies_relative - as round_jiffies_relative(), for @cpu */
static inline unsigned long __round_jiffies_relative(unsigned long j, int cpu)
{
	return jif_linux_round(j, jiffies, cpu, false);
}

/** __round_jiffies_up - as round_jiffies_up(), for @cpu */
static inline unsigned long __round_jiffies_up(unsigned long j, int cpu)
{
	return jif_linux_round(j, 0, cpu, true);
}

/** __round_jiffies_up_relative - as round_jiffies_up_relative(), for @cpu */
static inline unsigned long __round_jiffies_up_relative(unsigned long j,
							int cpu)
{
	return jif_linux_round(j, jiffies, cpu, true);
}

#ifdef __cplusplus
}
#endif

#endif
