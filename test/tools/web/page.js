#!/usr/bin/env node
 // SPDX-License-Identifier: MIT
//
// usage: test/tools/web/page.js FOLDER JIFSIM [PICTURES]
//
// The page of a folder, opened from disk in headless Chromium: clicked, typed
// into and steered by keys. What comes of it has to be what JIFSIM says. With a
// folder for PICTURES, these are made, too, to be looked at.
"use strict";
const fs = require("fs");
const os = require("os");
const path = require("path");
const zlib = require("zlib");
const { spawnSync } = require("child_process");
const { Browser } = require("./chromium.js");

const [folder, jifsim, pictures] = process.argv.slice(2);
const url = "file://" + path.resolve(folder, "jif.html");
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "jif-"));
const cases = `${scratch}/cases`;
let browser, count = 0,
	failed = 0;

function same(name, want, got) {
	const good = JSON.stringify(want) === JSON.stringify(got);

	count++;
	failed += !good;
	console.log(`${good ? "" : "not "}ok ${count} - ${name}`);
	if (!good)
		console.log(`#     want: ${JSON.stringify(want)}\n` +
			`#     got:  ${JSON.stringify(got)}`);
}

// What jifsim says about a scenario, which is called as in the page.
function theirs(text, options = [], name = "pasted.scn") {
	fs.writeFileSync(path.join(scratch, name), text);
	const run = spawnSync(path.resolve(jifsim), [
		name.includes(".csv") ? "replay" : "run", ...options, name], { cwd: scratch });

	return run.stdout.toString() + run.stderr.toString();
}

// All firings, as "tick name".
function firings(text) {
	return theirs(text, ["--json"]).split("\n").filter((line) =>
			line.startsWith("{")).map(JSON.parse)
		.filter(({ type }) => type === "fire")
		.map(({ tick, timer }) => `${tick} ${timer}`);
}

const FIRINGS = (view) => `page.views[${view}].wheel.firings.map(
	([tick, name]) => tick - page.wheel.first + " " + name)`;
const OUTPUT = `$("out").textContent`;
const ARMED = `$("armed").textContent`;
const TIME = `timeText(page.wheel.now, page.wheel)`;
const WHERE = (name) => `(() => { const found = page.wheel.jif.walk().find(
	([id]) => page.wheel.jif.name(id) === "${name}");
	return found && LEVELS[found[1]] + " " + found[2]; })()`;

async function fresh(look) {
	await browser.look(1100, 700, { still: true, ...look });
	await browser.go(url);
	await browser.until("!!page.wheel");
}

// Puts a text into the box for scenarios as if it were pasted, and runs it.
async function paste(text) {
	await browser.eval(`$("text").select(); $("text").focus()`);
	await browser.call("Input.insertText", { text });
	await browser.eval(`page.wheel = null`);
	await browser.key("Enter", 2);
	await browser.until("!!page.wheel");
}

async function stepByStep() {
	const steps = [];

	for (let n = 0; n < 4; n++) {
		steps.push([await browser.eval(TIME),
			await browser.eval(WHERE("backup"))]);
		await browser.click("#event");
	}
	same("from event to event, a timer goes down from ring to ring", [
		["21:30:02", "hour 22"], ["22:00:00", "min 32"],
		["22:32:00", "sec 5"], ["22:32:05", null]], steps.map(
		([time, where]) => [time, where === undefined ? null : where]));
	await browser.click("#again");
	await browser.until("page.wheel.now === page.wheel.first");
	same("the sentence has the numbers of the worked example", [true, true, true],
		await browser.eval(`["1,802 + 3,723 = 5,525", "1,925 left",
			"22:32:05"].map((part) =>
			$("whytext").textContent.includes(part))`));
	await browser.click("#tick");
	same("a tick is one tick", "21:30:03", await browser.eval(TIME));
}

async function presets() {
	const texts = await browser.eval("Object.values(PRESETS)");

	for (let n = 0; n < texts.length; n++) {
		const name = texts[n].split("\n")[0].slice(2);

		await browser.click(`#presets button:nth-child(${n + 1})`);
		await browser.until(`page.wheel.running && !page.wheel.over &&
			$("text").value === Object.values(PRESETS)[${n}]`);
		await browser.click("#end");
		same(`${name}: says what jifsim says`, theirs(texts[n]),
			await browser.eval(OUTPUT));
		same(`${name}: runs what jifsim runs, when it does`,
			firings(texts[n]), await browser.eval(FIRINGS(0)));
		if (/compare/.test(texts[n]))
			same(`${name}: the same with spreading`,
				firings(texts[n]), await browser.eval(FIRINGS(1)));
	}
	same("480 entries are moved on one tick, with spreading never over 8",
		[480, 8], await browser.eval(`page.views.map(({ wheel }) =>
			Math.max(...wheel.moves.values()))`));
}

