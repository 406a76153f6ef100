#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: [PICO=DIR] [NRFX=DIR] [STM32L4=DIR]
#	test/face/kernels/registers.sh
#
# What lib/port/compare says of each timer, against the headers of its vendor:
# addresses, bits, the number of the interrupt and the name of its handler. The
# folders are checkouts of pico-sdk, nrfx, and cmsis_device_l4 beside CMSIS, as
# in a STM32CubeL4 (Drivers/CMSIS). They were those of pico-sdk 2.2.0, nrfx
# 4.2.1 and CMSIS Device L4 1.4.2.
#
# shellcheck disable=SC2046,SC2086	# compilers and rows are lists of words
set -u
. test/lib.sh

# values HEADER EXPRESSION...: each value, one a line.
values() {
	printf '#include <stdint.h>\n#include "%s"\n%s\n' "$1" \
		'const uint32_t values[] = {' >"$folder/v.c"
	shift
	printf '(uint32_t)(uintptr_t)(%s),\n' "$@" >>"$folder/v.c"
	echo '};' >>"$folder/v.c"
	$cc -w -Iinclude -I. -DCONFIG_JIF_COMPARE=1 \
		-DCONFIG_JIF_CLOCK_HZ="$clock" -c -o "$folder/v.o" \
		"$folder/v.c" && objcopy -I elf32-little -O binary \
		-j .rodata "$folder/v.o" "$folder/v" &&
		od -An -v -w4 -tx4 "$folder/v"
}

# same TIMER HEADER: rows of what is to be the same: ours, and the vendor's.
same() {
	file=lib/port/compare/$1.h
	grep . >"$folder/rows"
	set -- "$1" "$2" $(cut -f 1 "$folder/rows")
	timer=$1 header=$2
	shift 2
	values "$file" "$@" >"$folder/ours" 2>"$check_log"
	set --
	while read -r _ theirs; do
		set -- "$@" "$theirs"
	done <"$folder/rows"
	values "$header" "$@" >"$folder/theirs" 2>>"$check_log"
	sed 's/^/# /' "$check_log"
	name="$timer.h: $(wc -l <"$folder/rows") figures of ${header##*/}"
	[ -s "$folder/ours" ] || echo "it does not compile" >"$folder/theirs"
	check_same "$name" "$(row "$folder/theirs")" "$(row "$folder/ours")"
}

row() {
	cut -f 1 "$folder/rows" | paste "$1" -
}

# handler TIMER OPTION...: the name that the port's object has for it.
handler() {
	timer=$1
	shift
	$cc -std=c11 -Iinclude -ffreestanding "$@" -DCONFIG_JIF_COMPARE=1 \
		-DCONFIG_JIF_COMPARE_TIMER="\"$timer.h\"" \
		-DCONFIG_JIF_CLOCK_HZ="$clock" -c -o "$folder/v.o" \
		lib/port/compare/compare.c &&
		nm "$folder/v.o" | sed -n 's/.* T //p' |
		grep -v '^jif_'
}

# What crt0.S of the Pico SDK calls for the first interrupt.
isr() {
	echo isr_irq0 | $cc "$@" -E -P -include \
		"$PICO/src/rp2_common/cmsis/include/cmsis/rename_exceptions.h" -
}

pico() {
	cc='arm-none-eabi-gcc -mthumb -mcpu=cortex-m0plus' clock=1000000
	sdk=$PICO/src/rp2040
	regs=$sdk/hardware_regs/include/hardware/regs
	printf '#include "%s"\n' "$regs/../platform_defs.h" \
		"$regs/addressmap.h" "$regs/timer.h" "$regs/intctrl.h" \
		"$regs/m0plus.h" >"$folder/pico.h"
	cc="$cc -I$sdk/hardware_regs/include"
	same rp2040 "$folder/pico.h" <<-END
		TIMER_BASE     TIMER_BASE
		TIMER_ALARM0   TIMER_BASE + TIMER_ALARM0_OFFSET
		TIMER_ARMED    TIMER_BASE + TIMER_ARMED_OFFSET
		TIMER_TIMERAWL TIMER_BASE + TIMER_TIMERAWL_OFFSET
		TIMER_INTR     TIMER_BASE + TIMER_INTR_OFFSET
		TIMER_INTE     TIMER_BASE + TIMER_INTE_OFFSET
		ALARM0_BIT     TIMER_INTE_ALARM_0_BITS
		JIF_COMPARE_IRQ TIMER_IRQ_0
		ALIAS_SET      REG_ALIAS_SET_BITS
		ALIAS_CLEAR    REG_ALIAS_CLR_BITS
		NVIC_ISER      PPB_BASE + M0PLUS_NVIC_ISER_OFFSET
		NVIC_ICER      PPB_BASE + M0PLUS_NVIC_ICER_OFFSET
		NVIC_ISPR      PPB_BASE + M0PLUS_NVIC_ISPR_OFFSET
		NVIC_ICPR      PPB_BASE + M0PLUS_NVIC_ICPR_OFFSET
		NVIC_IPR       PPB_BASE + M0PLUS_NVIC_IPR0_OFFSET
	END
	crt0=$PICO/src/rp2_common/pico_crt0/crt0.S
	check "crt0.S has isr_irq0 for the first interrupt" grep -q \
		'^if_irq_word 0 isr_irq0' "$crt0"
	for options in -DPICO_RP2040=1 "-DPICO_RP2040=1 -DLIB_CMSIS_CORE=1"; do
		check_same "rp2040.h: the handler's name with $options" \
			"$(isr $options)" "$(handler rp2040 $options)"
	done
	check_same "rp2040.h: another name" mine \
		"$(handler rp2040 -DJIF_COMPARE_VECTOR=mine)"
}

