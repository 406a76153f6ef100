/* SPDX-License-Identifier: MIT */
/*
 * test/face/kernels/linux/drivers.c - do unmodified files of Linux do what they
 * say?
 *
 * Each scenario calls a file as the kernel does, from a full second on, lets
 * time pass, and has noted what the file calls, each with its tick. What is
 * expected was worked out by hand, from the text of the file: a tick is 1 ms.
 */
#include <drivers/input/input-poller.h>
#include <drivers/isdn/mISDN/fsm.h>
#include <drivers/leds/leds.h>
#include <net/bridge/br_private_stp.h>
#include <net/lapb.h>
#include <net/netrom.h>
#include <net/tcp_states.h>
#include <net/x25.h>
#include <stdarg.h>

static struct jif_wheel wheel;
static struct jif_workqueue queue;
static unsigned long base;
static char noted[4096];

void note(const char *format, ...)
{
	size_t used = strlen(noted);
	va_list values;

	used += (size_t)snprintf(noted + used, sizeof(noted) - used, "%s%lu ",
				 used ? ", " : "", jiffies - base);
	va_start(values, format);
	vsnprintf(noted + used, sizeof(noted) - used, format, values);
	va_end(values);
}

/* What a file calls and nothing else stands for. */
#define NOTED(call, ...)                                                       \
	void call                                                              \
	{                                                                      \
		note(__VA_ARGS__);                                             \
	}                                                                      \
	extern void note(const char *format, ...)

static void begin(void)
{
	jif_ticks((uint32_t)(HZ - jiffies % HZ));
	base = jiffies;
	jif_wheel_init(&wheel, jif_now());
	jif_workqueue_init(&queue, NULL);
	jif_linux_init(&wheel, NULL);
	jif_linux_init_work(&queue);
	noted[0] = '\0';
}

/* The main loop, until so many ticks after the beginning. */
static void until(unsigned long tick)
{
	jif_workqueue_run(&queue, JIF_FOREVER);
	while (jiffies - base < tick) {
		jif_tick();
		jif_wheel_run(&wheel, jif_now());
		jif_workqueue_run(&queue, JIF_FOREVER);
	}
}

int kstrtoul(const char *text, unsigned radix, unsigned long *value)
{
	*value = strtoul(text, NULL, (int)radix);
	return 0;
}

int kstrtouint(const char *text, unsigned radix, unsigned *value)
{
	*value = (unsigned)strtoul(text, NULL, (int)radix);
	return 0;
}

int kstrtos32(const char *text, unsigned radix, s32 *value)
{
	*value = (s32)strtol(text, NULL, (int)radix);
	return 0;
}

/* What a user does by writing to a file of sysfs. */
static void set(struct device *dev, const struct attribute_group *group,
		const char *name, const char *text)
{
	struct attribute **attr = group->attrs;
	struct device_attribute *it;

	while (strcmp((*attr)->name, name))
		attr++;
	it = container_of(*attr, struct device_attribute, attr);
	if (it->store(dev, it, text, strlen(text)) < 0)
		note("refused");
}

/* --- a light, and its triggers ------------------------------------------- */

unsigned long avenrun[3];
struct notifier_block *panic_notifier_list;

static struct led_trigger *triggers[8];
static struct led_classdev led;
static struct device board;

int led_trigger_register(struct led_trigger *trigger)
{
	unsigned i = 0;

	while (triggers[i])
		i++;
	triggers[i] = trigger;
	return 0;
}

NOTED(led_trigger_unregister(struct led_trigger *trigger), "%s is gone",
      trigger->name);

static void light(struct led_classdev *which, enum led_brightness brightness)
{
	(void)which;
	note("led %u", brightness);
}

static int light_slowly(struct led_classdev *which, enum led_brightness level)
{
	light(which, level);
	return 0;
}

