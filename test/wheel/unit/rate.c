/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/unit/rate.c - lib/jiffies.c once more, for another tick rate: RATE
 *
 * What it defines gets the rate at the end of its name, if it does not have it
 * already. The build's own configuration is kept out.
 */
#define JIF_AUTOCONF_H
#undef CONFIG_JIF_HZ
#define CONFIG_JIF_HZ RATE

#define PASTE2(a, b)  a##b
#define PASTE(a, b)   PASTE2(a, b)
#define jif_jiffies   PASTE(jif_jiffies_, CONFIG_JIF_HZ)
#define jif_tick      PASTE(jif_tick_, CONFIG_JIF_HZ)
#define jif_ticks     PASTE(jif_ticks_, CONFIG_JIF_HZ)
#define jif_now	      PASTE(jif_now_, CONFIG_JIF_HZ)
#define jif_now64     PASTE(jif_now64_, CONFIG_JIF_HZ)

#include <jif/jiffies.h>

/* What a program has of the header. */
#define TO_JIFFIES PASTE(wide_to_jiffies_, CONFIG_JIF_HZ)
#define TO_MSECS   PASTE(wide_to_msecs_, CONFIG_JIF_HZ)
#define UPTIME	   PASTE(uptime_, CONFIG_JIF_HZ)

uint32_t TO_JIFFIES(uint64_t ms);
uint32_t TO_MSECS(uint64_t span);
uint64_t UPTIME(void);

uint32_t TO_JIFFIES(uint64_t ms)
{
	return jif_msecs_to_jiffies(ms);
}

uint32_t TO_MSECS(uint64_t span)
{
	return jif_jiffies_to_msecs(span);
}

uint64_t UPTIME(void)
{
	return jif_uptime_ms();
}

#include "../../../lib/jiffies.c"
