/* SPDX-License-Identifier: MIT */
/*
 * test/target/qemu/limit.c - a plugin for QEMU: most=N ends it after N
 * instructions, with a line that says so and the exit status 3
 *
 * So no test depends on how fast the machine is that it runs on.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plugin.h"

#define OVER_THE_LIMIT 3

int qemu_plugin_version = 1;

static uint64_t left;

static void execute(unsigned cpu, void *instructions)
{
	static const char text[] = "over the limit of instructions\n";

	if (left < (uintptr_t)instructions)
		_exit(write(STDOUT_FILENO, text, sizeof(text) - 1) < 0 ?
			      EXIT_FAILURE :
			      OVER_THE_LIMIT);
	left -= (uintptr_t)instructions;
}

static void translate(uint64_t id, struct qemu_plugin_tb *block)
{
	uintptr_t instructions = qemu_plugin_tb_n_insns(block);

	qemu_plugin_register_vcpu_tb_exec_cb(block, execute, 0,
					     (void *)instructions);
}

int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv)
{
	if (argc != 1 || strncmp(argv[0], "most=", 5))
		return 1;
	left = strtoull(argv[0] + 5, NULL, 10);
	qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
	return 0;
}
