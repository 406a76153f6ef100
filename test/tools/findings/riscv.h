/* SPDX-License-Identifier: MIT */
/*
 * test/tools/findings/riscv.h - a bare program on QEMU, see lib.sh: it has
 * test(), which prints by say()
 */
static void host(int call, const void *with)
{
	register int a0 asm("a0") = call;
	register const void *a1 asm("a1") = with;

	/* The three are known by their encoding, and lie in one page. */
	asm volatile(".option push\n"
		     ".option norvc\n"
		     ".balign 16\n"
		     "slli zero, zero, 0x1f\n"
		     "ebreak\n"
		     "srai zero, zero, 7\n"
		     ".option pop"
		     : "+r"(a0)
		     : "r"(a1)
		     : "memory");
}

#include "semihosting.h"

asm(".pushsection .boot, \"ax\"\n"
    ".globl _start\n"
    "_start: la sp, stack\n"
    "j begin\n"
    ".popsection");
