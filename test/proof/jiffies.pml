/* SPDX-License-Identifier: MIT */
/*
 * test/proof/jiffies.pml - a counter that two accesses read is not torn
 *
 * jif_tick() in an interrupt, jif_now() in the main loop, where a word is two
 * digits of base 4. In one instruction each, a digit is loaded or stored; an
 * interrupt comes between any two, unless they are off. TORN leaves them on.
 */
byte low = 2, high = 0;		/* shortly before the carry */
byte off = 0, ticks = 0;

inline tick() {
	low = low + 1;
	if
	:: low == 4 -> low = 0; high = (high + 1) % 4
	:: else
	fi;
	ticks++
}

active proctype interrupt() {
	do
	:: atomic { off == 0 && ticks < 20 -> tick() }
	:: atomic { ticks == 20 -> break }
	od
}

active proctype main_loop() {
	byte before, first, second;

	do
	:: ticks < 20 ->
		before = ticks;
#ifndef TORN
		off++;
#endif
		first = low;
		second = high;
#ifndef TORN
		off--;
#endif
		/* A count that the counter showed since the call. */
		assert((second * 4 + first + 16 - (before + 2) % 16) % 16 <=
			ticks - before)
	:: else -> break
	od
}
