/* SPDX-License-Identifier: MIT */
/*
 * why.js - why a timer waits where it waits, in words
 *
 * The arithmetic is that of lib/wheel.c's comment. It is compared with where
 * the engine has put the timer: a sentence that does not agree is not shown.
 */
const RING = ["seconds", "minutes", "hours", "days"];
const TURN = ["minute", "hour", "day", "week"];
const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const UNITS = [["d", 864e8], ["h", 36e8], ["m", 6e7], ["s", 1e6], ["ms", 1e3],
	["us", 1]];

function number(n) {
	return n.toLocaleString("en-US");
}

function plural(n, noun) {
	return `${number(n)}\u00a0${noun}${n === 1 ? "" : "s"}`;
}

/* A span as in a scenario; in a replay, whose jiffy has no length, ticks. */
function spanText(ticks, tickMs) {
	let us = Math.round(ticks * tickMs * 1000),
		text = "";

	if (!tickMs)
		return plural(ticks, "jiffy").replace("jiffys", "jiffies");
	for (const [unit, length] of UNITS) {
		if (us >= length)
			text += Math.floor(us / length) + unit;
		us %= length;
	}
	return text || "0s";
}

/* The time of a day, with so many digits of its fraction. */
function clockText(us, digits) {
	const text = new Date(us % 864e8 / 1000).toISOString().slice(11, 23) +
		String(us % 1000).padStart(3, "0");

	return text.slice(0, digits ? 9 + digits : 8);
}

/* A time, with the day where that is another one than that of the start. */
function timeText(tick, run) {
	const us = Math.round(tick * run.tickMs * 1000);
	const day = Math.floor(us / 864e8);
	const today = Math.floor(run.first * run.tickMs / 864e5);

	if (!run.tickMs)
		return "jiffy " + number(tick);
	return (day === today ? "" :
			day < today + 7 ? DAYS[day % 7] + " " : `d${day} `) +
		clockText(us, run.tickMs % 1 ? 6 : run.tickMs % 1000 ? 3 : 0);
}

/* The level for what is due in so many ticks: the lowest ring that spans it. */
function levelFor(clock, delta, spread) {
	const turns = (level) =>
		Math.floor((clock + delta) / TICKS[level + 1]) -
		Math.floor(clock / TICKS[level + 1]);

	for (let level = 0; level < 3; level++)
		if (spread ? turns(level) <= 1 : delta < TICKS[level + 1])
			return level;
	return 3;
}

function hand(clock, level) {
	return Math.floor(clock / TICKS[level]) % SLOTS[level];
}

/* The slot of a level for what is due in so many ticks. */
function place(clock, delta, level) {
	const since = clock % TICKS[level];
	const ahead = Math.floor((since + delta) / TICKS[level]);

	return {
		since,
		ahead,
		hand: hand(clock, level),
		slot: (hand(clock, level) + ahead) % SLOTS[level],
		left: (since + delta) % TICKS[level],
	};
}

/* A delay with which a timer would wait in that slot; 0 if there is none. */
function delayFor(clock, level, slot, spread) {
	const ticks = TICKS[level];
	let ahead = (slot - hand(clock, level) + SLOTS[level]) % SLOTS[level];

	for (let turn = 0; turn < 2; turn++, ahead += SLOTS[level])
		for (const part of [1 / 2, 1 / 4, 3 / 4, 0, 1]) {
			const delay = ahead * ticks - clock % ticks +
				Math.floor(part * (ticks - 1));

			if (delay > 0 && levelFor(clock, delay, spread) === level)
				return delay;
		}
	return 0;
}

/* Why that level? */
function whyLevel(timer, spread) {
	const level = timer.level,
		n = plural(timer.delta, "tick");

	if (timer.moved || spread && level === 3)
		return "";
	if (spread)
		return `That is due in this ${TURN[level]} or the next one, so ` +
			`it waits with the ${RING[level]}. `;
	return (level === 3 ? `${n} are a day or more` :
			level ? `${n} are a${level === 2 ? "n" : ""} ` +
			`${TURN[level - 1]} or more, less than a ${TURN[level]}`
			.replace("a hour", "an hour") :
			`${n} are less than a minute`.replace("1\u00a0tick are",
				"1\u00a0tick is")) +
		`, so it waits with the ${RING[level]}. `;
}

/* Why that slot? */
function whySlot(timer, at) {
	const level = timer.level,
		sum = at.since + timer.delta;
	const shown = `<b class="l${level}">slot ${at.slot}</b>`;

	if (!level)
		return `The hand shows ${at.hand}; ${number(timer.delta)} on is ` +
			`${shown}. `;
	return (at.since ? `${number(at.since)} of this ` +
			`${TURN[level - 1]} are over: ${number(at.since)} + ` : "") +
		(at.since ? `${number(timer.delta)} = ` : "") +
		`${number(sum)} = ${at.ahead} × ${number(TICKS[level])} + ` +
		`${number(at.left)}, so ${at.ahead} after the hand at ` +
		`${at.hand}: ${shown}, with ${number(at.left)} left. `;
}

/* Why it waits there, as HTML; names have no characters that matter there. */
function why(timer, run, spread) {
	const at = place(timer.clock, timer.delta, timer.level);
	const time = (tick) => timeText(tick, run);
	const visit = timer.expires - timer.postponed - at.left;
	let text;

	if (at.slot !== timer.slot)
		return "";
	text = !timer.moved ? `Armed at ${time(timer.clock)} for ` +
		`${spanText(timer.delta, run.tickMs)}. ` :
		timer.early ? `Moved down ahead of time at ` +
		`${time(timer.clock)}, with ${number(timer.delta)} left. ` :
		`The ${TURN[timer.down - 1]} hand got to it at ` +
		`${time(timer.clock)}, with ${number(timer.delta)} left: ` +
		(timer.down > timer.level ? "it went down a ring. " :
			"it was placed anew. ");
	text += whyLevel(timer, spread) + whySlot(timer, at);
	if (timer.postponed)
		text += `Then it was put off by ` +
		`${spanText(timer.postponed, run.tickMs)}, where it is: ` +
		`when the hand gets there, it is placed again. `;
	else if (timer.level)
		text += `The hand gets there at ${time(visit)}. `;
	return text + `It runs at <b>${time(timer.expires)}</b>.`;
}
