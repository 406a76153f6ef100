/* SPDX-License-Identifier: MIT */
/*
 * test/target/qemu/plugin.h - what is used of QEMU's interface for plugins,
 * for which Debian has no header
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct qemu_plugin_tb;
struct qemu_plugin_insn;

void qemu_plugin_register_vcpu_tb_trans_cb(
	uint64_t id, void (*call)(uint64_t id, struct qemu_plugin_tb *block));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *block,
					  void (*call)(unsigned cpu, void *arg),
					  int flags, void *arg);
void qemu_plugin_register_vcpu_insn_exec_cb(
	struct qemu_plugin_insn *instruction,
	void (*call)(unsigned cpu, void *arg), int flags, void *arg);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
struct qemu_plugin_insn *
qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t index);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *instruction);
int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv);

extern int qemu_plugin_version;
