/* SPDX-License-Identifier: MIT */
/*
 * dial.js - four rings with hands, and dots that go down a ring
 *
 * The days are inside, the seconds at the rim: down is outwards. A dot has the
 * colour of its ring. Angles are turns, clockwise from the top.
 */
const BAND = [[.835, .965], [.645, .775], [.455, .585], [.3, .4]];
const DOTS_MAX = 500; /* that are drawn in one slot */
const EVERY = SLOTS.flatMap((slots, level) =>
	Array.from({ length: slots }, (_, slot) => level << 6 | slot));
const TAU = 2 * Math.PI;
const MARK = [5, 5, 3, 1]; /* which slots have their number beside them */

function ease(part) {
	return part < .5 ? 4 * part ** 3 : 1 - (2 - 2 * part) ** 3 / 2;
}

/* The shorter way round. */
function turnTo(from, to) {
	return ((to - from) % 1 + 1.5) % 1 - .5;
}

/* Writes beside or around a place; @wide: no wider, @around: a colour. */
function write(c, text, x, y, font, colour, { align, wide, around } = {}) {
	c.font = `${font} system-ui, sans-serif`;
	c.textAlign = align || "center";
	c.textBaseline = "middle";
	if (around) {
		c.strokeStyle = around;
		c.lineJoin = "round";
		c.lineWidth = 4;
		c.strokeText(text, x, y);
	}
	c.fillStyle = colour;
	c.fillText(text, x, y, wide);
}

function circle(c, x, y, radius) {
	c.beginPath();
	c.arc(x, y, radius, 0, TAU);
}

class Dial {
	constructor(canvas) {
		this.canvas = canvas;
		this.context = canvas.getContext("2d");
		/* The dots that lie still; of what is stale, it is out of date. */
		this.layer = document.createElement("canvas").getContext("2d");
		this.hands = [0, 0, 0, 0];
	}

	setWheel(wheel) {
		this.wheel = wheel;
		this.shown = new Map(); /* where each dot is drawn */
		this.moving = new Set(); /* timers whose dots move */
		this.stale = new Set(EVERY);
		this.flashes = [];
		this.hover = this.cursor = this.chosen = null;
	}

	readColours() {
		const style = getComputedStyle(this.canvas);
		const read = (name) => style.getPropertyValue("--" + name).trim();

		this.colour = LEVELS.map(read);
		[this.ink, this.dim, this.slot, this.card] = ["ink", "dim", "slot", "card"].map(read);
		this.stale = new Set(EVERY);
	}

	resize() {
		const size = this.canvas.clientWidth;
		const dots = window.devicePixelRatio || 1;

		if (!size)
			return;
		for (const canvas of [this.canvas, this.layer.canvas])
			canvas.width = canvas.height = Math.round(size * dots);
		this.scale = dots;
		this.size = size;
		this.radius = size / 2 * .97; /* room for a flash */
		this.centre(this.layer);
		this.rings = SLOTS.map((slots, level) => {
			const path = new Path2D();

			for (let slot = 0; slot < slots; slot++)
				this.cell(path, level, slot, 0);
			return path;
		});
		this.readColours();
	}

	/* The origin to the middle. */
	centre(c) {
		c.setTransform(this.scale, 0, 0, this.scale,
			this.scale * this.size / 2, this.scale * this.size / 2);
		c.clearRect(-this.size / 2, -this.size / 2, this.size, this.size);
	}

	/* What has happened becomes movement; @length in ms of a way down. */
	show(happened, time, length) {
		const still = page.still.matches;
		const many = happened.length > 2000 || still;

		for (const { what, timer, from, clock, name } of happened) {
			if (what === "fire") {
				this.last = { name, time };
				if (!still)
					this.flashes.push({ at: clock % 60 / 60, time });
			}
			for (const { level, slot } of [timer, from].filter(Boolean))
				this.stale.add(level << 6 | slot);
			if (timer && (many || what === "end")) {
				this.shown.delete(timer.id);
				this.moving.delete(timer);
			}
			if (many || !timer || what === "end")
				continue;
			const { r, a } = this.shown.get(timer.id) || { r: .16, a: timer.slot / SLOTS[timer.level] };

			const dot = { time, length, r, a, from: { r, a } };

			dot.bare = happened.length > 150;
			this.shown.set(timer.id, dot);
			this.moving.add(timer);
		}
		this.flashes = this.flashes.slice(-100);
	}

