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

#include "../../../lib/jiffies.c"