static void begin_led(const char *trigger, struct fwnode_handle *fwnode)
{
	unsigned i = 0;

	begin();
	led = (struct led_classdev){ .max_brightness = 255,
				     .flags = LED_INIT_DEFAULT_TRIGGER,
				     .brightness_set = light,
				     .dev = &board };
	board = (struct device){ .fwnode = fwnode, .driver_data = &led };
	led_init_core(&led);
	if (!trigger)
		return;
	while (strcmp(triggers[i]->name, trigger))
		i++;
	led.trigger = triggers[i];
	led.trigger->activate(&led);
}

static void set_led(const char *name, const char *text)
{
	set(&board, led.trigger->groups[0], name, text);
}

static void end_led(unsigned long tick)
{
	until(tick);
	led.trigger->deactivate(&led);
	until(tick + 2000);
}

static void blink(void)
{
	unsigned long on = 200, off = 300;

	begin_led(NULL, NULL);
	led_blink_set(&led, &on, &off);
	until(1100);
	led_set_brightness(&led, 100); /* from the next flash on */
	until(1800);
	led_set_brightness(&led, 0); /* by its work */
	until(4000);
	led.brightness_set = NULL;
	led.brightness_set_blocking = light_slowly;
	led_set_brightness(&led, 7);
	led_set_brightness(&led, 9); /* while the work is pending */
	until(5000);
}

static void blink_by_timer(void)
{
	const u32 pattern[] = { 100, 50 };
	struct fwnode_handle fwnode = { pattern, 2 };

	begin_led("timer", &fwnode);
	until(120);
	set_led("delay_on", "30");
	until(210);
	set_led("delay_off", "0");
	end_led(400);
}

static void blink_once(void)
{
	begin_led("oneshot", NULL);
	until(10);
	set_led("shot", "1");
	until(50);
	set_led("shot", "1"); /* too soon, as the next one */
	until(205);
	set_led("shot", "1");
	until(212);
	set_led("shot", "1");
	until(500);
	set_led("invert", "1");
	set_led("shot", "1");
	end_led(800);
}

static void flash(void)
{
	begin_led("transient", NULL);
	set_led("state", "1");
	set_led("duration", "250");
	set_led("activate", "1");
	until(300);
	set_led("activate", "1");
	until(400);
	set_led("activate", "0");
	until(500);
	set_led("activate", "1");
	until(600);
	set_led("activate", "1");
	until(800);
	set_led("activate", "2");
	end_led(900);
}

/* Of the processor's time, nothing is used, or all since @busy_since. */
static unsigned long busy_since = ULONG_MAX;

u64 ktime_get_boottime_ns(void)
{
	return jiffies_to_nsecs(jiffies - base);
}

void kcpustat_cpu_fetch(struct kernel_cpustat *stat, int cpu)
{
	unsigned long now = jiffies - base;

	(void)cpu;
	*stat = (struct kernel_cpustat){ { 0 } };
	if (now > busy_since)
		stat->cpustat[CPUTIME_USER] =
			jiffies_to_nsecs(now - busy_since);
}

/* 10 of 1000 ms, and then 90 of 100 ms; it looks at least every 100 ms. */
static void show_activity(void)
{
	begin_led("activity", NULL);
	until(2510);
	busy_since = 2510;
	end_led(2815);
}

/* A period is 1260 ms without load, and 860 ms with one of 1. */
static void beat(void)
{
	avenrun[0] = 0;
	begin_led("heartbeat", NULL);
	until(1300);
	avenrun[0] = 1 << FSHIFT;
	until(3400);
	led_set_brightness(&led, 40);
	set_led("invert", "1");
	until(4250);
	for (struct notifier_block *it = panic_notifier_list; it; it = it->next)
		it->notifier_call(it, 0, NULL);
	end_led(6000);
}

static void play(void)
{
	begin_led("pattern", NULL);
	set_led("pattern", "255 100 255 0 0 50 0 0\n");
	until(280);
	set_led("repeat", "2");
	until(700);
	set_led("repeat", "-1");
	set_led("pattern", "0 200 100 200\n"); /* fades */
	end_led(1210);
}

/* --- input devices ------------------------------------------------------- */

static void poll(struct input_dev *dev)
{
	(void)dev;
	note("poll");
}

