/* SPDX-License-Identifier: MIT */
/* What a visitor sees and does */
const $ = (id) => document.getElementById(id);
const ROWS = 12; /* of the list of timers */
const OUTPUT_MAX = 60000;
const GRAPH_FROM = 100; /* timers at the start */
const STEPS_MAX = 500; /* stops in search of an event */

/*
 * Files that were dropped in, for imports; views, { wheel, dial, graph } each;
 * how many timers were typed; whether it follows the timer that moves; and the
 * modules, without and with spreading, which are a promise.
 */
const page = {
	files: new Map(),
	views: [],
	playing: false,
	typed: 0,
	follow: true,
	still: matchMedia("(prefers-reduced-motion: reduce)"),
	modules: readModules(),
};

/* Bytes that were packed with gzip. */
async function unpack(bytes) {
	const stream = new Blob([bytes]).stream()
		.pipeThrough(new DecompressionStream("gzip"));

	return new Uint8Array(await new Response(stream).arrayBuffer());
}

/* Pieces of both take turns. */
async function readModules() {
	const bytes = await unpack(Uint8Array.from(atob(MODULES), (byte) =>
		byte.charCodeAt(0)));
	const parts = SIZES.map(() => []);

	for (let at = 0, from = 0; at < Math.max(...SIZES); at += PIECE)
		SIZES.forEach((size, n) => {
			const length = Math.max(0, Math.min(PIECE, size - at));

			parts[n].push(bytes.subarray(from, from += length));
		});
	return Promise.all(parts.map(async (pieces) =>
		WebAssembly.compile(await new Blob(pieces).arrayBuffer())));
}

function make(name, parent, attributes) {
	return parent.appendChild(Object.assign(
		document.createElement(name), attributes));
}

function say(text) {
	$("said").textContent = text;
}

/* --- a run ------------------------------------------------------------- */

function viewOf(title) {
	const div = make("div", $("views"), { className: "view" });

	if (title)
		make("p", div, { textContent: title });
	const canvas = make("canvas", div, { className: "dial", tabIndex: 0 });

	canvas.setAttribute("role", "application");
	canvas.setAttribute("aria-label", (title ? title + ": " : "") +
		"four rings of slots. Arrows choose a slot, Enter arms a timer.");
	const view = { dial: new Dial(canvas) };

	view.graph = new Graph(make("canvas", div, { className: "graph" }));
	view.dial.resize();
	listenTo(view);
	return view;
}

function setViews(two) {
	if (page.views.length === (two ? 2 : 1))
		return;
	$("views").textContent = "";
	page.views = two ? [viewOf("Without spreading"), viewOf("CONFIG_JIF_SPREAD=8")] : [viewOf("")];
	document.querySelector("main").classList.toggle("two", two);
}

function option(text, name, otherwise) {
	const found = text.match(RegExp(`^# ${name}:? ?(.*)$`, "m"));

	return found ? found[1] || true : otherwise;
}

/* Begins a run of what is in a file; returns whether there was no error. */
async function start(path, bytes, options) {
	const turn = page.turn = (page.turn || 0) + 1;

	pause();
	page.again = () => start(path, bytes, options);
	page.files.set(path, bytes);
	const modules = (await page.modules).slice(0, options.compare ? 2 : 1);
	const wheels = await Promise.all(modules.map((module) =>
		Wheel.start(module, page.files, path, options.replay)));

	if (turn !== page.turn)
		return false;
	setViews(wheels.length > 1);
	page.views.forEach((view, at) => {
		view.wheel = wheels[at];
		view.dial.setWheel(wheels[at]);
		view.dial.show(wheels[at].take(), performance.now(), 700);
	});
	page.wheel = page.views[0].wheel;
	page.most = page.wheel.timers.size;
	page.typed = 0;
	answer("");
	$("out").textContent = "";
	choose(page.wheel.timers.values().next().value, true);
	$("speed").value = options.speed || "auto";
	for (const id of ["play", "tick", "event", "end", "again"])
		$(id).disabled = id !== "again" && !page.wheel.running;
	update();
	wake();
	return page.wheel.running;
}

