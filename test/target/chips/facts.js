// SPDX-License-Identifier: MIT
//
// usage: node facts.js MODULES
//
// What rp2040js and avr8js do otherwise than the chips, as docs/porting.md has
// it: a version that does not has to be read anew.
'use strict';
const [modules] = process.argv.slice(2);
const from = { paths: [modules] };
const { RP2040 } = require(require.resolve('rp2040js', from));
const avr8js = require(require.resolve('avr8js', from));

const RAM = 0x20000000;
const ALARM0 = 0x40054010;
const TIMERAWL = 0x40054028;
const INTR = 0x40054034;
const SYST_CSR = 0xe000e010;
const SYST_RVR = 0xe000e014;
const NVIC_ISPR = 0xe000e200;
const NVIC_ICPR = 0xe000e280;
const WFI = 0xbf30;
const SMCR = 0x53;
const SEI = 0x9478;
const SLEEP = 0x9588;
const LINE = 26;

// At a WFI, with interrupts off.
function atWfi() {
	const chip = new RP2040();
	chip.writeUint16(RAM, WFI);
	chip.core.PC = RAM;
	chip.core.SP = RAM + 4096;
	chip.core.PM = true;
	chip.core.enabledInterrupts = 1 << LINE;
	return chip;
}

function systick(chip) {
	chip.writeUint32(SYST_RVR, 999);
	chip.writeUint32(SYST_CSR, 7);
	return chip;
}

function systickPeriod() {
	const chip = systick(new RP2040());
	const at = [];
	for (let cycle = 0; at.length < 3; cycle++) {
		chip.clock.tick(8);
		if (chip.core.pendingSystick)
			at.push(cycle);
		chip.core.pendingSystick = false;
	}
	return at[2] - at[1];
}

function systickWakes() {
	const chip = systick(atWfi());
	chip.step();
	chip.clock.tick(1e9);
	return chip.core.pendingSystick && !chip.core.waiting;
}

function alarmIsEarly() {
	const chip = new RP2040();
	chip.clock.tick(500);
	chip.writeUint32(ALARM0, 10);
	chip.clock.tick(9000);
	return chip.readUint32(INTR) === 1 && chip.readUint32(TIMERAWL) === 9;
}

// An interrupt before the WFI, or after it.
function wfi(before) {
	const chip = atWfi();
	if (!before)
		chip.step();
	chip.core.setInterrupt(LINE, true);
	if (before)
		chip.step();
	return chip.core;
}

function icprClears() {
	const chip = new RP2040();
	chip.writeUint32(NVIC_ISPR, 1);
	chip.writeUint32(NVIC_ICPR, 1);
	return chip.core.pendingInterrupts === 0;
}

// Where it goes on after an instruction, with an interrupt if that is SEI.
function avrStep(code) {
	const cpu = new avr8js.CPU(new Uint16Array([code, 0, 0, 0]), 2048);
	cpu.data[SMCR] = 1;
	if (code === SEI)
		cpu.queueInterrupt({ address: 2, flagRegister: 0x3c, flagMask: 1 });
	avr8js.avrInstruction(cpu);
	cpu.tick();
	return cpu.pc;
}

const facts = [
	['rp2040js: SysTick has LOAD cycles', systickPeriod() === 999],
	['rp2040js: SysTick does not end a WFI', !systickWakes()],
	['rp2040js: an alarm is up to 1 us early', alarmIsEarly()],
	['rp2040js: what is pending ends no WFI', wfi(true).waiting],
	['rp2040js: what ends a WFI ignores PRIMASK', wfi(false).IPSR !== 0],
	['rp2040js: ICPR clears nothing', !icprClears()],
	['avr8js: SLEEP does nothing', avrStep(SLEEP) === 1],
	['avr8js: an interrupt comes right after SEI', avrStep(SEI) === 2],
];
facts.forEach(([name, holds], i) =>
	console.log(`${holds ? 'ok' : 'not ok'} ${i + 1} - ${name}`));
process.exitCode = Number(facts.some(([, holds]) => !holds));
