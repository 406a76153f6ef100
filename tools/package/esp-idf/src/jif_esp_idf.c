/* SPDX-License-Identifier: MIT */
/* jif_esp_idf.c - for CONFIG_JIF_SMP, which core this is */
#include <freertos/FreeRTOS.h>

#include "jif.h"

unsigned jif_smp_core(void)
{
	return (unsigned)xPortGetCoreID();
}
