# SPDX-License-Identifier: MIT
# ATmega328P class: 8 bits, 2 KiB of RAM.
CROSS_COMPILE ?= avr-
ARCH_CFLAGS := -mmcu=atmega328p -Os -g
ARCH_AVR := y
