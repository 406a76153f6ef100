/* SPDX-License-Identifier: MIT */
/*
 * test/tools/findings/arm.h - a bare program on QEMU, see lib.sh: it has
 * test(), which prints by say()
 */
#ifdef __thumb__
#define SEMIHOSTING "bkpt 0xab"
#else
#define SEMIHOSTING "svc 0x123456"
#endif

static void host(unsigned call, const void *with)
{
	register unsigned r0 asm("r0") = call;
	register const void *r1 asm("r1") = with;

	asm volatile(SEMIHOSTING : "+r"(r0) : "r"(r1) : "memory", "lr");
}

#include "semihosting.h"

asm(".pushsection .boot, \"ax\"\n"
    ".globl _start\n"
#ifdef __thumb__
    ".word stack, _start + 1\n"
    ".thumb_func\n"
#endif
    "_start: ldr r0, =stack\n"
    "mov sp, r0\n"
    "bl begin\n"
    ".ltorg\n"
    ".popsection");
