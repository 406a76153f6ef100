# SPDX-License-Identifier: MIT
# Arm v7-M.
CROSS_COMPILE ?= arm-none-eabi-
ARCH_CFLAGS := -mthumb -mcpu=cortex-m3 -Os -g
ARCH_CORTEX_M := y
