/* SPDX-License-Identifier: MIT */
/*
 * test/tools/docs/examples/lwip.c - lwIP, as it is in Debian, tells when it
 * does what
 *
 * The program is linked twice: with docs/examples/lwip.c, whose functions then
 * take the place of lwIP's own, and without. What it says has to be the same: a
 * connection to nobody is tried again and again, and given up; a query for the
 * hardware address, and reports of a group; and time-outs of its own.
 */
#include <jif/jiffies.h>
#include <lwip/etharp.h>
#include <lwip/igmp.h>
#include <lwip/init.h>
#include <lwip/netif.h>
#include <lwip/prot/ip.h>
#include <lwip/sys.h>
#include <lwip/tcp.h>
#include <lwip/timeouts.h>
#include <netif/ethernet.h>
#include <stdio.h>

static struct netif netif;
static int numbers[4] = { 0, 1, 2, 3 };

/* The clock of the stack, which wraps after some seconds. */
u32_t sys_now(void)
{
	return jif_now();
}

static void say(const char *what, unsigned number)
{
	printf("%u: %s %u\n", (unsigned)(jif_now() + 5000), what, number);
}

/* Nobody answers. */
static err_t send_frame(struct netif *to, struct pbuf *frame)
{
	(void)to;
	say("a frame of so many bytes:", frame->tot_len);
	return ERR_OK;
}

static err_t set_up(struct netif *to)
{
	to->name[0] = 'n';
	to->name[1] = 'o';
	to->output = etharp_output;
	to->linkoutput = send_frame;
	to->mtu = 1500;
	to->hwaddr_len = 6;
	to->hwaddr[0] = 2;
	to->flags = NETIF_FLAG_BROADCAST | NETIF_FLAG_ETHARP |
		    NETIF_FLAG_LINK_UP | NETIF_FLAG_ETHERNET | NETIF_FLAG_IGMP;
	return ERR_OK;
}

static void gave_up(void *arg, err_t err)
{
	(void)arg;
	say("the connection is given up:", (unsigned)-err);
}

static void fire(void *arg)
{
	int *number = arg;

	say("time-out", (unsigned)*number);
	if (*number == 0)
		sys_timeout(1234, fire, arg);
	if (*number == 1)
		sys_untimeout(fire, &numbers[2]);
}

int main(void)
{
	ip4_addr_t own, mask, gateway, group;
	ip_addr_t peer = IPADDR4_INIT_BYTES(10, 0, 0, 2);
	struct tcp_pcb *pcb;

	jif_ticks((uint32_t)-5000 - jif_now());
	IP4_ADDR(&own, 10, 0, 0, 1);
	IP4_ADDR(&mask, 255, 255, 255, 0);
	IP4_ADDR(&gateway, 10, 0, 0, 254);
	IP4_ADDR(&group, 224, 1, 2, 3);
	lwip_init();
	netif_add(&netif, &own, &mask, &gateway, NULL, set_up, ethernet_input);
	netif_set_default(&netif);
	netif_set_up(&netif);
	pcb = tcp_new();
	tcp_err(pcb, gave_up);
	tcp_connect(pcb, &peer, 80, NULL);
	igmp_joingroup(&own, &group);
	sys_timeout(1000, fire, &numbers[0]);
	sys_timeout(7000, fire, &numbers[1]);
	sys_timeout(7001, fire, &numbers[2]);
	sys_timeout(7000, fire, &numbers[3]);
	for (uint32_t ms = 0; ms < 200000; ms++) {
		jif_tick();
		sys_check_timeouts();
		if (ms % 10000 == 0)
			say("may sleep for", sys_timeouts_sleeptime());
	}
	return 0;
}