async function pasted() {
	spawnSync("test/tools/sim/cases", [cases], { stdio: "inherit" });
	for (const name of ["scenarios/stall", "scenarios/postpone",
		"scenarios/random", "scenarios/periodic", "scenarios/rollover",
		"scenarios/fail-fire", "bad/word", "bad/duration", "bad/never"]) {
		const text = fs.readFileSync(`${cases}/${name}.scn`, "utf8");

		await paste(text);
		if (await browser.eval("page.wheel.running"))
			await browser.click("#end");
		same(`pasted: ${name}.scn`, theirs(text).split("\n").sort(),
			(await browser.eval(OUTPUT)).split("\n").sort());
	}
}

async function typed(text) {
	await browser.click("#span");
	await browser.eval(`$("armed").textContent = ""`);
	await browser.type(text);
	await browser.key("Enter");
	await browser.until(ARMED);
	return browser.eval(ARMED);
}

// Arms by typing and clicking, postpones and cancels; then the same in jifsim.
async function byHand() {
	await paste("start wed 21:30:02\nrun until wed 23:59\n");
	same("typed: 1h2m3s", "t1 runs at 22:32:05.", await typed("1h2m3s"));
	same("it waits in hour 22", "hour 22", await browser.eval(WHERE("t1")));
	same("typed: with a name", "tea runs at 21:33:02.",
		await typed("tea 3m"));
	same("typed: no unit", "duration needs a unit: d, h, m, s, ms " +
		"or us (for example 1h2m3s)", await typed("90"));
	same("typed: too far", "duration is too long: at most 2147483647 ticks",
		await typed("30000d"));
	await browser.eval(`$("span").value = ""`);
	await browser.click("#timers li:nth-child(2) button");
	same("a click on a row chooses the timer", "t1",
		await browser.eval("page.chosen.name"));
	await browser.click("#later");
	same("the line says what comes of it", "t1 runs at 22:33:05.",
		await browser.eval(ARMED));
	await browser.click("#event");
	same("typed: milk 1m", "milk runs at 21:34:00.",
		await typed("milk 1m"));
	await browser.click("#cancel");
	same("the line goes with its timer", "", await browser.eval(ARMED));
	await browser.click("#timers li:nth-child(1) button");
	await browser.click("#cancel");
	same("cancelled", "tea false", await browser.eval(
		`"tea " + !!page.wheel.find("tea")`));
	await browser.click("#end");
	const want = firings("start wed 21:30:02\nat 21:30:02 arm t1 1h2m3s\n" +
		"at 21:30:02 arm tea 3m\nat 21:30:02 postpone t1 1h3m3s\n" +
		"at 21:31 cancel tea\nrun until wed 23:59\n");

	same("what is done by hand runs as in jifsim", want,
		await browser.eval(FIRINGS(0)));
	same("and that is one firing", ["3783 t1"], want);
}

async function slots() {
	await paste("start wed 21:30:02\nrun until d6 00:00\n");
	for (const [level, slot] of [[0, 20], [1, 45], [2, 3], [3, 5], [0, 1]]) {
		const { x, y } = await browser.eval(`(() => {
			const { dial } = page.views[0];
			dial.canvas.scrollIntoView({ block: "center" });
			const box = dial.canvas.getBoundingClientRect();
			const [dx, dy] = dial.point((BAND[${level}][0] +
				BAND[${level}][1]) / 2, ${slot} / SLOTS[${level}]);
			return { x: box.x + box.width / 2 + dx,
				y: box.y + box.height / 2 + dy };
		})()`);
		const before = await browser.eval("page.wheel.timers.size");

		await browser.clickAt(x, y);
		const name = await browser.eval("page.chosen && page.chosen.name");
		const want = `${["sec", "min", "hour", "day"][level]} ${slot}`;

		same(`a click on ${want} arms a timer there`,
			[before + 1, want], [await browser.eval(
				"page.wheel.timers.size"), await browser.eval(WHERE(name))]);
		await browser.clickAt(x, y);
		same(`a second click looks at it (${want})`, before + 1,
			await browser.eval("page.wheel.timers.size"));
	}
}

