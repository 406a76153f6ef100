/* SPDX-License-Identifier: MIT */
/*
 * What a compiler may find out: without an interrupt, memory stays as it is
 * during a search.
 */
#pragma once

#include <jif/wheel.h>

#pragma GCC diagnostic ignored "-Wredundant-decls"
uint32_t jif_ticks_to_stop(const struct jif_wheel *wheel) __attribute__((pure));
