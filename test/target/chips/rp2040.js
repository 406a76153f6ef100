// SPDX-License-Identifier: MIT
//
// usage: node rp2040.js MODULES IMAGE SEED
//
// Runs an image on rp2040js from shortly before the wrap of its 32 bits of
// microseconds on, with interrupts at random: soon while it is awake, in up to
// an hour of a sleep. The standard output is what it says, by ./chips.h, in
// nanoseconds. rp2040js has one core: another one of its class is stepped beside
// it, and finds the same memory, SIO and spinlocks, but has no interrupts.
'use strict';
const fs = require('fs');

const [modules, image, seed] = process.argv.slice(2);
const { RP2040 } = require(
	require.resolve('rp2040js', { paths: [modules] }));

const END = 11;
const LINE = 26;
const FLASH = 0x10000000;
const STACK = 0x20041000;
const CYCLE = 8;
const SAVE = 0xf3ef;
const AWAKE = 100e3;

let chance = 2463534242 + Number(seed);

function random() {
	chance ^= chance << 13;
	chance ^= chance >>> 17;
	chance ^= chance << 5;
	return (chance >>> 0) / 2 ** 32;
}

const chip = new RP2040();
const clock = chip.clock;
const core = chip.core;
const other = new core.constructor(chip);
const alarm = clock.createAlarm(disturb);
const rested = clock.createAlarm(() => resting = false);
const records = Buffer.alloc(65536);
let [used, what, ended, resting, asleep] = [0, 0, false, true, false];

function disturb() {
	core.setInterrupt(LINE, true);
	alarm.schedule(random() * AWAKE);
}

function flush() {
	for (let from = 0; from < used;)
		from += fs.writeSync(1, records, from, used - from);
	used = 0;
}

function say(value) {
	records.writeUInt32LE(what, used);
	records.writeUInt32LE(value >>> 0, used + 4);
	records.writeDoubleLE(clock.nanos, used + 8);
	used += 16;
	ended = what === END;
	if (used === records.length || ended)
		flush();
}

function launch(at) {
	other.PC = at & ~1;
	other.SP = STACK;
	resting = false;
}

function rest(us) {
	resting = true;
	rested.schedule(random() < 0.02 ? 2 ** (random() * 46) : us * 1e3);
}

const written = [(value) => what = value, say, launch, rest,
	() => core.setInterrupt(LINE, true)];
chip.peripherals[0x40068] = {
	writeUint32Atomic: (offset, value) => written[offset / 4](value),
};

const read = chip.sio.readUint32.bind(chip.sio);
chip.sio.readUint32 = (offset) =>
	offset ? read(offset) : Number(chip.core === other);

function step(which) {
	chip.core = which;
	const cycles = which.executeInstruction();
	chip.core = core;
	return cycles * CYCLE;
}

// What is pending ends a WFI, or lets none begin, and waits for PRIMASK.
function wait() {
	const woken = core.pendingInterrupts & core.enabledInterrupts;
	if (core.waiting) {
		core.waiting = false;
		asleep = true;
		alarm.schedule(2 ** (random() * 32) * 1e3);
	}
	if (asleep && woken) {
		asleep = false;
		core.interruptsUpdated = true;
		alarm.schedule(random() * AWAKE);
		if (resting && other.PC)
			rested.schedule(random() * AWAKE);
	}
}

// Each core is late by an instruction now and then, so that their order varies.
function turn() {
	let nanos = 0;
	if (!asleep && (resting || random() < 0.9)) {
		if (chip.readUint16(core.PC & ~1) === SAVE && random() < 0.03)
			alarm.schedule(random() * 1e3);
		nanos = step(core);
		wait();
	}
	if (!resting && random() < 0.9)
		nanos = Math.max(nanos, step(other));
	clock.tick(nanos || (asleep && resting ? clock.nanosToNextAlarm : CYCLE));
	if (asleep)
		wait();
}

clock.nanosCounter = (2 ** 32 - 1e6 * random()) * 1e3;
chip.flash.set(fs.readFileSync(image));
core.VTOR = FLASH;
core.reset();
alarm.schedule(AWAKE);
while (!ended)
	turn();
