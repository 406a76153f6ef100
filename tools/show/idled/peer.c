/* SPDX-License-Identifier: MIT */
/*
 * tools/show/idled/peer.c - how many connections each address has
 *
 * Of IPv6, a network of 64 bits is one: who has an address has all of those.
 *
 * A hash table whose memory is taken at the start. Its hash is multilinear with
 * random factors, so nobody can choose addresses that share a bucket.
 */
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "idled.h"

static struct peer *peers; /* from 1 on: 0 ends a list */
static uint32_t *buckets;  /* the first one in each */
static uint32_t mask, unused;
static uint64_t factors[5];
static unsigned npeers;

bool peer_init(void)
{
	while (mask < options.connections)
		mask = 2 * mask + 1;
	peers = calloc((size_t)options.connections + 1, sizeof(*peers));
	buckets = calloc((size_t)mask + 1, sizeof(*buckets));
	if (!peers || !buckets ||
	    getrandom(factors, sizeof(factors), 0) != sizeof(factors))
		return false;
	for (uint32_t i = 1; i < options.connections; i++)
		peers[i].next = i + 1;
	unused = 1;
	return true;
}

static struct peer key_of(const struct sockaddr_storage *from)
{
	const struct sockaddr_in6 *ipv6 = (const void *)from;
	const struct sockaddr_in *ipv4 = (const void *)from;
	struct peer key = { .address = { [2] = htonl(0xffff) } };

	if (from->ss_family == AF_INET)
		memcpy(&key.address[3], &ipv4->sin_addr, 4);
	else if (IN6_IS_ADDR_V4MAPPED(&ipv6->sin6_addr))
		memcpy(key.address, &ipv6->sin6_addr, 16);
	else
		memcpy(key.address, &ipv6->sin6_addr, 8);
	return key;
}

/* Where the number of an address is, or 0 at the end of its bucket. */
static uint32_t *find(const uint32_t *address)
{
	uint64_t hash = factors[4];
	uint32_t *at;

	for (unsigned i = 0; i < 4; i++)
		hash += factors[i] * address[i];
	at = &buckets[hash >> 32 & mask];
	while (*at && memcmp(peers[*at].address, address, 16))
		at = &peers[*at].next;
	return at;
}

struct peer *peer_add(const struct sockaddr_storage *from)
{
	struct peer key = key_of(from);
	uint32_t *at = find(key.address);
	struct peer *peer = &peers[*at ? *at : unused];

	if (*at && peer->count >= options.per_address)
		return NULL;
	if (!*at) {
		*at = unused;
		unused = peer->next;
		*peer = key;
		npeers++;
	}
	peer->count++;
	return peer;
}

void peer_del(struct peer *peer)
{
	uint32_t *at;

	if (--peer->count)
		return;
	at = find(peer->address);
	*at = peer->next;
	peer->next = unused;
	unused = (uint32_t)(peer - peers);
	npeers--;
}

unsigned peer_count(void)
{
	return npeers;
}
