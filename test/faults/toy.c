/* SPDX-License-Identifier: MIT */
/* A program and its test, to plant mistakes in */
#include <stdio.h>
#include <stdlib.h>

/* As in lib/bug.h: the second line defines it, and is no use of it. */
#define JIF_BUG(cond, why) ((cond) ? (void)(puts(why), abort()) : (void)0)
#define JIF_BUG_ON(cond)   JIF_BUG(cond, #cond)

static const int numbers[] = { 3, 1, 4, 1, 5 };

/* The first number that is the largest one. */
static int largest(const int *number, int count)
{
	int best = 0;

	for (int i = 0; i < count; i++)
		if (number[i] > number[best])
			best = i;
	return number[best];
}

/* How often one of them is there; those that are not are no concern of it. */
static int occurrences(const int *number, int count, int wanted)
{
	int found = 0;

	JIF_BUG_ON(count < 5);
	while (count) {
		count--;
		if (number[count] == wanted)
			found++;
		else
			found += 0;
	}
	return found;
}

int main(void)
{
	int most = largest(numbers, 5);
	int ones = occurrences(numbers, 5, 1);

	if (most == 5 && ones == 2)
		return 0;
	printf("expected 5 and 2, got %d and %d\n", most, ones);
	return 1;
}