async function keys() {
	await fresh();
	const focused = [];

	for (let n = 0; n < 40; n++) {
		await browser.key("Tab");
		focused.push(await browser.eval(`document.activeElement.id ||
			document.activeElement.className ||
			document.activeElement.value`));
	}
	same("Tab gets to all that can be used", [], ["1-backup", "dial", "play",
		"tick", "event", "end", "again", "speed", "later", "cancel", "span",
		"text", "run", "open", "out"].filter((id) =>
		!focused.includes(id)));
	await fresh();
	await browser.key("t");
	await browser.key("t");
	same("t: a tick", "21:30:04", await browser.eval(TIME));
	await browser.key("n");
	same("n: the next event", "22:00:00", await browser.eval(TIME));
	await browser.eval(`page.views[0].dial.canvas.focus()`);
	for (const key of ["ArrowRight", "ArrowRight", "ArrowUp", "Enter"])
		await browser.key(key);
	same("on the wheel, arrows and Enter arm a timer", "sec 2",
		await browser.eval(WHERE("t1")));
	await browser.key("ArrowDown");
	await browser.key("Enter");
	same("and another one a ring up", "min 2",
		await browser.eval(WHERE("t2")));
	await browser.key("Delete");
	same("Delete: cancels it", [undefined, "sec 2"], [await browser.eval(
		WHERE("t2")), await browser.eval(WHERE("t1"))]);
	await browser.key("e");
	same("e: to the end", "22:33:00", await browser.eval(TIME));
	await browser.key("r");
	await browser.until(`${TIME} === "21:30:02"`);
	await browser.eval(`$("speed").value = "1"`);
	await browser.key(" ");
	same("space: plays", true, await browser.eval("page.playing"));
	await browser.key(" ");
	same("and stops", false, await browser.eval("page.playing"));
	await browser.eval(`$("speed").value = "86400"`);
	await browser.key(" ");
	await browser.until("page.wheel.over && !page.playing");
	same("play stops at the end", "22:33:00", await browser.eval(TIME));
	await browser.eval(`$("speed").value = "600"; page.again()`);
	await browser.until("!page.wheel.over");
	await browser.click("#play");
	await browser.until("page.wheel.now > page.wheel.first + 300");
	await browser.click("#play");
	same("a click stops it", false, await browser.eval("page.playing"));
}

async function drop(name, bytes) {
	await browser.eval(`(() => {
		const data = new DataTransfer();
		data.items.add(new File([Uint8Array.from(atob("${
			bytes.toString("base64")}"), (c) => c.charCodeAt(0))],
			"${name}"));
		page.wheel = null;
		document.body.dispatchEvent(new DragEvent("drop",
			{ bubbles: true, cancelable: true, dataTransfer: data }));
	})()`);
	await browser.until("!!page.wheel");
}

async function dropped() {
	const small = fs.readFileSync(`${cases}/traces/small.csv`);

	for (const [name, bytes] of [["small.csv", small],
		["small.csv.gz", zlib.gzipSync(small)]]) {

		await drop(name, bytes);
		await browser.click("#end");
		same(`dropped in: ${name}`, theirs(bytes, [], name),
			await browser.eval(OUTPUT));
	}
	const text = fs.readFileSync(`${cases}/scenarios/days.scn`);

	await drop("days.scn", text);
	await browser.click("#end");
	same("dropped in: a scenario", theirs(text), await browser.eval(OUTPUT));
	await drop("recording.txt", fs.readFileSync("test/tools/web/recording.txt"));
	await browser.click("#end");
	same("dropped in: a recording of firmware", firings(
			fs.readFileSync("test/tools/web/recorded.scn")),
		await browser.eval(FIRINGS(0)));
	same("all its timers ran as often as it says", 0,
		await browser.eval("page.wheel.status"));
	await drop("damaged.txt", Buffer.from(
		"jif-trace 1 hz=1000 bits=64\n00\n"));
	same("dropped in: a damaged recording", [true, false],
		await browser.eval(`[$("text").value.startsWith(
			"# the recording damaged.txt is damaged"),
			page.wheel.running]`));
}

async function looks() {
	const papers = [];

	for (const look of [{}, { dark: true }, { mobile: true },
			{ mobile: true, dark: true }]) {
		const name = (look.mobile ? "phone" : "desktop") +
			(look.dark ? "-dark" : "-light");

		await browser.look(look.mobile ? 360 : 1280, 800, { still: !pictures, ...look });
		await browser.click("#presets button:nth-child(1)");
		await browser.until("page.views.length === 1");
		await browser.click("#event");
		papers.push(await browser.eval(
			`getComputedStyle(document.body).backgroundColor`));
		same(`${name}: nothing is wider than the window`, true,
			await browser.eval(`document.documentElement.scrollWidth <=
				document.documentElement.clientWidth`));
		if (pictures)
			await browser.picture(`${pictures}/${name}.png`);
		await browser.click("#presets button:nth-child(5)");
		await browser.until("page.views.length === 2");
		same(`${name}: nor are two wheels`, true, await browser.eval(
			`document.documentElement.scrollWidth <=
				document.documentElement.clientWidth`));
		if (!pictures)
			continue;
		await browser.eval("runTo(page.wheel.first + 91); update()");
		await new Promise((done) => setTimeout(done, 300));
		await browser.picture(`${pictures}/${name}-two.png`);
	}
	same("light and dark differ, on any screen", [2, papers[0], papers[1]],
		[new Set(papers).size, papers[2], papers[3]]);
}