/* From a second on, what is polled is polled at full seconds. */
static void poll_input(void)
{
	static struct input_dev input;
	struct attribute_group *group = &input_poller_attribute_group;

	begin();
	input_setup_polling(&input, poll);
	input_set_min_poll_interval(&input, 50);
	input_set_max_poll_interval(&input, 2000);
	input_dev_poller_finalize(input.poller);
	input_dev_poller_start(input.poller);
	until(1100);
	set(&input.dev, group, "poll", "100");
	until(1300);
	set(&input.dev, group, "poll", "1500");
	until(5000);
	set(&input.dev, group, "poll", "1100");
	until(6100);
	set(&input.dev, group, "poll", "30");
	set(&input.dev, group, "poll", "3000");
	input_dev_poller_stop(input.poller);
	until(9000);
}

struct extcon_dev extcon;

static struct platform_driver *cable;
static struct gpio_desc id_pin;
static irq_handler_t *id_changed;
static void *id_arg;

void platform_driver_register(struct platform_driver *driver)
{
	cable = driver;
}

struct gpio_desc *devm_gpiod_get_optional(struct device *dev, const char *name,
					  int flags)
{
	return strcmp(name, "id") ? NULL : &id_pin;
}

int devm_request_threaded_irq(struct device *dev, int irq, irq_handler_t *now,
			      irq_handler_t *later, unsigned long flags,
			      const char *name, void *arg)
{
	id_changed = later;
	id_arg = arg;
	return 0;
}

NOTED(extcon_set_state_sync(struct extcon_dev *edev, unsigned which,
			    bool state),
      "%s %d", which == EXTCON_USB ? "usb" : "host", state);

static void change_id(int value)
{
	id_pin.value = value;
	id_changed(0, id_arg);
}

/* 20 ms from the first change on, not from the last one. */
static void plug(void)
{
	static struct device_node node;
	static struct platform_device usb = { .dev = { .of_node = &node } };

	begin();
	id_pin.value = 1;
	cable->probe(&usb);
	until(100);
	change_id(0);
	until(105);
	change_id(1);
	until(119);
	change_id(0);
	until(121);
	change_id(1);
	until(200);
	cable->driver.pm->resume(&usb.dev);
	until(300);
	change_id(0);
	until(310);
	cable->remove(&usb);
	until(1000);
}

/* --- protocols ----------------------------------------------------------- */

NOTED(x25_write_internal(struct sock *sk, int frame), "send %#x", frame);
NOTED(x25_disconnect(struct sock *sk, int reason, unsigned char cause,
		     unsigned char diagnostic),
      "disconnect %d", reason);
NOTED(x25_enquiry_response(struct sock *sk), "respond");
NOTED(x25_check_rbuf(struct sock *sk), "check");
NOTED(x25_destroy_socket_from_timer(struct sock *sk), "destroy");

/* A call that nobody answers; and an answer while a user has the socket. */
static void call_x25(void)
{
	static struct x25_sock x25 = { .state = X25_STATE_1,
				       .t2 = 3 * HZ,
				       .t21 = 200 * HZ,
				       .t22 = 180 * HZ,
				       .t23 = 180 * HZ };
	struct sock *sk = &x25.sk;

	begin();
	sk->references = 1;
	sk->hashed = true;
	timer_setup(&sk->sk_timer, NULL, 0);
	x25_init_timers(sk);
	x25_start_heartbeat(sk);
	x25_start_t21timer(sk);
	until(1000);
	note("left %lu", x25_display_timer(sk));
	until(380000);
	x25.state = X25_STATE_3;
	x25.condition = X25_COND_ACK_PENDING;
	sk->owned = true;
	x25_start_t2timer(sk);
	until(381000);
	x25_start_t2timer(sk);
	until(384000);
	sk->owned = false;
	until(391000);
	sk->hashed = false;
	x25_start_t22timer(sk);
	x25_stop_timer(sk);
	until(600000);
	note("references %d", sk->references);
}

NOTED(lapb_send_control(struct lapb_cb *lapb, int frame, int poll_bit,
			int type),
      "send %#x", frame);
