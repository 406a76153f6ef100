/* SPDX-License-Identifier: MIT */
/*
 * docs/examples/retransmit.c - a protocol written for the Linux kernel, on jif
 *
 * It goes back N: two packets may be under way; what is not acknowledged in
 * time is sent again, after twice the time each time, five times at most. A
 * link that is silent is probed. Up to the second line of stars, there is
 * nothing of jif. It runs in simulated time.
 */
#include <linux/jiffies.h>
#include <linux/timer.h>
#include <linux/workqueue.h>
#include <stdio.h>

#define PACKETS	   4u
#define WINDOW	   2u
#define RETRIES	   5u
#define RTO_MIN	   msecs_to_jiffies(100)
#define RTO_MAX	   msecs_to_jiffies(800)
#define PROBE_IDLE msecs_to_jiffies(500)

/* What a packet number stands for that carries nothing. */
#define PROBE UINT_MAX

/**
 * struct sender - one end
 * @unacked:	the first packet that has not been acknowledged
 * @next:	the one that is sent next
 * @rto:	how long to wait for an acknowledgement, in jiffies
 * @tries:	how often it has been waited for in vain
 * @probing:	a probe is under way
 * @dead:	it has given up
 * @timer:	the time is up
 * @probe:	the link has been silent
 */
struct sender {
	unsigned int unacked;
	unsigned int next;
	unsigned long rto;
	unsigned int tries;
	bool probing;
	bool dead;
	struct timer_list timer;
	struct delayed_work probe;
};

void link_send(unsigned int packet);
void report(const char *what, unsigned int number);

static void transmit(struct sender *s, unsigned int packet)
{
	report(packet == PROBE ? "probes" : "sends", packet);
	link_send(packet);
	if (!timer_pending(&s->timer))
		mod_timer(&s->timer, jiffies + s->rto);
}

static void fill_window(struct sender *s)
{
	while (s->next < PACKETS && s->next - s->unacked < WINDOW)
		transmit(s, s->next++);
}

static void sender_timeout(struct timer_list *t)
{
	struct sender *s = from_timer(s, t, timer);

	if (++s->tries > RETRIES) {
		report("gives up after", RETRIES);
		s->dead = true;
		return;
	}
	s->rto = s->rto * 2 < RTO_MAX ? s->rto * 2 : RTO_MAX;
	if (s->probing)
		transmit(s, PROBE);
	s->next = s->unacked;
	fill_window(s);
}

static void sender_probe(struct work_struct *work)
{
	struct sender *s = timer_container_of(s, to_delayed_work(work), probe);

	s->probing = true;
	transmit(s, PROBE);
}

/* @next is the packet that the other end waits for. */
static void sender_acked(struct sender *s, unsigned int next)
{
	if (next <= s->unacked && !s->probing)
		return;
	report("hears that the other end waits for", next);
	s->unacked = next;
	s->probing = false;
	s->tries = 0;
	s->rto = RTO_MIN;
	if (s->unacked == PACKETS) {
		timer_delete(&s->timer);
		mod_delayed_work(system_wq, &s->probe, PROBE_IDLE);
		return;
	}
	mod_timer(&s->timer, jiffies + s->rto);
	fill_window(s);
}

static void sender_open(struct sender *s)
{
	s->rto = RTO_MIN;
	timer_setup(&s->timer, sender_timeout, 0);
	INIT_DELAYED_WORK(&s->probe, sender_probe);
	fill_window(s);
}

static void sender_close(struct sender *s)
{
	timer_shutdown_sync(&s->timer);
	cancel_delayed_work_sync(&s->probe);
}

/* ************************************************************************
 * The link and the other end: frames take 30 ms, and some are lost.
 */
#define DELAY	  msecs_to_jiffies(30)
#define IN_FLIGHT 8

struct frame {
	struct timer_list timer;
	bool is_ack;
	unsigned int number;
};

static struct frame frames[IN_FLIGHT];
static struct sender sender;
static unsigned int expected, sent;
static unsigned long start;

void report(const char *what, unsigned int number)
{
	printf("%4u ms: %s", jiffies_to_msecs(jiffies - start), what);
	if (number == PROBE)
		printf("\n");
	else
		printf(" %u\n", number);
}

static void fly(bool is_ack, unsigned int number)
{
	struct frame *frame = frames;

	while (timer_pending(&frame->timer))
		frame++;
	frame->is_ack = is_ack;
	frame->number = number;
	mod_timer(&frame->timer, jiffies + DELAY);
}

static void arrive(struct timer_list *t)
{
	struct frame *frame = from_timer(frame, t, timer);

	if (frame->is_ack) {
		sender_acked(&sender, frame->number);
		return;
	}
	if (frame->number == expected)
		expected++;
	fly(true, expected);
}

/* Of the frames of the sender, two are lost, and from the tenth on all. */
void link_send(unsigned int packet)
{
	sent++;
	if (sent != 2 && sent != 4 && sent < 10)
		fly(false, packet);
}

/* ************************************************************************
 * The machine: time passes when this loop says so.
 */
int main(void)
{
	static struct jif_wheel wheel;
	static struct jif_workqueue queue;

	jif_wheel_init_time(&wheel, jif_time_jiffies);
	jif_workqueue_init(&queue, NULL);
	jif_linux_init(&wheel, NULL);
	jif_linux_init_work(&queue);

	for (int i = 0; i < IN_FLIGHT; i++)
		timer_setup(&frames[i].timer, arrive, 0);
	start = jiffies;
	sender_open(&sender);
	while (!sender.dead) {
		jif_tick();
		jif_wheel_poll(&wheel);
		jif_workqueue_run(&queue, JIF_FOREVER);
	}
	sender_close(&sender);
	return 0;
}
