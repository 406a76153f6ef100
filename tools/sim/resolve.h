/* SPDX-License-Identifier: MIT */
/*
 * resolve.h - from what is written to what it means
 */
#ifndef JIFSIM_RESOLVE_H
#define JIFSIM_RESOLVE_H

#include "scenario.h"

/*
 * Turns all times and spans of a scenario that has been parsed into ticks,
 * reads the traces that it imports, and checks what can be checked before the
 * run. Errors have been reported when it returns something else than
 * STATUS_OK; the scenario must not be run then.
 */
enum status resolve_scenario(struct scenario *scenario);

#endif
