/* SPDX-License-Identifier: MIT */
/*
 * recording.js - from what a firmware has recorded to a scenario
 *
 * A recording is text: heads, records in hexadecimal, names. What was done to
 * the timers becomes the lines of a scenario, and how often each one ran an
 * expectation; the engine does the rest again.
 */
const HEAD = RegExp("^jif-trace 1 hz=(\\d+) bits=(32|64) turns=([12]) " +
	"start=(\\d+) clock=(\\d+) hands=(\\d+):(\\d+):(\\d+):(\\d+) " +
	"time=(\\d+) lost=(\\d+) records=(\\d+)$");
const EVENTS = ["time", "start", "postpone", "cascade", "cancel", "entry"];
const WRAP = 2 ** 32;

function isRecording(text) {
	return /^jif-trace 1 /m.test(text);
}

/* Differences of the 32-bit counter, forward and in either direction. */
function ahead(from, to) {
	return (to - from + WRAP) % WRAP;
}

function apart(from, to) {
	return ahead(from, to) > DELAY_MAX ? ahead(from, to) - WRAP :
		ahead(from, to);
}

class Recording {
	constructor(text) {
		this.lines = text.split(/\r?\n/);
		this.names = new Map();
		this.waits = new Map(); /* when each one expires */
		this.runs = new Map(); /* how often it ran */
		this.done = []; /* [time, what is done] */
		for (const line of this.lines) {
			const [word, number, name] = line.split(" ");

			if (word === "jif-tick")
				this.tickMs = +number;
			if (word === "jif-name")
				this.names.set(BigInt("0x" + number), name);
		}
		this.read();
	}

	read() {
		let left = 0;

		for (const line of this.lines) {
			const found = line.match(HEAD);

			if (found)
				left = this.readHead(found);
			else if (left && left--)
				this.readRecord(line);
		}
		if (left)
			throw new Error(`${left} records are missing`);
	}

	readHead([, hz, bits, turns, start, clock, ...rest]) {
		const [days, hours, minutes, seconds, time, lost, records] =
		rest.map(Number);

		if (this.first === undefined) {
			const week = ((days * 24 + hours) * 60 + minutes) * 60 +
				seconds - ahead(+start, +clock);

			/* Where the hands were when the recording began. */
			this.first = (week % WEEK + WEEK) % WEEK;
			this.time = 0;
			this.clock = +start;
			/* A scenario's tick is a number of us, or ms stand for it. */
			this.tickMs = this.tickMs || (1e6 % hz ?
				Math.max(1, Math.round(1000 / hz)) : 1000 / hz);
		}
		this.bits = +bits;
		this.turns = +turns;
		this.begins = time;
		if (lost)
			for (const name of [...this.waits.keys()])
				this.cancel(name);
		return records;
	}

	setClock(clock) {
		this.time += ahead(this.clock, clock);
		this.clock = clock;
	}

	/* A number that no line names is no name yet. */
	nameOf(number) {
		const name = this.names.get(number) || "x" + number.toString(16);

		return name.replace(/^(?=[^A-Za-z_])/, "x")
			.replace(/[^\w.-]/g, "_").slice(0, 43);
	}

	readRecord(line) {
		const what = BigInt("0x" + line.slice(0, -8));
		const value = parseInt(line.slice(-8), 16);
		const bits = BigInt(this.bits - 13);
		const event = EVENTS[Number(what >> bits & 15n)];
		const number = what & (1n << bits) - 1n;

		if (event === "time") {
			this.begins = undefined;
			this.setClock(value);
			return;
		}
		if (this.begins !== undefined)
			this.setClock(this.begins);
		this.begins = undefined;
		if (event)
			this[event](this.nameOf(number), value,
				Number(what >> bits + 4n));
	}

	note(time, action) {
		this.done.push([Math.max(0, time), action]);
	}

	wait(verb, name, expires) {
		this.waits.set(name, expires);
		this.note(this.time, [verb, name, expires - this.time]);
	}

	start(name, value) {
		/* Before it runs, and not after: a line comes after what runs. */
		if (this.waits.get(name) <= this.time)
			this.cancel(name);
		this.wait("arm", name, this.time + apart(this.clock, value));
	}

	postpone(name, value) {
		this.wait("postpone", name, this.time + apart(this.clock, value));
	}

	cancel(name) {
		if (this.waits.has(name))
			this.note(Math.min(this.time, this.waits.get(name) - 1),
				["cancel", name]);
		this.waits.delete(name);
	}

	/* Tells of a timer that was armed before the recording began. */
	cascade(name, remaining, slot) {
		const now = this.first + this.time;
		let level = 0;

		for (slot--; slot >= SLOTS[level] * this.turns; level++)
			slot -= SLOTS[level] * this.turns;
		if (this.waits.has(name) || level > 3)
			return;
		const turn = TICKS[level] * SLOTS[level];
		let expires = now - now % turn + remaining +
			slot % SLOTS[level] * TICKS[level];

		if (expires < now)
			expires += turn;
		this.wait("arm", name, expires - this.first);
	}

	entry(name) {
		if (!this.waits.has(name))
			this.note(this.time - 1, ["arm", name, 1]);
		this.waits.delete(name);
		this.runs.set(name, (this.runs.get(name) || 0) + 1);
	}

	when(time) {
		const us = Math.round((this.first + time) * this.tickMs * 1000);

		return `d${Math.floor(us / 864e8)} ` +
			clockText(us, this.tickMs % 1 ? 6 : 3);
	}

	scenario(file) {
		const armed = new Set(this.done.map(([, [, name]]) => name));
		const lines = this.done.sort((a, b) => a[0] - b[0]).map(
			([time, [verb, name, delay]]) => `at ${this.when(time)} ` +
			`${verb} ${name}` + (delay === undefined ? "" :
				" " + spanText(Math.max(0, delay), this.tickMs)));

		return [`# from the recording ${file}`, `start ${this.when(0)}`,
			`tick ${spanText(1, this.tickMs)}`, ...lines,
			`run until ${this.when(this.time)}`,
			...[...armed].map((name) => `expect count ${name} ` +
				(this.runs.get(name) || 0)), ""].join("\n");
	}
}
