/* SPDX-License-Identifier: MIT */
/* Whether a handler runs */
#ifndef TX_THREAD_H
#define TX_THREAD_H

#include "tx_api.h"

extern volatile ULONG _tx_thread_system_state;

#endif