async function runText() {
	const text = $("text").value;
	const preset = page.preset && text === PRESETS[page.preset];
	const good = await start("pasted.scn", new TextEncoder().encode(text), {
		speed: option(text, "speed", ""),
		compare: option(text, "compare", false),
	});

	tellAbout(preset ? comment(text).slice(1).join(" ") : "",
		preset && page.preset);
	say(good ? "ready" : "there is an error in the scenario");
	return good;
}

/* The comment that a preset begins with: its title, and what it shows. */
function comment(text) {
	return text.split("\n").filter((line) => /^# /.test(line) &&
		!/^# (speed:|compare$)/.test(line)).map((line) => line.slice(2));
}

function tellAbout(text, preset) {
	for (const button of $("presets").children)
		button.setAttribute("aria-pressed", button.value === preset);
	$("about").textContent = text;
}

async function take(preset) {
	page.preset = preset;
	$("text").value = PRESETS[preset];
	return runText();
}

async function takeAndPlay(preset) {
	if (await take(preset) && !page.still.matches)
		play();
}

/* --- time -------------------------------------------------------------- */

/* How long a way down takes, in ms: less if events are closer together. */
function lengthOf() {
	const speed = +$("speed").value;

	return !page.playing || !speed ? 900 : Math.max(0,
		Math.min(900, 4000 / speed));
}

/* Does something to all wheels; returns how much has happened. */
function act(fn, length = 900) {
	let count = 0;

	for (const { wheel, dial } of page.views) {
		fn(wheel);
		const happened = wheel.take();

		dial.show(happened, performance.now(), length);
		count += happened.length;
		if (wheel === page.wheel)
			see(happened);
	}
	return count;
}

/* Goes on to a tick; returns how much has happened. */
function runTo(tick) {
	const was = page.wheel.over;
	const count = act((wheel) => wheel.run(tick), lengthOf());

	if (page.wheel.over && !was) {
		pause();
		say("the run is over");
	}
	wake();
	return count;
}

/* The page shows what happens, and tells which timers fire. */
function see(happened) {
	const last = happened[happened.length - 1];
	const moved = happened.filter(({ what }) => what === "move");

	for (const { timer } of happened.filter(({ what }) => what === "end")) {
		if (timer === page.chosen)
			choose(null, true);
		if (timer.name === page.told)
			answer("");
	}
	if (last && last.what === "fire" && !page.playing)
		say(`${last.name} ran at ${timeText(last.clock, page.wheel)}`);
	if (page.follow && moved.length)
		choose(moved[moved.length - 1].timer, true);
}

function nextTick() {
	const next = Math.min(...page.views.map(({ wheel }) => wheel.next));

	return page.wheel.over || page.wheel.now >= page.wheel.last ? next :
		Math.min(next, page.wheel.last);
}

function nextEvent() {
	pause();
	for (let n = 0; n < STEPS_MAX; n++) {
		const next = nextTick();

		if (next === Infinity || runTo(next) || page.wheel.over &&
			page.wheel.now === page.wheel.last)
			break;
	}
	update();
}

const pause = () => play(false);

function play(on = true) {
	page.playing = on;
	page.part = page.hold = 0;
	page.way = null;
	$("play").setAttribute("aria-pressed", on);
	$("play").lastChild.textContent = on ? "Pause" : "Play";
	wake();
}

/* From event to event: a sweep of the hands, and a rest to look. */
function sweep(time) {
	if (time < page.hold)
		return;
	if (!page.way) {
		const from = page.wheel.now,
			to = nextTick();

		if (to === Infinity) {
			pause();
			return;
		}
		page.way = { from, to, time };
		page.way.length = to - from < 2 ? 0 :
			Math.min(1700, 200 + 380 * Math.log10(to - from));
	}
	const { from, to, length } = page.way;
	const part = length ? Math.min(1, (time - page.way.time) / length) : 1;

	if (part < 1) {
		runTo(Math.min(to - 1,
			Math.floor(from + (to - from) * ease(part))));
		return;
	}
	page.way = null;
	if (runTo(to))
		page.hold = time + (to - from < 10 ? 300 : 3000);
}

function passTime(time) {
	const speed = +$("speed").value;

	if (!speed) {
		sweep(time);
		return;
	}
	page.part += Math.min(.25, (time - page.time) / 1000) * speed;
	const ticks = Math.floor(page.part);

	page.part -= ticks;
	if (!page.wheel.over || nextTick() !== Infinity)
		runTo(page.wheel.over ? page.wheel.now + ticks :
			Math.min(page.wheel.now + ticks, page.wheel.last));
	else
		pause();
}

/* --- drawing ----------------------------------------------------------- */

function frame(time) {
	let moving = false;

	page.frame = 0;
	if (!page.wheel)
		return;
	if (page.playing && page.wheel.running)
		passTime(time);
	page.time = time;
	for (const { dial } of page.views)
		moving = dial.draw(time, page.playing) || moving;
	if (!page.playing || time - (page.updated || 0) > 100)
		update();
	if (moving || page.playing)
		wake();
}

function wake() {
	page.time = page.frame ? page.time : performance.now();
	page.frame = page.frame || requestAnimationFrame(frame);
}

function updateGraphs() {
	const two = page.views.length > 1;
	let most = two ? page.most : 8;

	for (const { wheel } of page.views)
		for (const moved of wheel.moves.values())
			most = Math.max(most, moved);
	for (const { graph, wheel, dial } of page.views) {
		const ticks = two ? Math.min(200, wheel.last - wheel.first) : 200;
		const to = Math.max(wheel.now, wheel.first + ticks);

		graph.canvas.hidden = !two && page.most < GRAPH_FROM;
		if (wheel.running && !graph.canvas.hidden)
			graph.draw(wheel, to - ticks, to, most, dial);
	}
}

function updateTiles() {
	page.wheel.slots.forEach((slots, level) => {
		const tile = $("tiles").children[3 - level];
		const waiting = slots.reduce((sum, { size }) => sum + size, 0);

		tile.children[1].textContent = hand(page.wheel.clock, level);
		tile.children[2].textContent = waiting ?
			`${number(waiting)} waiting` : "empty";
	});
}

function updateTimers() {
	const wheel = page.wheel;
	const soon = [...wheel.timers.values()].sort((a, b) =>
		a.expires - b.expires).slice(0, ROWS);

	$("pending").textContent = number(wheel.timers.size) +
		(wheel.timers.size > ROWS ? `, the first ${soon.length}` : "");
	[...$("timers").children].forEach((row, at) => {
		const button = row.firstChild,
			timer = soon[at];
		const [name, where, left] = button.children;

		row.hidden = !timer;
		if (!timer)
			return;
		button.timer = timer;
		button.setAttribute("aria-pressed", timer === page.chosen);
		name.textContent = timer.name;
		where.textContent = `${LEVELS[timer.level]} ${timer.slot}`;
		where.className = "l" + timer.level;
		left.textContent = spanText(timer.expires - wheel.now, wheel.tickMs);
	});
}

function updateWhy() {
	const { chosen: timer, wheel } = page;
	const idle = wheel.running ? wheel.timers.size ?
		"Choose a timer, on the wheel or in the list." :
		"Nothing is pending. Click on a slot to arm a timer that waits " +
		"there." : "There is an error: see below what jifsim says.";
	const text = timer ? why(timer, wheel, wheel.jif.spread) : idle;

	$("whyname").textContent = timer ?
		`${page.views.length > 1 ? "Left: w" : "W"}hy ${timer.name} ` +
		`waits in ` +
		`${["second", "minute", "hour", "day"][timer.level]} slot ` +
		timer.slot : "\u00a0";
	if (page.whyText !== text) {
		$("whytext").innerHTML = text;
		page.whyText = text;
	}
	for (const id of ["later", "much", "cancel"])
		$(id).disabled = !timer;
	for (const { dial, wheel } of page.views)
		dial.chosen = timer && (wheel === page.wheel ? timer :
			wheel.find(timer.name));
}

function updateOutput() {
	for (const [file, text] of page.wheel.output.splice(0)) {
		if (!text || $("out").textContent.length > OUTPUT_MAX)
			continue;
		make("span", $("out"), {
			textContent: text,
			className: file === 2 ? "bad" : ""
		});
		$("out").scrollTop = page.wheel.status === 2 ? 0 :
			$("out").scrollHeight;
	}
}

function update() {
	page.updated = performance.now();
	updateTiles();
	updateTimers();
	updateWhy();
	updateOutput();
	updateGraphs();
}

/* --- timers ------------------------------------------------------------ */

function choose(timer, follow) {
	page.chosen = timer || null;
	page.follow = !!follow || !timer;
}

/* Actions by hand. */
function change(fn) {
	act(fn);
	page.way = null;
	update();
	wake();
}

/* Beside where timers are armed. */
function answer(text, bad) {
	page.told = null;
	$("armed").className = bad ? "bad" : "";
	$("armed").textContent = text;
}

function arm(name, delay) {
	change((wheel) => wheel.arm(name, delay));
	choose(page.wheel.find(name));
	tellWhen(page.chosen);
	update();
}

/* Until that timer ends. */
function tellWhen({ name, expires }) {
	answer(`${name} runs at ${timeText(expires, page.wheel)}.`);
	page.told = name;
}

function newName() {
	while (page.wheel.find("t" + ++page.typed));
	return "t" + page.typed;
}

function armSlot({ level, slot }) {
	const wheel = page.wheel;
	const delay = delayFor(wheel.clock, level, slot, wheel.jif.spread);

	if (delay) {
		arm(newName(), delay + wheel.clock - wheel.now);
		return;
	}
	answer(`No delay leads to ${LEVELS[level]} ${slot} now: it would be ` +
		`due soon enough for the ${RING[level - 1]}.`, true);
}

/* An empty slot gets a timer; in another one, the timers are looked at. */
function useSlot(at) {
	if (!page.wheel || !page.wheel.running)
		return;
	const timers = [...page.wheel.slots[at.level][at.slot]];

	if (!timers.length)
		armSlot(at);
	else
		choose(timers[(timers.indexOf(page.chosen) + 1) % timers.length]);
	update();
	wake();
}

/*
 * The text is a line of a scenario, "arm NAME SPAN": a run of its own says
 * what it means, or what is wrong.
 */
async function armTyped() {
	const words = $("span").value.trim().split(/\s+/);
	const line = words.length > 1 ? words.join(" ") :
		`${newName()} ${words[0]}`;
	const trial = await Wheel.start((await page.modules)[0], new Map([["typed",
		new TextEncoder().encode(
			`tick ${spanText(1, page.wheel.tickMs || 1000)}\n` +
			`at 00:00 arm ${line}\nrun until d9999999 00:00\n`)]]), "typed");
	if (trial.running) {
		for (const { name, expires } of trial.timers.values())
			arm(name, expires);
		$("span").value = "";
		return;
	}
	const wrong = trial.output.map(([file, text]) => file === 2 ? text : "");

	answer(wrong.join("").split("\n")[0].replace(/^.*error: /, ""), true);
}

function postpone(ms) {
	const timer = page.chosen;

	if (!timer)
		return;
	change((wheel) => wheel.postpone(timer.name, Math.max(1,
		Math.round(ms / (page.wheel.tickMs || 1000)))));
	tellWhen(timer);
}

function cancel() {
	const timer = page.chosen;

	if (timer)
		change((wheel) => wheel.cancel(timer.name));
}

/* --- files ------------------------------------------------------------- */

function convert(text, name) {
	try {
		return new Recording(text).scenario(name);
	} catch (error) {
		return `# the recording ${name} is damaged: ${error.message}\n`;
	}
}

async function takeFile(file) {
	let bytes = new Uint8Array(await file.arrayBuffer());

	if (bytes[0] === 0x1f && bytes[1] === 0x8b)
		bytes = await unpack(bytes);
	page.files.set(file.name, bytes);
	const text = new TextDecoder().decode(bytes);

	if (/^\ufeff?t_jiffies,/.test(text) || /\.csv(\.gz)?$/.test(file.name)) {
		$("text").value = `# the recording ${file.name}\n`;
		page.preset = null;
		await start(file.name, bytes, { replay: true, speed: "60" });
		tellAbout(`A recording: ${file.name}.`);
		return;
	}
	$("text").value = isRecording(text) ? convert(text, file.name) : text;
	if (await runText() && isRecording(text) && !page.still.matches)
		play();
}

async function takeFiles(files) {
	/* First what is imported, then what imports it. */
	for (const file of [...files].sort((a, b) =>
			/\.csv/.test(b.name) - /\.csv/.test(a.name)))
		await takeFile(file);
}

/* --- what the visitor does --------------------------------------------- */

/* By how many rings and slots. */
const MOVES = {
	ArrowRight: [0, 1],
	ArrowLeft: [0, -1],
	ArrowUp: [-1, 0],
	ArrowDown: [1, 0],
};

function keyOnDial(dial, event) {
	const wheel = page.wheel;
	const at = dial.cursor || { level: 0, slot: hand(wheel.clock, 0) };

	if (MOVES[event.key]) {
		const [ring, step] = MOVES[event.key];
		const part = at.slot / SLOTS[at.level];

		at.level = Math.max(0, Math.min(3, at.level + ring));
		at.slot = (Math.round(part * SLOTS[at.level]) + step +
			SLOTS[at.level]) % SLOTS[at.level];
		const { size } = wheel.slots[at.level][at.slot];

		say(`${LEVELS[at.level]} ${at.slot}: ${size || "empty"}`);
	} else if (event.key === "Enter") {
		useSlot(at);
	} else if (event.key === "Delete" || event.key === "Backspace") {
		cancel();
	} else {
		return;
	}
	dial.cursor = at;
	event.preventDefault();
	event.stopPropagation();
	wake();
}

function listenTo(view) {
	const { dial } = view, canvas = dial.canvas;

	canvas.addEventListener("keydown", (event) => keyOnDial(dial, event));
	canvas.addEventListener("click", (event) => {
		const at = dial.slotAt(event.clientX, event.clientY);

		dial.cursor = null;
		if (at)
			useSlot(at);
	});
	canvas.addEventListener("pointermove", (event) => {
		dial.hover = dial.slotAt(event.clientX, event.clientY);
		canvas.title = dial.hover ?
			`${LEVELS[dial.hover.level]} ${dial.hover.slot}` : "";
		wake();
	});
	for (const name of ["pointerleave", "blur"])
		canvas.addEventListener(name, () => {
			dial.hover = null;
			dial.cursor = name === "blur" ? null : dial.cursor;
			wake();
		});
	new ResizeObserver(() => {
		dial.resize();
		wake();
	}).observe(canvas);
}

const KEYS = {
	" ": () => page.playing ? pause() : play(),
	t: () => goTo(page.wheel.now + 1),
	n: nextEvent,
	e: () => goTo(page.wheel.over ? nextTick() : page.wheel.last),
	r: () => page.again(),
};

function goTo(tick) {
	pause();
	runTo(tick);
	update();
}

function key(event) {
	const name = event.target.tagName;

	if (event.ctrlKey && event.key === "Enter")
		runText();
	if (event.ctrlKey || event.metaKey || event.altKey ||
		/INPUT|TEXTAREA|SELECT/.test(name) ||
		event.key === " " && name === "BUTTON" || !KEYS[event.key])
		return;
	event.preventDefault();
	if (page.wheel && (page.wheel.running || event.key === "r"))
		KEYS[event.key]();
}

function build() {
	for (const preset of Object.keys(PRESETS))
		make("button", $("presets"), {
			value: preset,
			textContent: comment(PRESETS[preset])[0],
			onclick: () => takeAndPlay(preset)
		});
	for (let at = 0; at < ROWS; at++) {
		const button = make("button", make("li", $("timers")), {
			onclick: () => {
				choose(button.timer);
				update();
				wake();
			}
		});

		for (let n = 0; n < 3; n++)
			make("span", button);
	}
}

function listen() {
	$("later").onclick = () => postpone(6e4);
	$("much").onclick = () => postpone(36e5);
	$("cancel").onclick = cancel;
	$("run").onclick = runText;
	$("open").onclick = () => $("file").click();
	for (const button of $("controls").querySelectorAll("button"))
		button.onclick = KEYS[button.title.replace("Space", " ")];
	$("speed").onchange = () => page.way = null;
	$("arm").onsubmit = (event) => {
		event.preventDefault();
		if (page.wheel && page.wheel.running)
			armTyped();
	};
	$("file").onchange = () => takeFiles($("file").files);
	document.addEventListener("keydown", key);
	for (const name of ["dragover", "dragleave", "drop"])
		document.addEventListener(name, (event) => {
			event.preventDefault();
			document.body.classList.toggle("over", name === "dragover");
			if (name === "drop")
				takeFiles(event.dataTransfer.files);
		});
	matchMedia("(prefers-color-scheme: dark)").onchange = () => {
		page.views.forEach(({ dial }) => dial.readColours());
		update();
		wake();
	};
}

build();
listen();
take(Object.keys(PRESETS)[0]);
