/* SPDX-License-Identifier: MIT */
/* Where there is no C library */
#pragma once

#include <stddef.h>

void *malloc(size_t size);
void free(void *block);
