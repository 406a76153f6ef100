/* SPDX-License-Identifier: MIT */
/*
 * test/tools/findings/arm.h - a bare program on QEMU, see lib.sh: it has
 * test(), which prints by say()
 */
#define REG(address) (*(volatile unsigned *)(address))

#ifdef __thumb__
#define SEMIHOSTING "bkpt 0xab"
#else
#define SEMIHOSTING "svc 0x123456"
#endif
#define SYS_WRITE0 0x04u
#define SYS_EXIT   0x18u
#define EXIT_IS_OK ((const void *)0x20026)

void test(void);

static void host(unsigned call, const void *with)
{
	register unsigned r0 asm("r0") = call;
	register const void *r1 asm("r1") = with;

	asm volatile(SEMIHOSTING : "+r"(r0) : "r"(r1) : "memory", "lr");
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
#ifdef __thumb__
    ".word stack, _start + 1\n"
    ".thumb_func\n"
#endif
    "_start: ldr r0, =stack\n"
    "mov sp, r0\n"
    "bl begin\n"
    ".ltorg\n"
    ".popsection");