	/* How the dots of a slot lie: from its outer edge inwards, in rows. */
	pack(level, count) {
		const [inner, outer] = BAND[level];
		const deep = (outer - inner) * .9 * this.radius;
		const wide = TAU * (inner + outer) / 2 / SLOTS[level] *
			this.radius * .86;
		const most = Math.max(5, this.radius * .05);
		const pitch = Math.min(most, deep, wide,
			Math.sqrt(deep * wide / count) * (count > 3 ? .92 : 1));

		return { pitch, columns: Math.max(1, Math.floor(wide / pitch)) };
	}

	where(level, slot, index, count, { pitch, columns }) {
		const outer = BAND[level][1] - .012;
		const row = Math.floor(index / columns);
		const inRow = Math.min(columns, count - row * columns);
		const r = outer - (row + .5) * pitch / this.radius;
		const aside = (index % columns - (inRow - 1) / 2) * pitch;

		return { r, a: slot / SLOTS[level] + aside / (TAU * r * this.radius) };
	}

	point(r, a) {
		return [Math.sin(a * TAU) * r * this.radius,
			-Math.cos(a * TAU) * r * this.radius];
	}

	/* The outline of a slot, a little larger by @grow, is added to a path. */
	cell(c, level, slot, grow) {
		const [inner, outer] = BAND[level];
		const gap = .9 / this.radius,
			begin = (slot - .5) / SLOTS[level];
		const end = (slot + .5) / SLOTS[level],
			turn = TAU / 4;

		c.moveTo(...this.point(outer + grow, begin + gap / outer / TAU));
		c.arc(0, 0, (outer + grow) * this.radius,
			begin * TAU + gap / outer - turn,
			end * TAU - gap / outer - turn);
		c.arc(0, 0, (inner - grow) * this.radius,
			end * TAU - gap / inner - turn,
			begin * TAU + gap / inner - turn, true);
		c.closePath();
	}

	fillCell(level, slot, alpha) {
		const c = this.context;

		c.beginPath();
		this.cell(c, level, slot, 0);
		c.globalAlpha = alpha;
		c.fillStyle = this.colour[level];
		c.fill();
		c.globalAlpha = 1;
	}

	drawRing(level, real) {
		this.context.fillStyle = this.slot;
		this.context.fill(this.rings[level]);
		this.fillCell(level, real, .22);
		for (let slot = 0; slot < SLOTS[level]; slot++) {
			if (this.wheel.slots[level][slot].size > DOTS_MAX)
				this.fillCell(level, slot, 1);
			if (this.radius > 120 || slot === real ||
				level < 2 && slot % 15 === 0)
				this.drawMark(level, slot, slot === real);
		}
	}

	drawMark(level, slot, real) {
		const size = Math.max(8, Math.min(11.5, this.radius * .037));
		const [x, y] = this.point(BAND[level][0] - .033, slot / SLOTS[level]);
		const text = level === 3 && this.wheel.tickMs === 1000 ?
			DAYS[slot] : String(slot);

		const apart = Math.abs(turnTo(slot / SLOTS[level],
			hand(this.wheel.clock, level) / SLOTS[level]));

		/* The number under the hand has the room to itself. */
		if (!real && (slot % MARK[level] ||
				level < 2 && apart * SLOTS[level] < 2.5))
			return;
		write(this.context, text, x, y + .5, `${real ? 700 : 400} ${size}px`,
			real ? this.colour[level] : this.dim);
	}

	drawHand(level, real, quick) {
		const c = this.context,
			to = real / SLOTS[level];
		const away = turnTo(this.hands[level], to);
		const [inner, outer] = BAND[level];

		this.hands[level] = quick || Math.abs(away) < .0005 ? to :
			this.hands[level] + away * .3;
		const a = this.hands[level];
		const line = (from, till, width, alpha) => {
			c.beginPath();
			c.moveTo(...this.point(from, a));
			c.lineTo(...this.point(till, a));
			c.lineWidth = width;
			c.globalAlpha = alpha;
			c.stroke();
		};

		c.strokeStyle = this.colour[level];
		c.lineCap = "round";
		line(.215, inner - .065, 1, .3);
		line(inner - .006, outer + .006, Math.max(1.5, this.radius * .0085), .95);
		c.globalAlpha = 1;
		return this.hands[level] !== to;
	}

