/* SPDX-License-Identifier: MIT */
/*
 * lib/host/probe.h - where perf, bpftrace or gdb may look into a service
 *
 * A probe is an instruction that does nothing, and a note in the file that says
 * where it is and where its values are.
 */
#ifndef JIF_LIB_HOST_PROBE_H
#define JIF_LIB_HOST_PROBE_H

#include <jif/config.h>

#if CONFIG_JIF_USDT
#include <sys/sdt.h>
#else
#define DTRACE_PROBE2(provider, name, a, b)    ((void)0)
#define DTRACE_PROBE3(provider, name, a, b, c) ((void)0)
#endif

/* A callback begins, so late. Of a key, @job is NULL, and @number its own. */
#define PROBE_BEGIN(job, number, late_ns)                                      \
	DTRACE_PROBE3(jif, begin, job, number, late_ns)

/* It has returned @err. */
#define PROBE_END(job, number, err) DTRACE_PROBE3(jif, end, job, number, err)

/* The workers' queue has no room for it. */
#define PROBE_REFUSED(job, number) DTRACE_PROBE2(jif, refused, job, number)

#endif