async function playing() {
	await browser.look(1100, 700, {});
	await browser.go(url);
	await browser.until("!!page.wheel");
	await browser.until("page.views[0].dial.moving.size === 0");
	same("it waits for the visitor when it is opened", [false, "21:30:02"],
		[await browser.eval("page.playing"), await browser.eval(TIME)]);
	await browser.click("#presets button:nth-child(1)");
	same("and plays when an example is chosen", true,
		await browser.eval("page.playing"));
	await browser.until("page.wheel.now > page.wheel.first + 1000");
	await browser.eval(`$("speed").value = "86400"`);
	await browser.until("page.wheel.over");
	same("and comes to the end", "22:33:00", await browser.eval(TIME));
}

// How many arcs each of 60 ticks draws, on the average.
const ARCS = `(() => {
	const { prototype } = CanvasRenderingContext2D, { arc } = prototype;
	const time = performance.now() + 5000;
	let calls = 0;

	prototype.arc = function (...where) {
		calls++;
		arc.apply(this, where);
	};
	for (let n = 0; n < 60; n++) {
		runTo(page.wheel.now + 1);
		page.views[0].dial.draw(time + 16 * n, true);
	}
	prototype.arc = arc;
	return calls / 60;
})()`;

// Dots that lie still are not drawn again: without that, it is 10,000 a frame.
async function many() {
	let text = "start 00:00\nrun until d1 00:00\n";

	for (let n = 1; n <= 1000; n++)
		text += `at 00:00 arm t${n}x{1..10} ${59 + 57 * n}s\n`;
	await paste(text);
	await browser.eval("page.views[0].dial.draw(1e9, true)");
	const arcs = await browser.eval(ARCS);

	console.log(`# ${arcs} arcs a frame`);
	same("with 10,000 timers, a frame draws no more than 200 arcs",
		[10000, true], [await browser.eval("page.most"),
			arcs > 0 && arcs <= 200]);
}

// Of each colour for words on each that is behind words, by WCAG 2.
const CONTRASTS = `(() => {
	const style = getComputedStyle(document.body);
	const light = (name) => {
		const hex = style.getPropertyValue("--" + name).trim().slice(1);
		const [r, g, b] = (hex.length > 3 ? hex.match(/../g) :
			[...hex].map((digit) => digit + digit)).map((part) => {
			const c = parseInt(part, 16) / 255;
			return c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4;
		});
		return .2126 * r + .7152 * g + .0722 * b + .05;
	};
	return [["main", "on"], ...["ink", "dim", "bad"].flatMap((ink) =>
		["paper", "card", "slot"].map((paper) => [ink, paper]))].filter(
		([a, b]) => { const [x, y] = [light(a), light(b)];
			return Math.max(x, y) / Math.min(x, y) < 4.5; });
})()`;

async function readable() {
	for (const dark of [false, true]) {
		await fresh({ dark });
		same(`words can be read, ${dark ? "dark" : "light"}`, [],
			await browser.eval(CONTRASTS));
	}
	same("what has a label has a role that takes one", [],
		await browser.eval(`[...document.querySelectorAll("[aria-label]")]
			.filter((is) => !is.getAttribute("role") &&
				/^(DIV|P|PRE|SPAN)$/.test(is.tagName))
			.map(({ id }) => id)`));
}

async function main() {
	browser = await Browser.open();
	await fresh();
	await stepByStep();
	await presets();
	await pasted();
	await byHand();
	await slots();
	await dropped();
	await keys();
	await looks();
	await readable();
	await many();
	await playing();
	same("nothing but the page is loaded", [],
		[...new Set(browser.requests)].filter((request) =>
			request !== url && !/^(chrome|data|blob):/.test(request)));
	same("the console stays empty", [], browser.problems);
	console.log(`1..${count}`);
}

main().catch((error) => {
	failed++;
	console.log(`not ok ${++count} - the test itself: ${error.stack}`);
}).then(() => {
	if (browser)
		browser.close();
	fs.rmSync(scratch, { recursive: true });
	process.exit(failed ? 1 : 0);
});
