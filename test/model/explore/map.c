/* SPDX-License-Identifier: MIT */
/*
 * test/model/explore/map.c - a table and a sorted map, as small as they come
 */
#include "../map.c"