	/* The dots of a slot go to their places, and those that lie still there to
	 * the layer. */
	paint(level, slot) {
		const c = this.layer,
			timers = this.wheel.slots[level][slot];
		const packed = this.pack(level, timers.size || 1);
		const size = Math.max(.9, packed.pitch * .42);
		let index = 0;

		c.save();
		c.beginPath();
		this.cell(c, level, slot, .01);
		c.clip();
		c.clearRect(-this.size / 2, -this.size / 2, this.size, this.size);
		c.restore();
		if (timers.size > DOTS_MAX)
			return;
		c.beginPath();
		for (const timer of timers) {
			const to = this.where(level, slot, index++, timers.size, packed);
			const dot = this.shown.get(timer.id) || {};

			this.shown.set(timer.id, Object.assign(dot, { to, size }));
			if (this.moving.has(timer))
				continue;
			const [x, y] = this.point(to.r, to.a);

			Object.assign(dot, to);
			c.moveTo(x + size, y);
			c.arc(x, y, size, 0, TAU);
		}
		c.fillStyle = this.colour[level];
		c.fill();
	}

	/* A dot on its way, and the trail behind it. */
	drawTrail(dot, part, level) {
		const c = this.context,
			{ to, size } = dot;
		const at = (part) => {
			const done = ease(Math.max(0, part));

			return [dot.from.r + (to.r - dot.from.r) * done,
				dot.from.a + turnTo(dot.from.a, to.a) * done];
		};

		c.strokeStyle = this.colour[level];
		c.lineCap = "butt";
		for (let i = dot.bare ? 0 : 10; i > 0; i--) {
			c.globalAlpha = .5 * (1 - i / 11);
			c.lineWidth = size * 1.5 * (1 - i / 12);
			c.beginPath();
			c.moveTo(...this.point(...at(part - i * .03)));
			c.lineTo(...this.point(...at(part - (i - 1) * .03)));
			c.stroke();
		}
		c.globalAlpha = 1;
		[dot.r, dot.a] = at(part);
	}

	drawMoving(timer, time) {
		const c = this.context,
			{ level, slot } = timer;
		const dot = this.shown.get(timer.id);
		const part = dot.length ? (time - dot.time) / dot.length : 1;

		if (this.wheel.slots[level][slot].size > DOTS_MAX) {
			this.moving.delete(timer);
			return;
		}
		if (part < 1) {
			this.drawTrail(dot, part, level);
		} else {
			Object.assign(dot, dot.to);
			this.moving.delete(timer);
			this.stale.add(level << 6 | slot);
		}
		const [x, y] = this.point(dot.r, dot.a);

		c.fillStyle = this.colour[level];
		circle(c, x, y, part < 1 ? Math.max(dot.size, 3) : dot.size);
		c.fill();
	}

	drawDots(time) {
		const { context: c, wheel } = this;
		const chosen = this.chosen && this.shown.get(this.chosen.id);

		for (const at of this.stale)
			this.paint(at >> 6, at & 63);
		this.stale.clear();
		c.drawImage(this.layer.canvas, -this.size / 2, -this.size / 2,
			this.size, this.size);
		for (const timer of this.moving)
			this.drawMoving(timer, time);
		if (chosen) {
			c.strokeStyle = this.ink;
			c.lineWidth = 1.5;
			circle(c, ...this.point(chosen.r, chosen.a), chosen.size + 3);
			c.stroke();
		}
		for (const timer of wheel.timers.size <= 6 ? wheel.timers.values() :
				this.chosen ? [this.chosen] : [])
			this.drawName(timer);
		return this.moving.size + this.stale.size > 0;
	}

	drawName(timer) {
		const dot = this.shown.get(timer.id);

		if (!dot)
			return;
		const [x, y] = this.point(dot.r, dot.a);
		const align = x > 0 ? "right" : "left";

		write(this.context, timer.name, x > 0 ? x - 11 : x + 11, y,
			"600 12px", this.ink, { around: this.card, align });
	}

	drawFlashes(time) {
		const c = this.context;

		this.flashes = this.flashes.filter((flash) =>
			time - flash.time < 1000);
		for (const flash of this.flashes) {
			const part = Math.max(0, time - flash.time) / 1000;
			const [x, y] = this.point(.9, flash.at);
			const far = 1 - (1 - part) ** 3;

			c.globalAlpha = 1 - part;
			c.strokeStyle = c.fillStyle = this.colour[0];
			c.lineWidth = 2.5 * (1 - part);
			circle(c, x, y, 4 + far * this.radius * .11);
			c.stroke();
			circle(c, x, y, this.radius * .028 * (1 - part));
			c.fill();
		}
		c.globalAlpha = 1;
		return this.flashes.length > 0;
	}

