/* SPDX-License-Identifier: MIT */
/*
 * What Zephyr's own queues need: a time-out with their fields, a list
 *
 * Ours: the texts that have these were not to be had. A time-out is idle if all
 * of it is 0.
 */
#ifndef TEST_ZEPHYR_QUEUES_H
#define TEST_ZEPHYR_QUEUES_H

#define CONFIG_TIMEOUT_BUCKET_LISTS	  32
#define CONFIG_TIMEOUT_SKIPLIST_MAX_LEVEL 8
#ifndef CONFIG_TIMEOUT_HEAP_MAX_ENTRIES
#define CONFIG_TIMEOUT_HEAP_MAX_ENTRIES 400
#endif

#if __STDC_HOSTED__
#define SYS_INIT_FIRST __attribute__((constructor)) static
#else
#define SYS_INIT_FIRST
#endif
#define SYS_INIT(fn, level, priority)                                          \
	SYS_INIT_FIRST void test_queue_init(void)                              \
	{                                                                      \
		fn();                                                          \
	}

static inline unsigned u32_count_trailing_zeros(uint32_t value)
{
	return value ? (unsigned)__builtin_ctz(value) : 32;
}

typedef struct node {
	struct node *next, *prev;
} sys_dnode_t;
typedef sys_dnode_t sys_dlist_t;

#define SYS_DLIST_STATIC_INIT(list)                                            \
	{                                                                      \
		list, list                                                     \
	}
#define sys_dlist_init(list)	 ((list)->next = (list)->prev = (list))
#define sys_dlist_is_empty(list) ((list)->next == (list))
#define sys_dlist_peek_next(list, node)                                        \
	((node)->next == (list) ? NULL : (node)->next)
#define sys_dlist_peek_head(list) sys_dlist_peek_next(list, list)
#define sys_dlist_peek_tail(list) ((list)->prev == (list) ? NULL : (list)->prev)
#define sys_dlist_insert(at, node)                                             \
	sys_dlist_range_prepend((at)->prev, node, node)
#define sys_dlist_append(list, node)  sys_dlist_insert(list, node)
#define sys_dlist_prepend(list, node) sys_dlist_range_prepend(list, node, node)
#define SYS_DLIST_FOR_EACH_CONTAINER(list, at, in)                             \
	for (sys_dnode_t *node_ = (list)->next;                                \
	     node_ != (list) &&                                                \
	     (at = CONTAINER_OF(node_, __typeof__(*(at)), in));                \
	     node_ = node_->next)

static inline void sys_dlist_remove(sys_dnode_t *node)
{
	node->prev->next = node->next;
	node->next->prev = node->prev;
	node->next = node->prev = NULL;
}

/* Nodes that are in no list, or off one that is left as it is. */
static inline void sys_dlist_range_prepend(sys_dlist_t *list, sys_dnode_t *head,
					   sys_dnode_t *tail)
{
	if (head->prev) {
		head->prev->next = tail->next;
		tail->next->prev = head->prev;
	}
	head->prev = list;
	tail->next = list->next;
	list->next->prev = tail;
	list->next = head;
}

/* A time-out, with what the queue reads of it; and what it is not idle by. */
#if defined(CONFIG_TIMEOUT_BACKEND_MINHEAP)
#include <zephyr/sys/min_heap_ref.h>

struct _timeout {
	struct min_heap_handle heap_handle;
	_timeout_func_t fn;
	int64_t abs_ticks;
};
#define TIMEOUT_QUEUED heap_handle.idx
#elif defined(CONFIG_TIMEOUT_BACKEND_SKIPLIST)
struct _timeout {
	_timeout_func_t fn;
	int64_t abs_ticks;
	struct _timeout *forward[CONFIG_TIMEOUT_SKIPLIST_MAX_LEVEL];
	uint8_t height;
};
#define TIMEOUT_QUEUED height
#else
struct _timeout {
	sys_dnode_t node;
	_timeout_func_t fn;
	k_ticks_t dticks;
#ifdef CONFIG_TIMEOUT_BACKEND_WHEEL
	uint8_t flags;
#endif
};
#define TIMEOUT_QUEUED node.next
#endif

static inline void z_init_timeout(struct _timeout *to)
{
	to->TIMEOUT_QUEUED = 0;
}

static inline bool z_is_inactive_timeout(const struct _timeout *to)
{
	return !to->TIMEOUT_QUEUED;
}

#endif
