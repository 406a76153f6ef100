/* SPDX-License-Identifier: MIT */
/*
 * test/proof/sleep.pml - no sleep is longer than until the first expiry
 *
 * jif_wheel_sleep() against an interrupt that ticks, and one that arms. The
 * search sets quiet and lets interrupts in; any arming clears it; the look and
 * the sleep are one step with interrupts off. A sleep with interrupts off ends
 * when one comes, which runs when they are on again. BLIND does not look.
 */
#define NONE 15

byte now = 0, expiry = NONE, off = 0, armings = 0;
bool quiet = false, asleep = false, woken = false;
byte until = NONE;

active proctype interrupt() {
	do
	:: atomic { now < 10 && (off == 0 || asleep) ->
		now++;
		if
		:: asleep && now >= until -> woken = true
		:: else
		fi }
	:: atomic { off == 0 && armings < 2 && now < 8 ->
		/* in one to four ticks, or later than what there is */
		armings++;
		quiet = false;
		if
		:: expiry > now + 1 -> expiry = now + 1
		:: expiry > now + 3 -> expiry = now + 3
		:: skip
		fi }
	:: atomic { asleep && !woken && armings < 2 ->
		/* waits, and ends the sleep */
		woken = true }
	:: now == 10 -> break
	od
}

active proctype main_loop() {
	do
	:: now < 10 ->
		/* the run of the wheel: what is due expires */
		atomic { expiry <= now -> expiry = NONE } unless { expiry > now };
		/* jif_wheel_sleep_until(): hold(), and a look at each */
		atomic { quiet = true };
		until = expiry;
		off++;
		if
#ifndef BLIND
		:: !quiet -> skip
		:: quiet && until > now ->
#else
		:: until <= now -> skip
		:: until > now ->
#endif
			woken = false;
			asleep = true;
			do
			:: woken || now == 10 -> break
			:: else ->
				/* it never sleeps beyond the first expiry */
				assert(now <= expiry || woken || now == 10)
			od;
			asleep = false
		:: quiet && until <= now -> skip
		fi;
		off--
	:: else -> break
	od
}
