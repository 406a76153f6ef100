/* SPDX-License-Identifier: MIT */
/*
 * No board: qemu-system-arm -M mps2-an385. LED 0 of the FPGA; and a line on the
 * serial port, with the time of a clock that jif does not know.
 */
#define LED	  (*(volatile uint32_t *)0x40028000)
#define CLK_100HZ (*(volatile uint32_t *)0x40028014)
#define UART_DATA (*(volatile uint32_t *)0x40004000)
#define UART_CTRL (*(volatile uint32_t *)0x40004008)
#define UART_BAUD (*(volatile uint32_t *)0x40004010)

static void led_init(void)
{
	UART_BAUD = 16;
	UART_CTRL = 1;
}

static void led_set(bool on)
{
	uint32_t time = CLK_100HZ;

	LED = on;
	for (uint32_t digit = 1000; digit; digit /= 10) {
		if (digit == 10)
			UART_DATA = '.';
		UART_DATA = '0' + time / digit % 10;
	}
	for (const char *c = on ? " s on\n" : " s off\n"; *c; c++)
		UART_DATA = (unsigned char)*c;
}
