/* SPDX-License-Identifier: MIT */
/* The command line */
#include <getopt.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "idled.h"

#define KNOWN (sizeof(known) / sizeof(*known))

struct options options = {
	.idle_ms = 30000,
	.grace_ms = 10000,
	.connections = 1000,
};

static const char help[] =
	"usage: idled [OPTION]...\n\n"
	"Accepts TCP connections, reads whatever comes, and closes those\n"
	"from which nothing has come for a while. SIGTERM stops it: they\n"
	"have the time of --grace to end; a second one ends them at once.\n\n"
	"  --listen=ADDRESS:PORT  where (127.0.0.1:7000; port 0: any)\n"
	"  --status=ADDRESS:PORT  counters by HTTP (nowhere): / as text,\n"
	"                         /metrics for Prometheus\n"
	"  --idle=TIME            closes after so long without a byte (30s)\n"
	"  --grace=TIME           how long a stop waits (10s)\n"
	"  --connections=N        at most so many (1000)\n"
	"  --per-address=N        most of one IPv4 address or one network\n"
	"                         of IPv6 (/64; no limit)\n"
	"  --help, --version\n\n"
	"A TIME has a unit: ms, s, m or h. With $NOTIFY_SOCKET, systemd is\n"
	"told when it is ready and when it stops, with $WATCHDOG_USEC, also\n"
	"that its loop turns.\n";

__attribute__((noreturn)) static void
reject(const char *flag, const char *value, const char *expected)
{
	fprintf(stderr, "idled: --%s: \"%s\": expected %s\n", flag, value,
		expected);
	exit(2);
}

static void parse_endpoint(const char *flag, const char *value, void *endpoint)
{
	static const char expected[] =
		"ADDRESS:PORT, such as 127.0.0.1:7000 or [::1]:7000";
	static const struct addrinfo hints = {
		.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE,
		.ai_socktype = SOCK_STREAM,
	};
	const char *colon = strrchr(value, ':');
	struct endpoint *to = endpoint;
	struct addrinfo *found;
	char host[64];
	size_t length;

	/* getaddrinfo() takes a number that is no port modulo 65536. */
	if (!colon || !colon[1] || colon[1 + strspn(colon + 1, "0123456789")] ||
	    strtoul(colon + 1, NULL, 10) > UINT16_MAX)
		reject(flag, value, expected);
	length = (size_t)(colon - value);
	if (length > 2 && value[0] == '[' && colon[-1] == ']') {
		value++;
		length -= 2;
	}
	if (!length || length >= sizeof(host))
		reject(flag, value, expected);
	memcpy(host, value, length);
	host[length] = '\0';
	if (getaddrinfo(host, colon + 1, &hints, &found))
		reject(flag, value, expected);
	memcpy(&to->address, found->ai_addr, found->ai_addrlen);
	to->size = found->ai_addrlen;
	freeaddrinfo(found);
}

/* A number from 1 to @most, and what follows it. */
static bool parse_digits(const char *value, uint64_t most, uint64_t *number,
			 char **end)
{
	if (*value < '0' || *value > '9' || strlen(value) > 15)
		return false;
	*number = strtoull(value, end, 10);
	return *number && *number <= most;
}

static void parse_time(const char *flag, const char *value, void *ms)
{
	static const struct {
		const char *name;
		uint32_t ms;
	} units[] = {
		{ "ms", 1 }, { "s", 1000 }, { "m", 60000 }, { "h", 3600000 }
	};
	static const uint32_t most = 24 * UINT32_C(3600000);
	uint64_t number;
	char *unit;

	if (parse_digits(value, most, &number, &unit))
		for (unsigned i = 0; i < sizeof(units) / sizeof(*units); i++)
			if (!strcmp(unit, units[i].name) &&
			    number <= most / units[i].ms) {
				*(uint32_t *)ms =
					(uint32_t)number * units[i].ms;
				return;
			}
	reject(flag, value, "a time from 1ms to 24h, such as 30s or 300ms");
}

static void parse_number(const char *flag, const char *value, void *to)
{
	uint64_t number;
	char *end;

	if (!parse_digits(value, 1000000, &number, &end) || *end)
		reject(flag, value, "a number from 1 to 1000000");
	*(uint32_t *)to = (uint32_t)number;
}

/* The options with a value: who reads it, and where it goes. */
static const struct {
	const char *name;
	void (*parse)(const char *flag, const char *value, void *to);
	void *to;
} known[] = {
	{ "listen", parse_endpoint, &options.listen },
	{ "status", parse_endpoint, &options.status },
	{ "idle", parse_time, &options.idle_ms },
	{ "grace", parse_time, &options.grace_ms },
	{ "connections", parse_number, &options.connections },
	{ "per-address", parse_number, &options.per_address },
};

/* What ends the program at once. */
__attribute__((noreturn)) static void end(int option)
{
	if (option == 'h')
		fputs(help, stdout);
	else if (option == 'v')
		printf("idled %d.%d.%d\n", JIF_VERSION >> 16,
		       JIF_VERSION >> 8 & 255, JIF_VERSION & 255);
	else
		fputs("idled: --help lists the options\n", stderr);
	exit(option == '?' ? 2 : 0);
}

void options_parse(int argc, char **argv)
{
	struct option flags[KNOWN + 3] = {
		[KNOWN] = { "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'v' },
	};
	int option, index = 0;

	for (unsigned i = 0; i < KNOWN; i++)
		flags[i] = (struct option){ known[i].name, required_argument,
					    NULL, 0 };
	parse_endpoint("listen", "127.0.0.1:7000", &options.listen);
	while ((option = getopt_long(argc, argv, "", flags, &index)) != -1) {
		if (option)
			end(option);
		known[index].parse(known[index].name, optarg, known[index].to);
	}
	if (optind < argc) {
		fprintf(stderr, "idled: \"%s\": expected an option\n",
			argv[optind]);
		exit(2);
	}
	if (!options.per_address)
		options.per_address = options.connections;
}
