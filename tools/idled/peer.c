/* SPDX-License-Identifier: MIT */
/*
 * tools/idled/peer.c - how many connections each address has
 *
 * Of IPv6, a network of 64 bits is one: who has an address has all of those.
 */
#include <netinet/in.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "idled.h"

static void *peers;
static unsigned npeers;

static int compare(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(((struct peer *)0)->address));
}

static struct peer key_of(const struct sockaddr_storage *from)
{
	const struct sockaddr_in6 *ipv6 = (const void *)from;
	const struct sockaddr_in *ipv4 = (const void *)from;
	struct peer key = { .address = { [10] = 0xff, [11] = 0xff } };

	if (from->ss_family == AF_INET)
		memcpy(&key.address[12], &ipv4->sin_addr, 4);
	else if (IN6_IS_ADDR_V4MAPPED(&ipv6->sin6_addr))
		memcpy(key.address, &ipv6->sin6_addr, 16);
	else
		memcpy(key.address, &ipv6->sin6_addr, 8);
	return key;
}

struct peer *peer_add(const struct sockaddr_storage *from)
{
	struct peer key = key_of(from);
	struct peer **found = tfind(&key, &peers, compare);
	struct peer *peer;

	if (found && (*found)->count >= options.per_address)
		return NULL;
	if (!found) {
		peer = malloc(sizeof(*peer));
		if (!peer)
			return NULL;
		*peer = key;
		found = tsearch(peer, &peers, compare);
		if (!found) {
			free(peer);
			return NULL;
		}
		npeers++;
	}
	(*found)->count++;
	return *found;
}

void peer_del(struct peer *peer)
{
	if (--peer->count)
		return;
	tdelete(peer, &peers, compare);
	free(peer);
	npeers--;
}

unsigned peer_count(void)
{
	return npeers;
}
