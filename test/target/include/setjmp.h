/* SPDX-License-Identifier: MIT */
/*
 * test/target/include/setjmp.h - without a C library, the compiler's own
 */
#ifndef TARGET_SETJMP_H
#define TARGET_SETJMP_H

typedef void *jmp_buf[5];

#define setjmp(to)	   __builtin_setjmp(to)
#define longjmp(to, value) __builtin_longjmp(to, value)

#endif
