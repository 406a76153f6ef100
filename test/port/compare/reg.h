/* SPDX-License-Identifier: MIT */
/* The registers of the simulation, as JIF_REG */
#pragma once

#include <stdint.h>

uint32_t jif_reg_read(uintptr_t at);
void jif_reg_write(uintptr_t at, uint32_t value);
uint8_t jif_reg_read8(uintptr_t at);
void jif_reg_write8(uintptr_t at, uint8_t value);
void jif_mie_set(uint32_t bits);
void jif_mie_clear(uint32_t bits);
