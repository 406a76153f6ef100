/* SPDX-License-Identifier: MIT */
/*
 * test/tools/findings/riscv.h - a bare program on QEMU, see lib.sh: it has
 * test(), which prints by say()
 */
#define REG(address) (*(volatile unsigned *)(address))

#define SYS_WRITE0   0x04
#define SYS_EXIT     0x18
#define EXIT_IS_OK   ((const void *)0x20026)

void test(void);

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

static void say(const char *what, unsigned value)
{
	char digits[13];
	char *digit = digits + sizeof(digits);

	*--digit = '\0';
	*--digit = '\n';
	do
		*--digit = (char)('0' + value % 10);
	while (value /= 10);
	*--digit = ' ';
	host(SYS_WRITE0, what);
	host(SYS_WRITE0, digit);
}

/* At least so long: a round is three instructions. */
static inline void wait_us(unsigned us)
{
	for (us = us / 3 + 1; us; us--)
		asm volatile("nop");
}

void begin(void)
{
	test();
	host(SYS_EXIT, EXIT_IS_OK);
}

asm(".pushsection .boot, \"ax\"\n"
    ".globl _start\n"
    "_start: la sp, stack\n"
    "j begin\n"
    ".popsection");
