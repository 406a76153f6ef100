/* SPDX-License-Identifier: MIT */
/*
 * test/proof/stubs.h - what Frama-C does not know; comes before all sources
 *
 * Debug builds tell of misuse with a function of another type than the hook's,
 * which it takes for an error; what is looked at here is a release build.
 */
#ifndef JIF_TEST_PROOF_STUBS_H
#define JIF_TEST_PROOF_STUBS_H

#include <stdint.h>

/* Its own is a long, in which a product has 64 bits. */
#undef UINT32_C
#define UINT32_C(c) c##u

/* Its machine of 16 bits has far pointers, too, and so addresses of 32. */
#ifdef JIF_PROOF_AVR
#undef UINTPTR_MAX
#define UINTPTR_MAX 0xffff
#endif

#include "../../lib/bug.h"

#undef jif_refused
#undef jif_misused
#undef jif_reject_fn
#define jif_refused(what, object, fn)	     ((void)(what))
#define jif_misused(what, object, fn)	     ((void)(what))
#define jif_reject_fn(err, what, object, fn) (err)

/* A volatile object could have any value; here, no handler changes it. */
#define volatile

#define __atomic_load_n(from, order) (*(from))
#define __atomic_signal_fence(order) ((void)0)

#endif
