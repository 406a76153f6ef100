/* SPDX-License-Identifier: MIT */
/* Choices, and the ways in which a step ends */
#define _XOPEN_SOURCE 700 /* sigaction(), setitimer() */

#include "tape.h"

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

#define TAPE_MAX 512

/**
 * struct tape - the choices of a step
 * @choice:	what was chosen
 * @end:	below which number
 * @length:	how many choices are recorded
 * @at:		how many have been asked for
 * @out:	leaves the step
 * @is_set:	a step is under way
 * @steps:	how many there have been
 * @aloud:	the step is printed
 */
static struct {
	uint16_t choice[TAPE_MAX];
	uint16_t end[TAPE_MAX];
	unsigned length;
	unsigned at;
	sigjmp_buf out;
	volatile sig_atomic_t is_set;
	volatile sig_atomic_t steps;
	bool aloud;
} tape;

enum outcome tape_play(void (*step)(void))
{
	int left;

	tape.at = 0;
	tape.steps++;
	left = sigsetjmp(tape.out, 0);
	if (left)
		return (enum outcome)left;
	tape.is_set = true;
	step();
	tape.is_set = false;
	return DONE;
}

static _Noreturn void leave(enum outcome how)
{
	tape.is_set = false;
	siglongjmp(tape.out, (int)how);
}

void tape_rewind(void)
{
	tape.length = 0;
}

bool tape_next(void)
{
	while (tape.length &&
	       tape.choice[tape.length - 1] + 1 == tape.end[tape.length - 1])
		tape.length--;
	if (tape.length)
		tape.choice[tape.length - 1]++;
	return tape.length;
}

void tape_tell(bool aloud)
{
	tape.aloud = aloud;
}

bool tape_is_told(void)
{
	return tape.aloud;
}

uint32_t choose(uint32_t end)
{
	if (tape.at == tape.length) {
		must(tape.length < TAPE_MAX, "the step ends");
		tape.choice[tape.length] = 0;
		tape.end[tape.length++] = (uint16_t)end;
	}
	return tape.choice[tape.at++];
}

bool is_fresh(void)
{
	return tape.at == tape.length;
}

void skip(void)
{
	leave(NONE);
}

void same(const char *what, uint32_t want, uint32_t got)
{
	if (want == got)
		return;
	if (tape.aloud)
		printf("\n%s\n\texpected: %ld\n\tengine:   %ld\n", what,
		       (long)(int32_t)want, (long)(int32_t)got);
	leave(WRONG);
}

void must(bool right, const char *what)
{
	same(what, true, right);
}

static void caught(int number)
{
	static sig_atomic_t steps = -1;

	if (number == SIGVTALRM && steps != tape.steps) {
		steps = tape.steps;
		return;
	}
	if (tape.is_set) {
		if (tape.aloud)
			printf("\nthe engine %s (signal %d)\n",
			       number == SIGVTALRM ? "is busy for ever" :
						     "crashes",
			       number);
		leave(WRONG);
	}
	signal(number, SIG_DFL);
	raise(number);
}

/* Of processor time; a step takes a millionth of it. */
void tape_guard(void)
{
	static const int numbers[] = { SIGSEGV, SIGBUS,	 SIGFPE,
				       SIGILL,	SIGABRT, SIGVTALRM };
	struct itimerval while_busy = { { 5, 0 }, { 5, 0 } };
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_handler = caught;
	action.sa_flags = SA_NODEFER | SA_RESTART;
	for (unsigned i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		sigaction(numbers[i], &action, NULL);
	setitimer(ITIMER_VIRTUAL, &while_busy, NULL);
}
