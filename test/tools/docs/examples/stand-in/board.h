/* SPDX-License-Identifier: MIT */
/* What the examples have of their board */
#ifndef BOARD_H
#define BOARD_H

/* Says it, with the time. */
void board_log(const char *text);

#endif
