/* SPDX-License-Identifier: MIT */
/* Without a C library, the compiler's own */
#pragma once

typedef void *jmp_buf[5];

#define setjmp(to)	   __builtin_setjmp(to)
#define longjmp(to, value) __builtin_longjmp(to, value)
