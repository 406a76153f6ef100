// SPDX-License-Identifier: MIT
//
// test/tools/findings/avr8js.js - runs a program for an ATmega328P on avr8js,
// see lib.sh, and prints what it prints
const avr = require('avr8js');
const code = new Uint8Array(0x8000);
code.set(require('fs').readFileSync(process.argv[2]));
const cpu = new avr.CPU(new Uint16Array(code.buffer));
new avr.AVRTimer(cpu, avr.timer1Config);
const usart = new avr.AVRUSART(cpu, avr.usart0Config, 16e6);
let said = '';
usart.onByteTransmit = (byte) => said += String.fromCharCode(byte);
while (!said.endsWith('end\n') && cpu.cycles < 16e7) {
	avr.avrInstruction(cpu);
	cpu.tick();
}
process.stdout.write(said);
