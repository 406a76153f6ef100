/* SPDX-License-Identifier: MIT */
/* A table and a sorted map, as small as they come */
#include "../../../firmware/model/map.c"
