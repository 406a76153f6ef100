// SPDX-License-Identifier: MIT
//
// usage: node avr8js.js MODULES IMAGE SEED
//
// Runs an image on the ATmega328P of avr8js, as ./rp2040.js does, in cycles. Of
// a SLEEP, avr8js makes nothing, and it interrupts right after SEI: here, time
// goes on to the next interrupt, and the instruction after SEI comes first.
'use strict';
const fs = require('fs');

const [modules, image, seed] = process.argv.slice(2);
const { AVRIOPort, AVRTimer, CPU, avrInstruction, portDConfig, timer1Config } =
require(require.resolve('avr8js', { paths: [modules] }));

const END = 11;
const GPIOR0 = 0x3e;
const SMCR = 0x53;
const IDLE = 1;
const SEI = 0x9478;
const SAVE = 0xb60f;
const SLEEP = 0x9588;
const AWAKE = 64000;

let chance = 2463534242 + Number(seed);

// A whole number below a limit.
function draw(limit) {
	chance ^= chance << 13;
	chance ^= chance >>> 17;
	chance ^= chance << 5;
	return Math.floor((chance >>> 0) / 2 ** 32 * limit);
}

const program = new Uint16Array(0x4000);
new Uint8Array(program.buffer).set(fs.readFileSync(image));
const cpu = new CPU(program, 2048);
new AVRTimer(cpu, timer1Config);
const port = new AVRIOPort(cpu, portDConfig);
const records = Buffer.alloc(65536);
let [used, byte, ended, pin] = [0, 0, false, false];

function disturb() {
	pin = !pin;
	port.setPin(2, pin);
	cpu.addClockEvent(disturb, draw(AWAKE));
}

function again(cycles) {
	cpu.clearClockEvent(disturb);
	cpu.addClockEvent(disturb, cycles);
}

function flush() {
	for (let from = 0; from < used;)
		from += fs.writeSync(1, records, from, used - from);
	used = 0;
}

// What and timer are two bytes of the first number.
cpu.writeHooks[GPIOR0] = (value) => {
	records[used + (byte < 2 ? byte : byte + 2)] = value;
	if (++byte < 6)
		return;
	records.writeDoubleLE(cpu.cycles, used + 8);
	ended = records[used] === END;
	used += 16;
	byte = 0;
	if (used === records.length || ended)
		flush();
};

function sleep() {
	if (cpu.data[SMCR] !== IDLE)
		throw new Error('it sleeps where TIMER1 stands, or not at all');
	again(draw(2 ** draw(31)));
	while (cpu.interruptsEnabled) {
		const { cycles } = cpu.nextClockEvent;
		if (cpu.nextInterrupt < 0)
			cpu.cycles = Math.max(cpu.cycles, cycles);
		cpu.tick();
	}
	again(draw(AWAKE));
}

again(AWAKE);
while (!ended) {
	const code = program[cpu.pc];
	avrInstruction(cpu);
	if (code === SLEEP)
		sleep();
	if ((code & 0xfe0f) === SAVE && !draw(32))
		again(1 + draw(200));
	if (code !== SEI)
		cpu.tick();
}
