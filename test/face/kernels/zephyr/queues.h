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
#define CONFIG_TIMEOUT_HEAP_MAX_ENTRIES	  400

#define SYS_INIT(fn, level, priority)                                          \
	__attribute__((constructor)) static void fn##_first(void)              \
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

#ifdef CONFIG_TIMEOUT_BACKEND_MINHEAP
#include <zephyr/sys/min_heap_ref.h>
#else
struct min_heap_handle {
	uint16_t idx;
};
#endif

struct _timeout {
	sys_dnode_t node;
	_timeout_func_t fn;
	k_ticks_t dticks;
	int64_t abs_ticks;
	struct _timeout *forward[CONFIG_TIMEOUT_SKIPLIST_MAX_LEVEL];
	struct min_heap_handle heap_handle;
	uint8_t height;
	uint8_t flags;
};

static inline void z_init_timeout(struct _timeout *to)
{
	to->node.next = to->node.prev = NULL;
	to->heap_handle.idx = 0;
	to->height = to->flags = 0;
}

static inline bool z_is_inactive_timeout(const struct _timeout *to)
{
	return !to->node.next && !to->heap_handle.idx && !to->height;
}

#endif
