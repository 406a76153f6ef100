// Two timers that arm themselves anew: one LED, and a message each minute.
#include <jif.h>

static struct jif_wheel wheel;
static struct jif_timer led, minute;

static void toggle(struct jif_timer *timer)
{
	digitalWrite(LED_BUILTIN, !digitalRead(LED_BUILTIN));
	jif_timer_add(&wheel, timer, jif_wheel_clock(&wheel) + 500);
}

static void tell(struct jif_timer *timer)
{
	Serial.println(F("a minute is over"));
	jif_timer_add(&wheel, timer, jif_wheel_clock(&wheel) + 60000);
}

void setup()
{
	Serial.begin(115200);
	pinMode(LED_BUILTIN, OUTPUT);
	jif_wheel_init(&wheel, millis());
	jif_timer_init(&led, toggle);
	jif_timer_init(&minute, tell);
	jif_timer_add(&wheel, &led, millis() + 500);
	jif_timer_add(&wheel, &minute, millis() + 60000);
}

void loop()
{
	jif_wheel_run(&wheel, millis());
}
