/* SPDX-License-Identifier: MIT */
/* What the state says at first */
#ifndef TX_INITIALIZE_H
#define TX_INITIALIZE_H

#define TX_INITIALIZE_IN_PROGRESS 0xf0f0f0f0u

#endif
