#!/usr/bin/env node
 // SPDX-License-Identifier: MIT
//
// usage: test/tools/web/wasm.js FOLDER JIFSIM [long]
//
// The wasm modules of a folder, under node: scenarios, of the simulator's tests
// and of the page, have to give what JIFSIM gives, in results, messages and
// exit status. With spreading, that is all firings. Where the engine puts a
// timer has to be where the page's sentences say.
"use strict";
const fs = require("fs");
const zlib = require("zlib");
const { spawnSync } = require("child_process");
const { load } = require("./source.js");
const { Jif, Wheel, Recording, levelFor, place, delayFor, why, SLOTS, WEEK } =
load("jif.js", "why.js", "wheel.js", "recording.js");

const [folder, jifsim, long] = process.argv.slice(2);
let count = 0,
	failed = 0;

function check(name, want, got) {
	const good = want === got;

	count++;
	failed += !good;
	console.log(`${good ? "" : "not "}ok ${count} - ${name}`);
	if (good)
		return;
	fs.writeFileSync(`${folder}/want`, want);
	fs.writeFileSync(`${folder}/got`, got);
	console.log(spawnSync("diff", ["-u", `${folder}/want`, `${folder}/got`])
		.stdout.toString().split("\n").slice(0, 30)
		.map((line) => "#     " + line).join("\n"));
}

const files = {
	get(path) {
		const bytes = fs.existsSync(path) && fs.readFileSync(path);

		return bytes && bytes[0] === 0x1f ? zlib.gunzipSync(bytes) : bytes;
	},
};

function run(jif, path, replay) {
	const status = jif.start(path, replay);
	const end = jif.wasm.last();

	if (status)
		return status;
	/* As in the page: a few ticks, or many, at a time. */
	for (let n = 1; jif.wasm.now() < end; n = n * 7 % 1000003)
		jif.wasm.run(Math.min(end, jif.wasm.now() + n));
	return jif.wasm.stop();
}

async function ours(module, path) {
	const out = { 1: [], 2: [] },
		fired = [];
	const nothing = () => {};
	const jif = await Jif.make(module, files, {
		write: (file, text) => out[file].push(text),
		placed: nothing,
		ended: nothing,
		fired: (id, tick) => fired.push(`${tick - jif.wasm.first()} ` +
			`${jif.name(id)}\n`),
	});
	const status = run(jif, path, path.endsWith(".csv"));

	return {
		out: out[1].join(""),
		err: out[2].join(""),
		status,
		firings: fired.join("")
	};
}

function theirs(path, ...options) {
	const imports = path.endsWith(".csv") ? [] : ["--import-anywhere"];
	const run = spawnSync(jifsim, [path.endsWith(".csv") ? "replay" : "run",
		...imports, ...options, path], { maxBuffer: 1 << 28 });

	return {
		out: run.stdout.toString(),
		err: run.stderr.toString(),
		status: run.status
	};
}

function show(result) {
	return `${result.out}${result.err}exit status ${result.status}\n`;
}

/* All that JIFSIM fires. */
function firings(path) {
	return theirs(path, "--json").out.split("\n").filter((line) =>
			line.includes('"type":"fire"')).map(JSON.parse)
		.map(({ tick, timer }) => `${tick} ${timer}\n`).join("");
}

/* The page knows no folders, and no packed files that are damaged. */
const LEFT_OUT = /import-(folder|outside)|zip\.csv/;
const CASES = `${folder}/cases`;
const SLOW = /week-100k|ten-years|weekly-edge|limit\.scn/;

function paths(folder) {
	return fs.readdirSync(folder).map((name) => `${folder}/${name}`)
		.filter((path) => /\.(scn|csv)$/.test(path) &&
			!LEFT_OUT.test(path) && (long || !SLOW.test(path)));
}

async function sameAsJifsim(modules) {
	fs.rmSync(CASES, { recursive: true, force: true });
	spawnSync("test/tools/sim/cases", [CASES], { stdio: "inherit" });
	const run = [...paths(`${CASES}/scenarios`), ...paths("tools/show/web/presets")];
	const files = [...run, ...paths(`${CASES}/bad`), ...paths(`${CASES}/traces`)];
	const named = (path) => path.replace(CASES, "test/tools/sim");

	for (const path of files)
		check(named(path), show(theirs(path)),
			show(await ours(modules[0], path)));
	for (const path of run) {
		const want = /week-100k/.test(path) ? "" : firings(path);

		if (want)
			check(`${named(path)} with spreading`, want,
				(await ours(modules[1], path)).firings);
	}
}

