/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/model/step/engine.c - where the engine begins: it is linked right
 * behind this
 */
#include "world.h"

__asm__(".section .text.step_engine, \"ax\"\n"
	".globl step_engine\n"
	"step_engine:\n\t"
	"nop\n");
