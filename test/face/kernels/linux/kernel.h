/* SPDX-License-Identifier: MIT */
/*
 * test/face/kernels/linux/kernel.h - what stands around files of the kernel
 *
 * Stand-ins, by the names of Linux 6.1, of what these files need beside
 * timers, jiffies and work. There is one processor and nobody to exclude:
 * locks do nothing. What a file calls is noted by
 * test/face/kernels/linux/drivers.c, with its tick.
 */
#ifndef TEST_LINUX_KERNEL_H
#define TEST_LINUX_KERNEL_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include <linux/if.h>
#include <linux/jiffies.h>
#include <linux/timer.h>
#include <linux/workqueue.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef unsigned short umode_t;

/* The language, and what says how a module is built. */
#define __init
#define __exit
#define __user
#define __must_check
#define unlikely(x)			(x)
#define BIT(n)				(1ul << (n))
#define IS_ENABLED(option)		0
#define EXPORT_SYMBOL(name)		extern int exported_##name
#define EXPORT_SYMBOL_GPL		EXPORT_SYMBOL
#define MODULE_AUTHOR(text)		extern int described
#define MODULE_DESCRIPTION		MODULE_AUTHOR
#define MODULE_LICENSE			MODULE_AUTHOR
#define MODULE_DEVICE_TABLE(type, name) extern int described
#define module_exit(fn)			extern int ended_##fn
#define module_init(fn)                                                        \
	__attribute__((constructor)) static void begin_##fn(void)              \
	{                                                                      \
		fn();                                                          \
	}
#define module_driver(driver, add, remove)                                     \
	__attribute__((constructor)) static void begin_##driver(void)          \
	{                                                                      \
		add(&driver);                                                  \
	}

#define min(a, b)		((a) < (b) ? (a) : (b))
#define min_t(type, a, b)	min((type)(a), (type)(b))
#define KERN_ERR		""
#define KERN_WARNING		""
#define printk(...)		note(__VA_ARGS__)
#define pr_debug(...)		((void)0)
#define dev_err(dev, ...)	note(__VA_ARGS__)
#define dev_warn		dev_err
#define ENOTSUPP		524
#define PAGE_SIZE		4096
#define GFP_KERNEL		0
#define kzalloc(size, flags)	calloc(1, size)
#define kcalloc(n, size, flags) calloc(n, size)
#define kfree			free
#define array3_size(a, b, c)	((size_t)(a) * (b) * (c))
#define scnprintf		snprintf
#define strscpy(to, from, room) snprintf(to, room, "%s", from)
#define IS_ERR(pointer)		((uintptr_t)(pointer) > (uintptr_t)-4096)
#define PTR_ERR(pointer)	((int)(intptr_t)(pointer))

void note(const char *format, ...);

/* What the kernel's three do with a number that a user writes. */
int kstrtoul(const char *text, unsigned base, unsigned long *value);
int kstrtouint(const char *text, unsigned base, unsigned *value);
int kstrtos32(const char *text, unsigned base, s32 *value);

static inline void set_bit(unsigned nr, unsigned long *word)
{
	*word |= BIT(nr);
}

static inline void clear_bit(unsigned nr, unsigned long *word)
{
	*word &= ~BIT(nr);
}

static inline bool test_bit(unsigned nr, const unsigned long *word)
{
	return *word & BIT(nr);
}

static inline bool test_and_clear_bit(unsigned nr, unsigned long *word)
{
	bool was = test_bit(nr, word);

	clear_bit(nr, word);
	return was;
}

struct list_head {
	struct list_head *next, *prev;
};
struct hlist_head {
	void *first;
};
struct hlist_node {
	void *next;
};
#define LIST_HEAD(name) struct list_head name = { &(name), &(name) }
#define list_for_each_entry(at, head, member)                                  \
	for (at = container_of((head)->next, __typeof__(*at), member);         \
	     &at->member != (head);                                            \
	     at = container_of(at->member.next, __typeof__(*at), member))

typedef struct {
	int unused;
} spinlock_t, rwlock_t;
struct mutex {
	int unused;
};
struct rw_semaphore {
	int unused;
};
#define DECLARE_RWSEM(name) struct rw_semaphore name
#define spin_lock(lock)	    ((void)(lock))
#define spin_unlock	    spin_lock
#define spin_lock_bh	    spin_lock
#define spin_unlock_bh	    spin_lock
#define mutex_init	    spin_lock
#define mutex_lock	    spin_lock
#define mutex_unlock	    spin_lock
#define lockdep_assert_held spin_lock
#define rcu_read_lock()	    ((void)0)
#define rcu_read_unlock()   ((void)0)

typedef struct {
	int counter;
} atomic_t, refcount_t;
#define atomic_read(atomic)	     ((atomic)->counter)
#define refcount_inc(count)	     ((void)(count)->counter++)
#define refcount_dec_and_test(count) (!--(count)->counter)

