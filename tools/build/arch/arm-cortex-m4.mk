# SPDX-License-Identifier: MIT
# Arm v7E-M.
CROSS_COMPILE ?= arm-none-eabi-
ARCH_CFLAGS := -mthumb -mcpu=cortex-m4 -Os -g
ARCH_CORTEX_M := y