nrfx() {
	mdk=$NRFX/bsp/stable/mdk
	touch "$folder/system_nrf52.h"
	echo '#define __STATIC_INLINE static inline' >"$folder/core_cm4.h"
	printf '#define __%s volatile\n' I O IO IM OM IOM \
		>>"$folder/core_cm4.h"
	cc="arm-none-eabi-gcc -mthumb -mcpu=cortex-m4 -DNRF52832_XXAA"
	cc="$cc -I$folder -I$mdk"
	clock=32768
	same nrf_rtc "$mdk/nrf.h" <<-END
		NRF_START        &NRF_RTC1->TASKS_START
		NRF_STOP         &NRF_RTC1->TASKS_STOP
		NRF_COMPARE0     &NRF_RTC1->EVENTS_COMPARE[0]
		NRF_INTENSET     &NRF_RTC1->INTENSET
		NRF_INTENCLR     &NRF_RTC1->INTENCLR
		RTC_COUNTER      &NRF_RTC1->COUNTER
		NRF_CC0          &NRF_RTC1->CC[0]
		NRF_INT_COMPARE0 RTC_INTENSET_COMPARE0_Msk
		JIF_COMPARE_IRQ  RTC1_IRQn
	END
	clock=31250
	same nrf_timer "$mdk/nrf.h" <<-END
		NRF_START        &NRF_TIMER2->TASKS_START
		NRF_STOP         &NRF_TIMER2->TASKS_STOP
		TIMER_CAPTURE1   &NRF_TIMER2->TASKS_CAPTURE[1]
		NRF_COMPARE0     &NRF_TIMER2->EVENTS_COMPARE[0]
		NRF_INTENSET     &NRF_TIMER2->INTENSET
		NRF_INTENCLR     &NRF_TIMER2->INTENCLR
		TIMER_BITMODE    &NRF_TIMER2->BITMODE
		TIMER_PRESCALER  &NRF_TIMER2->PRESCALER
		NRF_CC0          &NRF_TIMER2->CC[0]
		TIMER_CC1        &NRF_TIMER2->CC[1]
		NRF_INT_COMPARE0 TIMER_INTENSET_COMPARE0_Msk
		JIF_COMPARE_IRQ  TIMER2_IRQn
	END
	for timer in nrf_rtc nrf_timer; do
		check "$timer.h: gcc_startup_nrf52.S has its handler" grep -qw \
			"$(handler $timer)" "$mdk/gcc_startup_nrf52.S"
	done
}

stm32l4() {
	header=$(find "$STM32L4" -name stm32l476xx.h | head -n 1)
	core=$(find "$STM32L4" -name core_cm4.h | head -n 1)
	cc='arm-none-eabi-gcc -mthumb -mcpu=cortex-m4 -DSTM32L476xx'
	cc="$cc -isystem $(dirname "$core")" clock=32768
	same stm32_lptim "$header" <<-END
		LPTIM_ISR           &LPTIM1->ISR
		LPTIM_ICR           &LPTIM1->ICR
		LPTIM_IER           &LPTIM1->IER
		LPTIM_CR            &LPTIM1->CR
		LPTIM_CMP           &LPTIM1->CMP
		LPTIM_ARR           &LPTIM1->ARR
		LPTIM_CNT           &LPTIM1->CNT
		LPTIM_CMPM          LPTIM_IER_CMPMIE
		LPTIM_CMPOK         LPTIM_ISR_CMPOK
		LPTIM_ARROK         LPTIM_ICR_ARROKCF
		LPTIM_ENABLE        LPTIM_CR_ENABLE
		LPTIM_CNTSTRT       LPTIM_CR_CNTSTRT
		JIF_STM32_LPTIM_IRQ LPTIM1_IRQn
		NVIC_ISER           &NVIC->ISER
		NVIC_ICER           &NVIC->ICER
		NVIC_ISPR           &NVIC->ISPR
		NVIC_ICPR           &NVIC->ICPR
		NVIC_IPR            &NVIC->IP
	END
	same stm32_tim "$header" <<-END
		TIM_CR1           &TIM2->CR1
		TIM_DIER          &TIM2->DIER
		TIM_SR            &TIM2->SR
		TIM_EGR           &TIM2->EGR
		TIM_CNT           &TIM2->CNT
		TIM_CCR1          &TIM2->CCR1
		TIM_CEN           TIM_CR1_CEN
		TIM_UG            TIM_EGR_UG
		TIM_CC1           TIM_SR_CC1IF
		TIM_CC1           TIM_DIER_CC1IE
		JIF_STM32_TIM_IRQ TIM2_IRQn
	END
}

# part NAME FOLDER COMMAND
part() {
	if [ "$2" ]; then
		$3
	else
		echo "# $1 is not given: its headers are not compared"
	fi
}

part PICO "${PICO-}" pico
part NRFX "${NRFX-}" nrfx
part STM32L4 "${STM32L4-}" stm32l4
finish
