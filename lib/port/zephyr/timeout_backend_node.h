/* SPDX-License-Identifier: MIT */
/* lib/port/zephyr/timeout_backend_node.h - is a time-out of Zephyr's queued? */
#ifndef JIF_ZEPHYR_TIMEOUT_BACKEND_NODE_H
#define JIF_ZEPHYR_TIMEOUT_BACKEND_NODE_H

static inline void z_init_timeout(struct _timeout *to)
{
	to->timer.where = JIF_TIMER_IDLE;
}

/* A slot is a small number; what is too far for the wheel is negative. */
static inline bool z_is_inactive_timeout(const struct _timeout *to)
{
	return !to->timer.where || to->timer.where >= JIF_TIMER_IDLE;
}

#endif
