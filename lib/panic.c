/* SPDX-License-Identifier: MIT */
/* lib/panic.c - jif_warn, and jif_panic() where no port or product has it */
#include "panic.h"

jif_warn_fn *jif_warn = JIF_WARN_DEFAULT;
