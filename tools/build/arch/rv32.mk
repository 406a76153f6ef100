# SPDX-License-Identifier: MIT
# RV32IMAC, machine mode.
CROSS_COMPILE ?= riscv64-unknown-elf-
ARCH_CFLAGS := -march=rv32imac_zicsr -mabi=ilp32 -mcmodel=medlow -Os -g
ARCH_RISCV := y