NOTED(lapb_establish_data_link(struct lapb_cb *lapb), "establish");
NOTED(lapb_timeout_response(struct lapb_cb *lapb), "respond");
NOTED(lapb_disconnect_indication(struct lapb_cb *lapb, int reason),
      "disconnected %d", reason);
NOTED(lapb_disconnect_confirmation(struct lapb_cb *lapb, int reason),
      "disconnected as asked for");
NOTED(lapb_clear_queues(struct lapb_cb *lapb), "clear");
NOTED(lapb_requeue_frames(struct lapb_cb *lapb), "requeue");
NOTED(lapb_kick(struct lapb_cb *lapb), "kick");
NOTED(lapb_transmit_frmr(struct lapb_cb *lapb), "reject");

static void call_lapb(void)
{
	static struct lapb_cb lapb = {
		.state = LAPB_STATE_1, .n2 = 3, .t1 = 5 * HZ, .t2 = HZ
	};

	begin();
	timer_setup(&lapb.t1timer, NULL, 0);
	timer_setup(&lapb.t2timer, NULL, 0);
	lapb_start_t1timer(&lapb);
	until(20000);
	lapb.state = LAPB_STATE_3;
	lapb.condition = LAPB_ACK_PENDING_CONDITION;
	lapb_start_t2timer(&lapb);
	until(20500);
	lapb_start_t2timer(&lapb);
	until(21500);
	lapb.n2count = 0;
	lapb_start_t1timer(&lapb);
	until(27000);
	lapb_stop_t1timer(&lapb);
	until(33000);
	lapb.state = LAPB_STATE_0;
	lapb.mode = LAPB_DCE;
	lapb.n2count = 2;
	lapb_start_t1timer(&lapb);
	until(44000);
	lapb_stop_t1timer(&lapb);
	until(60000);
}

NOTED(nr_write_internal(struct sock *sk, int frame), "send %d", frame);
NOTED(nr_disconnect(struct sock *sk, int reason), "disconnect %d", reason);
NOTED(nr_clear_queues(struct sock *sk), "clear");
NOTED(nr_requeue_frames(struct sock *sk), "requeue");
NOTED(nr_enquiry_response(struct sock *sk), "respond");
NOTED(nr_destroy_socket(struct sock *sk), "destroy");

static void hear_change(struct sock *sk)
{
	note("closed");
}

static void call_netrom(void)
{
	static struct nr_sock nr = { .state = NR_STATE_1,
				     .n2 = 3,
				     .t1 = 120 * HZ,
				     .t2 = 5 * HZ,
				     .t4 = 2 * HZ,
				     .idle = 10 * HZ };
	struct sock *sk = &nr.sock;

	begin();
	sk->references = 1;
	sk->sk_state_change = hear_change;
	timer_setup(&sk->sk_timer, NULL, 0);
	nr_init_timers(sk);
	nr_start_t1timer(sk);
	until(480000);
	nr.state = NR_STATE_3;
	nr.condition = NR_COND_ACK_PENDING | NR_COND_PEER_RX_BUSY;
	nr_start_t2timer(sk);
	nr_start_t4timer(sk);
	nr_start_idletimer(sk);
	until(482000);
	note("condition %d", nr.condition);
	until(611000);
	nr_stop_t1timer(sk);
	nr.state = NR_STATE_0;
	sock_set_flag(sk, SOCK_DESTROY);
	nr_start_heartbeat(sk);
	until(700000);
	note("references %d", sk->references);
}

/* --- a bridge ------------------------------------------------------------ */

static struct net_device dev = { "br0", IFF_UP };
static struct net_bridge br;
static struct net_bridge_port port;

NOTED(br_config_bpdu_generation(struct net_bridge *bridge), "hello");
NOTED(br_transmit_config(struct net_bridge_port *p), "config");
NOTED(br_transmit_tcn(struct net_bridge *bridge), "tcn");

void br_set_state(struct net_bridge_port *p, unsigned state)
{
	p->state = (u8)state;
	note("state %u", state);
}

NOTED(br_topology_change_detection(struct net_bridge *bridge),
      "topology changes");
NOTED(__br_set_topology_change(struct net_bridge *bridge, unsigned char value),
      "topology %d", value);
