/* SPDX-License-Identifier: MIT */
/*
 * test/target/qemu/trace.c - a plugin for QEMU: at=FILE counts as ../trace.h
 * says; the time is the number of instructions
 */
#include "../trace.h"

#include <string.h>

#include "plugin.h"

int qemu_plugin_version = 1;

static void execute(unsigned cpu, void *place)
{
	static unsigned long long instructions;

	trace_step((uint32_t)(uintptr_t)place, ++instructions);
}

static void translate(uint64_t id, struct qemu_plugin_tb *block)
{
	struct qemu_plugin_insn *instruction;

	for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++) {
		instruction = qemu_plugin_tb_get_insn(block, i);
		qemu_plugin_register_vcpu_insn_exec_cb(
			instruction, execute, 0,
			(void *)(uintptr_t)qemu_plugin_insn_vaddr(instruction));
	}
}

int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv)
{
	if (argc != 1 || strncmp(argv[0], "at=", 3) ||
	    !trace_begin(argv[0] + 3))
		return 1;
	qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
	return 0;
}
