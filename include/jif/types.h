/* SPDX-License-Identifier: MIT */
/* jif/types.h - version, results and the few helpers that all headers share */
#ifndef JIF_TYPES_H
#define JIF_TYPES_H

#include <jif/compiler.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** JIF_VERSION - 0xMMmmpp: major, minor and patch level */
#define JIF_VERSION 0x020000

/* Errors are returned as negative values, and have the numbers of errno. */
#define JIF_ENOENT    2	  /* there is no such key, entry or object */
#define JIF_EBUSY     16  /* it is pending, or ready, already */
#define JIF_EEXIST    17  /* the key is there already */
#define JIF_EINVAL    22  /* an argument that is never accepted */
#define JIF_ENOSPC    28  /* the table, queue or buffer is full */
#define JIF_ERANGE    34  /* further, or longer, than JIF_DELAY_MAX */
#define JIF_EDEADLK   35  /* it would wait for itself */
#define JIF_ENODATA   61  /* the buffer has nothing of jif's */
#define JIF_EBADMSG   74  /* the buffer is damaged */
#define JIF_EMSGSIZE  90  /* the buffer lacks its end */
#define JIF_ENOTSUP   95  /* it is of a later version */
#define JIF_ESTALE    116 /* it is of another product */
#define JIF_ECANCELED 125 /* the table, service or loop is stopped */

/** JIF_DELAY_MAX - how far an expiry may be; further ahead counts as past */
#define JIF_DELAY_MAX UINT32_C(0x7fffffff)

/** JIF_FOREVER - a count or a wait that has no end */
#define JIF_FOREVER UINT32_MAX

/** JIF_SLEEP_MAX - the most jiffies that a main loop sleeps in one go */
#define JIF_SLEEP_MAX UINT32_C(0x40000000)

/**
 * typedef jif_put_fn - prints a character
 * @c:		the character
 */
typedef void jif_put_fn(char c);

/**
 * jif_container_of - the object in which a timer is embedded
 * @ptr:	pointer to the member
 * @type:	type of the object
 * @member:	name of the member within @type
 *
 * A pointer of another type than that of the member does not compile in C++ and
 * from GCC 14 on, and else has a warning, except for one to void.
 * Return: pointer to the object.
 */
#define jif_container_of(ptr, type, member)                                    \
	((type *)((char *)(1 ? (ptr) : &((type *)0)->member) -                 \
		  offsetof(type, member)))

#endif
