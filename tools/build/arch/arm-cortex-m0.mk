# SPDX-License-Identifier: MIT
# Arm v6-M: no divider, no count of leading zeros.
CROSS_COMPILE ?= arm-none-eabi-
ARCH_CFLAGS := -mthumb -mcpu=cortex-m0 -Os -g
ARCH_CORTEX_M := y
