/* SPDX-License-Identifier: MIT */
/*
 * inttypes.h - what tools/sim needs of it
 */
#ifndef WEB_INTTYPES_H
#define WEB_INTTYPES_H

#include <stdint.h>

#define PRId64 "lld"
#define PRIu64 "llu"
#define PRIu32 "u"

#endif