NOTED(br_become_designated_port(struct net_bridge_port *p), "designated");

void br_configuration_update(struct net_bridge *bridge)
{
	bridge->is_root = true;
}

NOTED(br_port_state_selection(struct net_bridge *bridge), "selection");
NOTED(br_become_root_bridge(struct net_bridge *bridge), "root");

static void span(void)
{
	begin();
	br = (struct net_bridge){ .dev = &dev,
				  .hello_time = 2 * HZ,
				  .forward_delay = 15 * HZ,
				  .bridge_hello_time = 2 * HZ,
				  .stp_enabled = BR_KERNEL_STP };
	br.port_list = (struct list_head){ &port.list, &port.list };
	port.list = (struct list_head){ &br.port_list, &br.port_list };
	port.br = &br;
	port.dev = &dev;
	port.config_pending = true;
	br_stp_timer_init(&br);
	br_stp_port_timer_init(&port);
	port.state = BR_STATE_LISTENING;
	mod_timer(&port.forward_delay_timer, jiffies + br.forward_delay);
	mod_timer(&port.hold_timer, jiffies + HZ);
	mod_timer(&br.hello_timer, jiffies + 300);
	until(1000);
	note("left %lu", br_timer_value(&port.forward_delay_timer));
	until(6000);
	dev.flags = 0;
	until(31000);
	dev.flags = IFF_UP;
	mod_timer(&br.tcn_timer, jiffies + br.bridge_hello_time);
	until(36000);
	br.is_root = true;
	until(38000);
	br.is_root = false;
	mod_timer(&port.message_age_timer, jiffies + 20 * HZ);
	mod_timer(&br.topology_change_timer, jiffies + 35 * HZ);
	until(100000);
}

/* --- a state machine ----------------------------------------------------- */

static struct FsmTimer timer;

static void ring(struct FsmInst *fi, int event, void *arg)
{
	note("ring %s", (char *)arg);
	mISDN_FsmChangeState(fi, 1);
	mISDN_FsmAddTimer(&timer, 30, 0, "off", 0);
}

static void rest(struct FsmInst *fi, int event, void *arg)
{
	note("rest %s", (char *)arg);
	mISDN_FsmChangeState(fi, 0);
}

static void change_state(void)
{
	static struct Fsm fsm = { .state_count = 2, .event_count = 2 };
	static struct FsmInst instance = { .fsm = &fsm };
	struct FsmNode nodes[] = { { 0, 1, ring }, { 1, 0, rest } };

	begin();
	mISDN_FsmNew(&fsm, nodes, 2);
	mISDN_FsmInitTimer(&instance, &timer);
	mISDN_FsmAddTimer(&timer, 100, 1, "late", 0);
	if (mISDN_FsmAddTimer(&timer, 50, 1, "twice", 0) < 0)
		note("refused");
	until(50);
	mISDN_FsmRestartTimer(&timer, 200, 1, "on", 0);
	until(300);
	mISDN_FsmAddTimer(&timer, 100, 1, "never", 0);
	until(399);
	mISDN_FsmDelTimer(&timer, 0);
	until(1000);
	mISDN_FsmFree(&fsm);
}

