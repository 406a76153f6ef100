/* SPDX-License-Identifier: MIT */
/* What the page knows of one wheel: its timers, and what they do */
class Wheel {
	constructor() {
		this.timers = new Map();
		this.slots = SLOTS.map((slots) =>
			Array.from({ length: slots }, () => new Set()));
		this.moves = new Map(); /* how many on each tick */
		this.happened = []; /* since they were last taken */
		this.firings = []; /* [tick, name, late] */
		this.output = [];
		this.running = false;
		this.over = false;
	}

	static async start(module, files, path, replay) {
		const wheel = new Wheel();
		const jif = await Jif.make(module, files, wheel);

		wheel.jif = jif;
		wheel.status = jif.start(path, replay);
		wheel.first = jif.wasm.first();
		wheel.last = jif.wasm.last();
		wheel.tickMs = jif.wasm.tickms();
		wheel.running = !wheel.status;
		return wheel;
	}

	get now() {
		return this.jif.wasm.now();
	}

	get clock() {
		return this.jif.wasm.clock();
	}

	/* When something is to be done next; Infinity if never. */
	get next() {
		const next = this.jif.wasm.next();

		return next < 0 ? Infinity : Math.max(next, this.now + 1);
	}

	run(tick) {
		if (!this.over && tick >= this.last) {
			this.jif.wasm.run(this.last);
			this.over = true;
			this.status = this.jif.wasm.stop();
		}
		if (tick > this.now)
			this.jif.wasm.run(tick);
	}

	take() {
		return this.happened.splice(0);
	}

	find(name) {
		return [...this.timers.values()].find((timer) => timer.name === name);
	}

	arm(name, delay) {
		const { id } = this.find(name) || { id: 0 };

		this.jif.wasm.arm(id, this.jif.putText(name), delay);
	}

	cancel(name) {
		const timer = this.find(name);

		if (timer)
			this.jif.wasm.cancel(timer.id);
	}

	postpone(name, by) {
		const timer = this.find(name);

		if (!timer || timer.expires + by - this.clock > DELAY_MAX)
			return;
		timer.expires += by;
		timer.postponed += by;
		this.jif.wasm.postpone(timer.id, by);
	}

	/* What follows is called by the simulator. */
	write(file, text) {
		this.output.push([file, text]);
	}

	placed(id, moved, level, slot, expires) {
		let timer = this.timers.get(id);
		const clock = this.clock;
		const from = timer && { level: timer.level, slot: timer.slot };

		if (!timer) {
			timer = { id, name: this.jif.name(id) };
			this.timers.set(id, timer);
		} else {
			this.slots[timer.level][timer.slot].delete(timer);
		}
		/* Before its slot is reached: that is what spreading does. */
		timer.early = moved && hand(clock, from.level) !== from.slot;
		Object.assign(timer, { level, slot, expires, clock, postponed: 0 });
		timer.delta = expires - clock;
		timer.moved = !!moved;
		timer.down = moved ? from.level : level;
		this.slots[level][slot].add(timer);
		if (moved)
			this.moves.set(clock, (this.moves.get(clock) || 0) + 1);
		const what = moved ? "move" : "arm";

		this.happened.push({ what, timer, from, clock });
	}

	ended(id) {
		const timer = this.timers.get(id);

		if (!timer)
			return;
		this.slots[timer.level][timer.slot].delete(timer);
		this.timers.delete(id);
		this.happened.push({ what: "end", timer, clock: this.clock });
	}

	fired(id, tick, late) {
		const name = this.jif.name(id);

		this.firings.push([tick, name, late]);
		this.happened.push({ what: "fire", name, clock: tick });
	}
}
