#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/rp2040js-systick.sh - in rp2040js 1.4.1, SysTick's period is one
# cycle too short, and its interrupt does not end WFI
#
# On the chip, a period is LOAD + 1 cycles, and each interrupt that is enabled
# ends WFI. A kernel that idles in WFI until its tick stands still here: an
# alarm of the RP2040's own timer does end WFI.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

node --version
npm_package rp2040js 1.4.1

cat >"$folder/systick.js" <<'END'
const { RP2040 } = require('rp2040js');
const RAM = 0x20000000, CYCLE_NS = 8;
const CSR = 0xe000e010, LOAD = 0xe000e014, VALUE = 0xe000e018;
const NVIC_ISER = 0xe000e100, TIMELR = 0x4005400c, ALARM0 = 0x40054010;
const INTR = 0x40054034, INTE = 0x40054038;
const COUNTFLAG = 1 << 16, CPU_CLOCK = 4, INTERRUPT = 2, ENABLE = 1;

function systick(chip, load, flags) {
  chip.writeUint32(LOAD, load);
  chip.writeUint32(VALUE, 0);
  chip.writeUint32(CSR, flags);
}

function cycles(chip, flags) {
  for (let cycle = 1;; cycle++) {
    chip.clock.tick(CYCLE_NS);
    if (chip.readUint32(CSR) & COUNTFLAG && --flags === 0)
      return cycle;
  }
}

const idle = new RP2040();
systick(idle, 99, CPU_CLOCK | ENABLE);
cycles(idle, 2); // the first period is another one
console.log('LOAD is 99, 1,000 periods in cycles:', cycles(idle, 1000));

// R0 counts how often WFI ends.
function wakeups(start) {
  const chip = new RP2040(), core = chip.core;
  for (let vector = 0; vector < 48; vector++)
    chip.writeUint32(RAM + 4 * vector, RAM + 0x101);
  // handler: str r2, [r1]; bx lr; main: wfi; adds r0, #1; b main
  [0x600a, 0x4770, 0xbf30, 0x3001, 0xe7fc].forEach((code, i) => {
    chip.writeUint16(RAM + 0x100 + 2 * i, code);
  });
  core.VTOR = RAM;
  core.SP = RAM + 0x8000;
  core.PC = RAM + 0x104;
  core.registers[1] = INTR;
  core.registers[2] = 1;
  start(chip);
  for (let step = 0; step < 100000; step++)
    chip.clock.tick(CYCLE_NS * (core.waiting ? 1 : core.executeInstruction()));
  return core.registers[0];
}

console.log('SysTick each 1,000 cycles, WFI ends:', wakeups((chip) => {
  systick(chip, 999, CPU_CLOCK | INTERRUPT | ENABLE);
}));
console.log('an alarm, WFI ends:', wakeups((chip) => {
  chip.writeUint32(INTE, 1);
  chip.writeUint32(NVIC_ISER, 1);
  chip.writeUint32(ALARM0, chip.readUint32(TIMELR) + 100);
}));
END
NODE_PATH="$folder/node_modules" node "$folder/systick.js" |
	saw "LOAD is 99, 1,000 periods in cycles: 99000
SysTick each 1,000 cycles, WFI ends: 0
an alarm, WFI ends: 1" || exit 1