static const struct {
	const char *file;
	void (*run)(void);
	const char *want;
} scenarios[] = {
	{ "drivers/leds/led-core.c", blink,
	  "1 led 255, 201 led 0, 501 led 255, 701 led 0, 1001 led 255, "
	  "1201 led 0, 1501 led 100, 1701 led 0, 1800 led 0, 4000 led 9" },
	{ "drivers/leds/trigger/ledtrig-timer.c", blink_by_timer,
	  "1 led 255, 101 led 0, 121 led 255, 151 led 0, 201 led 255, "
	  "210 led 255, 400 led 0" },
	{ "drivers/leds/trigger/ledtrig-oneshot.c", blink_once,
	  "11 led 255, 111 led 0, 213 led 255, 313 led 0, 500 led 255, "
	  "501 led 0, 601 led 255, 800 led 0" },
	{ "drivers/leds/trigger/ledtrig-transient.c", flash,
	  "0 led 255, 250 led 0, 300 led 255, 400 led 0, 500 led 255, "
	  "750 led 0, 800 refused, 900 led 0" },
	{ "drivers/leds/trigger/ledtrig-activity.c", show_activity,
	  "0 led 255, 10 led 0, 1000 led 255, 1010 led 0, 2000 led 255, "
	  "2010 led 0, 2620 led 255, 2710 led 0, 2720 led 255, 2810 led 0" },
	{ "drivers/leds/trigger/ledtrig-heartbeat.c", beat,
	  "0 led 255, 70 led 0, 315 led 255, 385 led 0, 1260 led 255, "
	  "1330 led 0, 1575 led 255, 1645 led 0, 2520 led 255, 2590 led 0, "
	  "2735 led 255, 2805 led 0, 3380 led 255, 3450 led 40, 3595 led 0, "
	  "3665 led 40, 4240 led 0, 4310 led 0" },
	{ "drivers/leds/trigger/ledtrig-pattern.c", play,
	  "1 led 255, 101 led 0, 151 led 255, 251 led 0, 281 led 255, "
	  "381 led 0, 431 led 255, 531 led 0, 701 led 0, 751 led 25, "
	  "801 led 50, 851 led 75, 901 led 100, 951 led 100, 1001 led 75, "
	  "1051 led 50, 1101 led 25, 1151 led 0, 1201 led 0, 1210 led 0" },
	{ "drivers/input/input-poller.c", poll_input,
	  "0 poll, 500 poll, 1000 poll, 1200 poll, 1300 poll, 3000 poll, "
	  "5000 poll, 6000 poll, 6100 refused, 6100 refused" },
	{ "drivers/extcon/extcon-usb-gpio.c", plug,
	  "0 host 0, 0 usb 1, 120 usb 0, 120 host 1, 141 host 0, 141 usb 1, "
	  "200 host 0, 200 usb 1" },
	{ "net/x25/x25_timer.c", call_x25,
	  "1000 left 199000, 200000 send 0x13, 380000 disconnect 110, "
	  "385000 check, 387000 respond, 390000 check, 395000 check, "
	  "600000 references 1" },
	{ "net/lapb/lapb_timer.c", call_lapb,
	  "5000 send 0x2f, 10000 send 0x2f, 15000 send 0x2f, 20000 clear, "
	  "20000 disconnected 6, 21500 respond, 26500 requeue, 26500 kick, "
	  "38000 send 0xf, 43000 establish" },
	{ "net/netrom/nr_timer.c", call_netrom,
	  "120000 send 1, 240000 send 1, 360000 send 1, "
	  "480000 disconnect 110, 482000 condition 1, 485000 respond, "
	  "490000 clear, 490000 send 3, 490000 closed, 610000 send 3, "
	  "616000 destroy, 700000 references 1" },
	{ "net/bridge/br_stp_timer.c", span,
	  "300 hello, 1000 config, 1000 left 1400, 3000 hello, 5000 hello, "
	  "15000 state 2, 30000 state 3, 30000 topology changes, "
	  "30000 carrier on, 33000 tcn, 35000 tcn, 58000 designated, "
	  "58000 selection, 58000 root, 73000 topology 0" },
	{ "drivers/isdn/mISDN/fsm.c", change_state,
	  "0 refused, 250 ring on, 280 rest off" },
};

int main(void)
{
	unsigned count = sizeof(scenarios) / sizeof(*scenarios);
	int failed = 0;

	for (unsigned i = 0; i < count; i++) {
		bool right;

		scenarios[i].run();
		right = !strcmp(noted, scenarios[i].want) &&
			jif_wheel_empty(&wheel) && jif_workqueue_empty(&queue);
		printf("%sok %u - %s\n", right ? "" : "not ", i + 1,
		       scenarios[i].file);
		if (!right)
			printf("# want: %s\n# got:  %s\n# %s\n",
			       scenarios[i].want, noted,
			       jif_wheel_empty(&wheel) ? "" :
							 "a timer is left");
		failed += !right;
	}
	return failed;
}