/* Devices, and their attributes in sysfs. */
struct file;
struct bin_attribute;
struct kobject {
	int unused;
};
struct device_node {
	const char *name;
};
struct fwnode_handle {
	const u32 *pattern;
	int count;
};
struct device {
	struct kobject kobj;
	struct device *parent;
	struct device_node *of_node;
	struct fwnode_handle *fwnode;
	void *driver_data;
};
struct attribute {
	const char *name;
	umode_t mode;
};
struct attribute_group {
	umode_t (*is_visible)(struct kobject *kobj, struct attribute *attr,
			      int n);
	struct attribute **attrs;
};
struct device_attribute {
	struct attribute attr;
	ssize_t (*show)(struct device *dev, struct device_attribute *attr,
			char *buf);
	ssize_t (*store)(struct device *dev, struct device_attribute *attr,
			 const char *buf, size_t count);
};
#define DEVICE_ATTR(name, mode, show, store)                                   \
	struct device_attribute dev_attr_##name = { { #name, mode },           \
						    show,                      \
						    store }
#define DEVICE_ATTR_RW(name) DEVICE_ATTR(name, 0644, name##_show, name##_store)
static inline struct device *kobj_to_dev(struct kobject *kobj)
{
	return container_of(kobj, struct device, kobj);
}

static inline struct device_node *to_of_node(struct fwnode_handle *fwnode)
{
	(void)fwnode;
	return NULL;
}

#define ATTRIBUTE_GROUPS(name)                                                 \
	static const struct attribute_group name##_group = {                   \
		.attrs = name##_attrs                                          \
	};                                                                     \
	static const struct attribute_group *name##_groups[] = {               \
		&name##_group, NULL                                            \
	}
#define dev_get_drvdata(dev)				((dev)->driver_data)
#define is_of_node(fwnode)				false
#define fwnode_property_present(fwnode, name)		false
#define fwnode_property_read_string(fwnode, name, text) (-EINVAL)
#define fwnode_property_read_u32(fwnode, name, value)	(-EINVAL)
#define fwnode_property_count_u32(fwnode, name)                                \
	((fwnode) ? (fwnode)->count : -EINVAL)
#define fwnode_property_read_u32_array(fwnode, name, to, count)                \
	(memcpy(to, (fwnode)->pattern, (size_t)(count) * sizeof(u32)), 0)

/* The load, and who hears of a panic or of a reboot. */
#define FSHIFT	    11
#define NOTIFY_DONE 0
enum {
	CPUTIME_USER,
	CPUTIME_NICE,
	CPUTIME_SYSTEM,
	CPUTIME_SOFTIRQ,
	CPUTIME_IRQ,
};
struct kernel_cpustat {
	u64 cpustat[5];
};
struct notifier_block {
	int (*notifier_call)(struct notifier_block *nb, unsigned long action,
			     void *data);
	struct notifier_block *next;
};
extern unsigned long avenrun[3];
extern struct notifier_block *panic_notifier_list;
u64 ktime_get_boottime_ns(void);
void kcpustat_cpu_fetch(struct kernel_cpustat *stat, int cpu);
#define for_each_possible_cpu(cpu) for (cpu = 0; cpu < 1; cpu++)
#define atomic_notifier_chain_register(list, block)                            \
	((block)->next = *(list), *(list) = (block))
#define atomic_notifier_chain_unregister(list, block) (*(list) = NULL)
#define register_reboot_notifier(block)		      ((void)(block))
#define unregister_reboot_notifier		      register_reboot_notifier

/* An input device. */
struct input_dev {
	struct input_dev_poller *poller;
	struct mutex mutex;
	struct device dev;
};
#define to_input_dev(of)	    container_of(of, struct input_dev, dev)
#define input_device_enabled(input) true
int input_setup_polling(struct input_dev *dev, void (*fn)(struct input_dev *));
void input_set_min_poll_interval(struct input_dev *dev, unsigned interval);
void input_set_max_poll_interval(struct input_dev *dev, unsigned interval);

/* A platform's devices: pins, their interrupts, a cable. */
struct gpio_desc {
	int value;
};
struct extcon_dev {
	int unused;
};
struct platform_device {
	const char *name;
	struct device dev;
};
struct dev_pm_ops {
	int (*suspend)(struct device *dev);
	int (*resume)(struct device *dev);
};
struct of_device_id {
	const char *compatible;
};
struct platform_device_id {
	const char *name;
};
struct platform_driver {
	int (*probe)(struct platform_device *pdev);
	int (*remove)(struct platform_device *pdev);
	struct {
		const char *name;
		const struct dev_pm_ops *pm;
		const struct of_device_id *of_match_table;
	} driver;
	const struct platform_device_id *id_table;
};
typedef int irqreturn_t;
typedef irqreturn_t irq_handler_t(int irq, void *arg);
enum {
	EXTCON_NONE = 0,
	EXTCON_USB = 1,
	EXTCON_USB_HOST = 2,
	IRQ_HANDLED = 1,
	IRQF_TRIGGER_RISING = 1,
	IRQF_TRIGGER_FALLING = 2,
	IRQF_ONESHOT = 0x2000,
	GPIOD_IN = 1,
};
#define CONFIG_PM_SLEEP
#define SIMPLE_DEV_PM_OPS(name, suspend, resume)                               \
	const struct dev_pm_ops name = { suspend, resume }
