/* SPDX-License-Identifier: MIT */
/*
 * test/model/explore/tasks.c - the model of few tasks
 */
#include "../tasks.c"
