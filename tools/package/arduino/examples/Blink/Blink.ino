// Two periodic timers: one LED, and a message each minute.
#include <jif.h>

static struct jif_wheel wheel;
static struct jif_periodic led, minute;

// The wheel's time is what millis() counts.
static uint32_t arduino_time(const struct jif_wheel *)
{
	return millis();
}

static void toggle(struct jif_periodic *)
{
	digitalWrite(LED_BUILTIN, !digitalRead(LED_BUILTIN));
}

static void tell(struct jif_periodic *)
{
	Serial.println(F("a minute is over"));
}

void setup()
{
	Serial.begin(115200);
	pinMode(LED_BUILTIN, OUTPUT);
	jif_wheel_init_time(&wheel, arduino_time);
	jif_periodic_init(&led, toggle, JIF_CATCHUP_SKIP);
	jif_periodic_init(&minute, tell, JIF_CATCHUP_SKIP);
	if (jif_periodic_start(&wheel, &led, 500, 500, JIF_FOREVER) < 0 ||
	    jif_periodic_start(&wheel, &minute, 60000, 60000, JIF_FOREVER) < 0)
		Serial.println(F("refused"));
}

void loop()
{
	jif_wheel_poll(&wheel);
}