/* A wheel at some time of day 0, with nothing on it. */
async function wheelAt(module, clock) {
	const two = (n) => String(Math.floor(n)).padStart(2, "0");
	const text = `start ${[clock / 3600, clock / 60 % 60, clock % 60]
		.map(two).join(":")}\nrun until d9999999 00:00\n`;

	return Wheel.start(module, new Map([["empty",
		new TextEncoder().encode(text)]]), "empty");
}

/* Each delay of some, at some times: where the engine puts it, and moves it. */
async function placements(module, spread) {
	let wrong = 0,
		looked = 0;

	for (const clock of [0, 59, 3599, 77402, 86399]) {
		const wheel = await wheelAt(module, clock);
		const look = ({ what, timer, clock }) => {
			const at = place(clock, timer.delta, timer.level);
			const level = levelFor(clock, timer.delta, spread);

			looked++;
			wrong += at.slot !== timer.slot || !why(timer, wheel, spread) ||
				what === "arm" && level !== timer.level;
		};

		for (let delay = 1; delay < 2 * WEEK; delay += 1 + (delay >> 6)) {
			wheel.arm("a" + delay, delay);
			wheel.take().forEach(look);
		}
		for (const [id, level, slot, remaining] of wheel.jif.walk()) {
			const timer = wheel.timers.get(id);
			const at = place(wheel.clock, timer.delta, level);

			wrong += timer.level !== level || timer.slot !== slot ||
				at.left !== remaining % WEEK;
		}
		while (wheel.timers.size) {
			wheel.run(wheel.next);
			for (const event of wheel.take())
				if (event.what === "move")
					look({ ...event, timer: { ...event.timer } });
		}
	}
	check(`thousands of places are those of the sentences, spread ${spread}`,
		"none is wrong", wrong || looked < 5000 ?
		`${wrong} of ${looked} are wrong` : "none is wrong");
}

/* A click on a slot: the delay leads there; or no delay does, of all. */
async function clicks(module, spread) {
	let wrong = 0;

	for (const clock of [0, 1, 59, 60, 3540, 3599, 77402, 86399]) {
		const wheel = await wheelAt(module, clock);
		const reached = new Set();
		const armed = (delay) => {
			wheel.arm("a", delay);
			const timer = wheel.find("a");

			return `${timer.level} ${timer.slot}`;
		};

		for (let delay = 1; delay < 2 * WEEK; delay += delay < 14400 ? 1 : 599)
			reached.add(armed(delay));
		for (let level = 0; level < 4; level++)
			for (let slot = 0; slot < SLOTS[level]; slot++) {
				const delay = delayFor(clock, level, slot, spread);
				const name = `${level} ${slot}`;

				wrong += delay ? armed(delay) !== name :
					reached.has(name);
			}
	}
	check(`a click arms where it should, spread ${spread}`,
		"none is wrong", wrong ? `${wrong} are wrong` : "none is wrong");
}

/* What a recording becomes runs as what was recorded; also without its begin. */
function recordings() {
	const text = fs.readFileSync("test/tools/web/recording.txt", "utf8");
	const lines = text.split("\n");
	const all = firings("test/tools/web/recorded.scn");
	/* The tick in the eleventh record, and what is after the thirteenth. */
	const later = [lines[0].replace("records=56", "records=44"), lines[11],
		...lines.slice(14)].join("\n");

	for (const [name, recording] of [["a recording", text],
		["a recording that begins later", later]]) {
		const path = `${folder}/recorded.scn`;

		fs.writeFileSync(path, new Recording(recording).scenario(name));
		check(name, all, firings(path));
	}
	check("six timers ran in it", "6", `${all.split("\n").length - 1}`);
}

async function main() {
	const modules = await Promise.all([0, 8].map((spread) =>
		WebAssembly.compile(fs.readFileSync(`${folder}/jif${spread}.wasm`))));

	await sameAsJifsim(modules);
	for (const [at, spread] of [[0, 0], [1, 8]]) {
		await placements(modules[at], spread);
		await clicks(modules[at], spread);
	}
	recordings();
	console.log(`1..${count}`);
	process.exit(failed ? 1 : 0);
}

main();
