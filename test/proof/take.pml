/* SPDX-License-Identifier: MIT */
/*
 * test/proof/take.pml - each arming ends once: it is called, or it was deleted
 *
 * A run of the wheel takes a timer off with interrupts off, lets them in, and
 * calls it. An interrupt arms or deletes at any instruction in between. What
 * del returned true for is never called; what it returned false for has been
 * called or is under way. APART looks at the list, lets interrupts in, and then
 * takes.
 */
bool pending = false, under_way = false;
byte off = 0;
byte armed = 0, called = 0, deleted = 0, looked = 0;

inline arm() {
	if
	:: !pending -> pending = true; armed++
	:: else
	fi
}

inline del() {
	if
	:: pending -> pending = false; deleted++
	:: else
	fi
}

active proctype interrupt() {
	do
	:: atomic { off == 0 && armed < 4 -> arm() }
	:: atomic { off == 0 -> del() }
	:: armed == 4 -> break
	od
}

active proctype main_loop() {
	do
	:: off++;
		if
		:: pending ->
#ifdef APART
			off--;
			off++;
#endif
			pending = false;
			under_way = true;
			off--;
			/* the window between taking and calling */
			under_way = false;
			called++
		:: else -> off--
		fi;
		assert(armed == called + deleted + pending + under_way || off)
	:: atomic { armed == 4 && !pending -> break }
	od;
	assert(armed == called + deleted)
}
