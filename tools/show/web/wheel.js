/* SPDX-License-Identifier: MIT */
/* What the page knows of one wheel: its timers, and what they do */
class Wheel {
	constructor(path, replay) {
		this.path = path;
		this.replay = replay;
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

	async start(module, files) {
		this.jif = await Jif.make(module, files, this);
		this.status = this.jif.start(this.path, this.replay);
		this.first = this.jif.wasm.first();
		this.last = this.jif.wasm.last();
		this.tickMs = this.jif.wasm.tickms();
		this.running = !this.status;
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
		this.jif.wasm.arm(this.jif.putText(name), delay);
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
		Object.assign(timer, {
			level,
			slot,
			expires,
			clock,
			delta: expires - clock,
			moved: !!moved,
			postponed: 0,
			down: moved ? from.level : level
		});
		this.slots[level][slot].add(timer);
		if (moved)
			this.moves.set(clock, (this.moves.get(clock) || 0) + 1);
		this.happened.push({
			what: moved ? "move" : "arm",
			timer,
			from,
			clock
		});
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
