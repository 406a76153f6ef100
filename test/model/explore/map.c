/* SPDX-License-Identifier: MIT */
/* A table and a sorted map, as small as they come */
#include "../map.c"