	drawCentre(time) {
		const { context: c, wheel } = this;
		const text = timeText(wheel.now, wheel).split(" ");
		const clock = text.pop();
		const size = this.radius * (clock.length > 8 ? .06 : .084);
		const part = this.last && !page.still.matches ?
			Math.max(0, time - this.last.time) / 1800 : 1;
		const behind = wheel.now - wheel.clock;
		const small = `${this.radius * .05}px`;

		write(c, clock, 0, 0, `600 ${size}px`, this.ink);
		write(c, text[0] || (wheel.tickMs && wheel.tickMs !== 1000 ?
				"tick " + spanText(1, wheel.tickMs) : ""), 0, -size,
			small, this.dim);
		if (behind)
			write(c, "stalled " + spanText(behind, wheel.tickMs), 0,
				size, small, this.dim);
		if (part >= 1 || behind)
			return part < 1;
		c.globalAlpha = 1 - part ** 3;
		write(c, this.last.name + " ran", 0, size * .95,
			`600 ${this.radius * .052}px`, this.colour[0], { wide: this.radius * .42 });
		c.globalAlpha = 1;
		return true;
	}

	outline(at, colour, width) {
		if (!at)
			return;
		this.context.beginPath();
		this.cell(this.context, at.level, at.slot, .004);
		this.context.strokeStyle = colour;
		this.context.lineWidth = width;
		this.context.stroke();
	}

	/* Returns whether anything still moves. */
	draw(time, quick) {
		const c = this.context;
		let moving = false;

		if (!this.size)
			this.resize();
		if (!this.size)
			return false;
		this.centre(c);
		for (let level = 3; level >= 0; level--)
			this.drawRing(level, hand(this.wheel.clock, level));
		this.outline(this.hover, this.dim, 1.5);
		this.outline(this.cursor, this.ink, 2);
		for (let level = 3; level >= 0; level--)
			moving = this.drawHand(level, hand(this.wheel.clock, level),
				quick || page.still.matches) || moving;
		moving = this.drawDots(time) || moving;
		moving = this.drawFlashes(time) || moving;
		return this.drawCentre(time) || moving;
	}

	/* The slot at a place of the page, or null. */
	slotAt(x, y) {
		const box = this.canvas.getBoundingClientRect();
		const dx = x - box.left - box.width / 2;
		const dy = y - box.top - box.height / 2;
		const r = Math.hypot(dx, dy) / this.radius;
		const a = (Math.atan2(dx, -dy) / TAU + 1) % 1;

		const level = BAND.findIndex(([inner, outer]) =>
			r > inner - .03 && r < outer + .03);
		const slot = Math.round(a * SLOTS[level]) % SLOTS[level];

		return level < 0 ? null : { level, slot };
	}
}

/* How many entries each tick moved: the last ticks, up to the present one. */
class Graph {
	constructor(canvas) {
		this.canvas = canvas;
		this.context = canvas.getContext("2d");
	}

	draw(wheel, from, to, most, colours) {
		const c = this.context,
			dots = window.devicePixelRatio || 1;
		const wide = this.canvas.clientWidth;
		const high = this.canvas.clientHeight,
			room = high - 16;

		this.canvas.width = wide * dots;
		this.canvas.height = high * dots;
		c.scale(dots, dots);
		const step = wide / (to - from);
		let worst = 0;

		c.fillStyle = colours.slot;
		c.fillRect(0, high - 1, wide, 1);
		c.fillStyle = colours.colour[1];
		for (const [tick, moved] of wheel.moves) {
			const bar = Math.max(2, moved / most * room);

			if (tick > wheel.now || tick <= from)
				continue;
			worst = Math.max(worst, moved);
			c.fillRect((tick - from - 1) * step, high - 1 - bar,
				Math.max(1, step - .6), bar);
		}
		write(c, wide < 240 ? "moved per tick" : "entries moved per tick",
			0, 7, "12px", colours.dim, { align: "left" });
		write(c, "worst " + number(worst), wide, 7, "600 12px",
			colours.ink, { align: "right" });
	}
}