#define module_platform_driver(driver)                                         \
	module_driver(driver, platform_driver_register, unused)
#define platform_get_drvdata(pdev)		((pdev)->dev.driver_data)
#define devm_kzalloc(dev, size, flags)		calloc(1, size)
#define devm_extcon_dev_allocate(dev, cables)	(&extcon)
#define devm_extcon_dev_register(dev, extcon)	0
#define gpiod_get_value_cansleep(gpio)		((gpio)->value)
#define gpiod_set_debounce(gpio, us)		(-ENOTSUPP)
#define gpiod_to_irq(gpio)			7
#define device_set_wakeup_capable(dev, capable) ((void)(capable))
#define device_init_wakeup(dev, enable)		((void)(enable))
#define device_may_wakeup(dev)			true
#define enable_irq_wake(irq)			0
#define disable_irq_wake(irq)			0
#define pinctrl_pm_select_sleep_state(dev)	((void)(dev))
#define pinctrl_pm_select_default_state(dev)	((void)(dev))
static inline void platform_set_drvdata(struct platform_device *pdev,
					void *data)
{
	pdev->dev.driver_data = data;
}

extern struct extcon_dev extcon;
void platform_driver_register(struct platform_driver *driver);
struct gpio_desc *devm_gpiod_get_optional(struct device *dev, const char *name,
					  int flags);
int devm_request_threaded_irq(struct device *dev, int irq, irq_handler_t *now,
			      irq_handler_t *later, unsigned long flags,
			      const char *name, void *arg);
void extcon_set_state_sync(struct extcon_dev *extcon, unsigned cable,
			   bool state);

/*
 * A socket, whose references are counted: an armed timer holds one. The two
 * calls for its timers do what those in net/core/sock.c do.
 */
struct sk_buff;
struct packet_type;
struct sk_buff_head {
	int unused;
};
struct net_device {
	const char *name;
	unsigned flags;
};
struct sock {
	struct timer_list sk_timer;
	unsigned char sk_state;
	int sk_err, sk_shutdown, sk_rcvbuf;
	atomic_t sk_rmem_alloc;
	unsigned long flags;
	void (*sk_state_change)(struct sock *sk);
	int references;
	bool owned, hashed;
};
enum {
	SOCK_DEAD,
	SOCK_DESTROY,
	SEND_SHUTDOWN = 2,
};
#define bh_lock_sock		spin_lock
#define bh_unlock_sock		spin_lock
#define sock_hold(sk)		((void)(sk)->references++)
#define sock_put(sk)		((void)(sk)->references--)
#define sock_flag(sk, flag)	test_bit(flag, &(sk)->flags)
#define sock_set_flag(sk, flag) set_bit(flag, &(sk)->flags)
#define sock_owned_by_user(sk)	((sk)->owned)
#define sk_hashed(sk)		((sk)->hashed)

static inline void sk_reset_timer(struct sock *sk, struct timer_list *timer,
				  unsigned long expires)
{
	if (!mod_timer(timer, expires))
		sock_hold(sk);
}

static inline void sk_stop_timer(struct sock *sk, struct timer_list *timer)
{
	if (del_timer(timer))
		sock_put(sk);
}

/* Amateur radio, as far as the header of NET/ROM needs it. */
struct seq_operations;
typedef struct ax25_cb ax25_cb;
typedef struct ax25_digi ax25_digi;
void ax25_cb_put(ax25_cb *cb);

/* A bridge, and its ports. */
typedef u16 port_id;
typedef struct {
	unsigned char prio[2];
	unsigned char addr[6];
} bridge_id;
struct net_bridge {
	spinlock_t lock;
	struct list_head port_list;
	struct net_device *dev;
	bridge_id bridge_id;
	bool is_root;
	unsigned long hello_time, forward_delay, bridge_hello_time;
	unsigned stp_enabled;
	u8 topology_change_detected;
	struct timer_list hello_timer, tcn_timer, topology_change_timer;
};
struct net_bridge_port {
	struct net_bridge *br;
	struct net_device *dev;
	struct list_head list;
	u8 state;
	u16 port_no;
	port_id port_id;
	port_id designated_port;
	bridge_id designated_bridge;
	bool config_pending;
	struct timer_list message_age_timer;
	struct timer_list forward_delay_timer, hold_timer;
};
enum {
	BR_STATE_DISABLED = 0,
	BR_STATE_LISTENING = 1,
	BR_STATE_LEARNING = 2,
	BR_STATE_FORWARDING = 3,
	BR_KERNEL_STP = 1,
	RTM_NEWLINK = 16,
};
#define br_debug(br, ...)	   ((void)(br))
#define br_info(br, ...)	   ((void)(br))
#define br_is_root_bridge(br)	   ((br)->is_root)
#define br_ifinfo_notify(e, br, p) ((void)(p))
#define netif_carrier_on(dev)	   note("carrier on")
void br_set_state(struct net_bridge_port *p, unsigned state);
void br_stp_timer_init(struct net_bridge *br);
void br_stp_port_timer_init(struct net_bridge_port *p);
unsigned long br_timer_value(const struct timer_list *timer);

#endif
