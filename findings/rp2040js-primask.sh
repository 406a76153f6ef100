#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/rp2040js-primask.sh - in rp2040js 1.4.1, a handler runs under PRIMASK
# if its interrupt ends a WFI, and an interrupt before a WFI does not end it
#
# On the chip, a pending interrupt ends WFI also under PRIMASK, and its handler
# runs after CPSIE. Kernels without ticks count on both. Here, that handler
# breaks a critical section, and a wake-up that comes early is lost.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

node --version
npm_package rp2040js 1.4.1

cat >"$folder/primask.js" <<'END'
const { RP2040 } = require('rp2040js');
const RAM = 0x20000000, CYCLE_NS = 8;
const NVIC_ISER = 0xe000e100, TIMELR = 0x4005400c, ALARM0 = 0x40054010;
const INTR = 0x40054034, INTE = 0x40054038;

// The program waits for so many rounds, and then for an alarm after 100 us.
function run(rounds) {
  const chip = new RP2040(), core = chip.core;
  for (let vector = 0; vector < 48; vector++)
    chip.writeUint32(RAM + 4 * vector, RAM + 0x101);
  // handler: movs r4, #1; mrs r5, primask; str r2, [r1]; bx lr
  // main: cpsid i; 1: subs r0, #1; bpl 1b; wfi; mov r6, r4; movs r7, #1
  // cpsie i; b .
  [0x2401, 0xf3ef, 0x8510, 0x600a, 0x4770,
   0xb672, 0x3801, 0xd5fd, 0xbf30, 0x0026, 0x2701, 0xb662, 0xe7fe]
      .forEach((code, i) => chip.writeUint16(RAM + 0x100 + 2 * i, code));
  core.VTOR = RAM;
  core.SP = RAM + 0x8000;
  core.PC = RAM + 0x10a;
  core.registers.set([rounds, INTR, 1, 0, 0, 0, 0, 0]);
  chip.writeUint32(INTE, 1);
  chip.writeUint32(NVIC_ISER, 1);
  chip.writeUint32(ALARM0, chip.readUint32(TIMELR) + 100);
  for (let step = 0; step < 200000; step++)
    chip.clock.tick(CYCLE_NS * (core.waiting ? 1 : core.executeInstruction()));
  const [, , , , ran, masked, before, woke] = core.registers;
  console.log(`WFI ends: ${woke}, handler runs: ${ran},`,
              `before CPSIE: ${before}, with PRIMASK set: ${masked}`);
}

run(1);      // the alarm comes in the WFI
run(10000);  // it comes before
END
NODE_PATH="$folder/node_modules" node "$folder/primask.js" |
	saw "WFI ends: 1, handler runs: 1, before CPSIE: 1, with PRIMASK set: 1
WFI ends: 0, handler runs: 0, before CPSIE: 0, with PRIMASK set: 0" || exit 1
