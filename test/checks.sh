#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: test/checks.sh [STEP]...
#
# Does each step of `make check` fail when it should? Breaks one thing after the
# other in a copy of the tree, and runs the steps that hold it: they have to
# fail, and `make check` has to say what is wrong. With STEPs, only what breaks
# these: `make check` does that with quick ones, `make check-checks` with all.
#
# shellcheck disable=SC2016	# the dollars are those of sed
set -u
. test/lib.sh

chosen=" $* "
covered=' checks '
copy=$folder/copy
said=$folder/said
unset MAKEFLAGS MFLAGS MAKELEVEL
mkdir -p "$copy/build"
copy_tree "$copy"
for out in build/host build/host-release; do
	[ ! -d $out ] || cp -a $out "$copy/build"
done
cd "${copy:?}" || exit 1

# change FILE SED [FILE SED]...: every file changes, and is kept.
change() {
	rm -rf "$folder/kept"
	mkdir "$folder/kept"
	while [ $# -gt 0 ]; do
		cp --parents "$1" "$folder/kept"
		sed -i "$2" "$1"
		! cmp -s "$1" "$folder/kept/$1" || return
		shift 2
	done
}

# Whether one of the steps is chosen.
wanted() {
	[ "$chosen" != '  ' ] || return 0
	for step; do
		case $chosen in *" ${step#+} "*) return 0 ;; esac
	done
	return 1
}

# Complains about how the steps went; they have to say these lines.
judge() {
	[ "$status" = 1 ] || echo "the exit status is $status"
	for step in $1; do
		case $step in
		+*) ;;
		*) grep -qx "failed: $step" "$said" || echo "$step passes" ;;
		esac
	done
	echo "$2" | while read -r line; do
		grep -qe "$line" "$said" || echo "nobody says: $line"
	done
}

# row "STEP..." WHAT SAYS FILE SED [FILE SED]...: these steps fail, but for
# those with a plus, and each line of SAYS is found in what they say.
row() {
	steps=$1
	what="$(echo "$1" | tr -d +): $2"
	says=$3
	shift 3
	covered="$covered$steps "
	# shellcheck disable=SC2086	# a list of words
	wanted $steps || return
	: >"$said"
	if change "$@"; then
		status=0
		# shellcheck disable=SC2046,SC2086	# lists of words
		timeout 1800 test/check.sh $(echo "$steps" | tr -d +) \
			>"$said" 2>&1 || status=$?
		wrong=$(judge "$steps" "$says")
	else
		wrong="a file stays the same"
	fi
	(cd "$folder/kept" && tar cf - .) | tar xmf -
	if [ -z "$wrong" ]; then
		pass "$what"
	else
		fail "$what"
		printf '%s\n' "$wrong" "$(cat "$said")" | sed 's/^/# /'
	fi
}

# --- what is read ------------------------------------------------------------

row style "a source without style" 'flags.c:1: .*the licence is missing
longer than 80 columns
blanks at the end of the line
conditional compilation in the engine
lib/bitmap.h:.* jif_now() on a wheel that may have another
a word for a compiler
forward declaration of a static function
has 4[0-9] lines, more than 40
a test that asserts nothing: wheel_next, of_an_empty_wheel
test/tools/docs/book.sh:.*a test that cannot fail
test/tools/docs/recipes.sh:.*see tools/build/scratch.sh
test/tools/docs/examples/nodes.sh:.*see tools/build/scratch.sh
test/tools/docs/book.sh:.*see tools/build/scratch.sh' \
	test/wheel/unit/wheel_next.c '/of_an_empty_wheel/,/^}/{/cr_/d}' \
	test/tools/docs/recipes.sh 's/^finish/page=$(mktem\x70)/' \
	test/tools/docs/examples/nodes.sh 's/^here=.*/cd build/' \
	test/tools/docs/book.sh '$icheck "a name" true\ncd "$name" || exit' \
	lib/bitmap.h '/lowest_bit(jif_word_t/,/^}/s/^{/{\
jif_now();/' \
	lib/firmware/flags.c '1d; 5s/.*/&&/; $a\
#if 1 \
#pragma once \
static int f(int i);\
int g(int i)\
{'"$(printf '\\\n;%.0s' $(seq 40))"'\
}'
row calls "a call that nobody makes, an idle excuse, a private field" \
	'jif_timer_fresh has no context
jif_timer_fresh has no member
jif_timer_fresh has no model
jif_timer_fresh has no test
jif_nothing lacks nothing of it
wheel_run.c:.*a private field: wheel.occupied
wheel_run.c:.*a private field: timers\[0\].next
wheel_run.c:.*a private field: ->since
loop.c:.*a private field: timer->fn' \
	test/wheel/unit/wheel_run.c '$a\
int f(struct other *a)\
{\
	return !wheel.occupied[0] + !timers[0].next + a->b->since[0];\
}' \
	test/host/loop.c 's/jif_timer_pending(timer) ?/timer->fn ?/' \
	include/jif/timer.h '/^#endif/i\
void jif_timer_fresh(struct jif_timer *timer);' \
	test/calls '$a\
jif_nothing	model	it is not there'
row evidence "no requirement, no test, and a name of nothing" \
	'no requirement has the invariant W99
W3 is not looked at
no requirement has the source lib/firmware/queue.c
no requirement has the test watchdog/
DRAIN has no test
WALK: there is no test wheel_talk/' \
	lib/wheel.c 's/^ \* W1	/ * W99	/' lib/wheel_check.c s/W3/3/ \
	docs/requirements 's: lib/firmware/queue.c::
s:	watchdog/\*:	:; /^DRAIN/s:wheel_drain/\*:-:
s:wheel_walk/:wheel_talk/:'
row documents "names of what there is not, an idle option, another verb" \
	'docs/misuse.md:[0-9]*: error: there is no no_function()
error: there is no lib/nothing.c
error: there is no CONFIG_JIF_NOTHING
error: there is no make nothing
docs/misuse.md:[0-9]*: error: there is no jif_timer_nothing
docs/misuse.md:[0-9]*: error: there is no JIF_NOTHING
docs/misuse.md:[0-9]*: error: there is no heading #nothing in docs/misuse.md
docs/misuse.md:[0-9]*: error: there is no heading #nowhere in docs/timing.md
docs/misuse.md:[0-9]*: error: there is no none.md to link to
Kconfig: error: nothing reads CONFIG_JIF_IDLE
docs/timing.md: error: the verbs lack that of jif_flags_add
docs/timing.md: error: there is no jif_work_mod
lib/firmware/flags.c:[0-9]*: error: there is no no_such()
tools/check/measure.py:[0-9]*: error: there is no docs/style' \
	docs/misuse.md '$a\
no_function() lib/nothing.c CONFIG_JIF_NOTHING `make nothing`\
`jif_timer_nothing` `JIF_NOTHING` [a](#nothing) [b](timing.md#nowhere)\
[c](none.md)' \
	Kconfig '$a\
config JIF_IDLE\
	bool "an option"' \
	docs/timing.md 's/^| work | queue |/| work | queue, mod |/' \
	include/jif/firmware/flags.h 's/ jif_flags_clear(/ jif_flags_add(/' \
	lib/firmware/flags.c '$a\
/* no_such() */' \
	tools/check/measure.py '1,2s/"""/&docs\/style /'
row figures "figures that nothing holds, or that are others" \
	'README.md:.*holds the figure 85:
README.md:.*holds the figure hundred:
docs/design.md:.*holds the figure 154:
docs/linux.md:.*holds the figure 57:
docs/tests.md:.*holds the figure 1.6:
docs/trust.md:.*holds the figure 964:
test/proof/README.md:.*holds the figure 54:
docs/linux.md:.*holds the figure ten:
docs/trust.md:.*holds the figure 310:
docs/costs.md:.*no step compares what is made by make none-doc
docs/kernels.md:.*holds the figure 1,314:
docs/linux.md:.*holds the figure 24:
docs/figures:.*no document says "installs 60 MB"
docs/figures:.*"at most 43 bytes" is .44
docs/figures:.*compares no document' \
	README.md 's/60 MB/85 MB/; s/a thousand/a hundred/' \
	docs/design.md 's/153/154/' \
	docs/tests.md '$a\
A week is 1.6 million records.' \
	test/proof/README.md 's/53 goals/54 goals/' \
	docs/trust.md '3s/$/ It takes 964 MB./
		$a\
MC/DC: 310 of 314.' \
	docs/linux.md 's/are twelve of/are ten of/
		$a\
A connection takes 57 bytes. 24 million armings a second.' \
	docs/costs.md '$a\
<!-- made by make none-doc -->\
1200\
<!-- end of what make none-doc makes -->' \
	docs/kernels.md 's/1,313/1,314/' \
	docs/figures 's|by test/face/kernels/freertos.sh$|by test/lib.sh|' \
	tools/simulate/scenario.h '/NAME_LENGTH/s/43/44/'
row layout "another layout, in each language" \
	'lib/firmware/flags.c:.*clang-format
--- ./test/lib.sh
tools/check/measure.py:.*E225
ERROR .*CMakeLists.txt
--- ./tools/show/web/why.js' \
	lib/firmware/flags.c '$a\
int  jif_a;' \
	test/lib.sh '$a\
if true ; then :; fi' \
	tools/check/measure.py '$a\
NONE=0' \
	tools/package/cmake/CMakeLists.txt '$a\
set( a   b )' \
	tools/show/web/why.js '$a\
function  a(){return 1}'
row evidence "a net with another figure" 'docs/trust.md: error: not what' \
	test/nets '/^step/s/	[0-9-][0-9]*	/	99999	/'
row +evidence "a test that is lost" '^< evidence 2
^> evidence 1' \
	test/expected 's/^evidence 1$/evidence 2/'
row check "a test that is skipped and counts" 'without what is skipped' \
	test/lib.sh 's/# SKIP.d/# SKOP\/d/'

# --- what compilers say ------------------------------------------------------

shadow='$a\
extern int jif_a;\
int jif_f(int jif_a);\
int jif_f(int jif_a)\
{\
	return jif_a;\
}'
twice='$a\
static inline int twice(void)\
{\
	return 2;\
}'
row host "a warning at W=1" 'flags.c:.*shadows a global' lib/firmware/flags.c \
	"$shadow"
row host-clang "a warning of sparse" 'plain integer as NULL' \
	lib/firmware/flags.c '$a\
extern int *jif_p;\
int *jif_p = 0;'
row "arm-cortex-m0 arm-cortex-m3 arm-cortex-m4" \
	"a warning in the port to Cortex-M" 'cortex_m.c:.*shadows a global' \
	lib/port/cortex-m/cortex_m.c "$shadow"
row rv32 "a warning in the port to RISC-V" 'riscv.c:.*shadows a global' \
	lib/port/riscv/riscv.c "$shadow"
row avr "a number too large for an int of 16 bits" 'flags.c:.*overflow' \
	lib/firmware/flags.c '$a\
int jif_i(void);\
int jif_i(void)\
{\
	return 100000;\
}'
row build "a warning of the build" 'flags.c:.*defined but not used' \
	lib/firmware/flags.c '$a\
static int unused;'
row emulators "an emulator that does not compile" 'trace.c:.*#error' \
	test/target/qemu/trace.c '$a\
#error'
row names "a name without jif_" ' B stray' lib/firmware/flags.c '$a\
int stray;'
row names "a name that no header has" 'jif_stray is in no header' \
	lib/firmware/flags.c '$a\
int jif_stray;'
row "one-unit amalgamation" "two functions of one name" \
	'redefinition of .twice
not ok .* jif.c: gcc' \
	lib/firmware/queue.c "$twice" lib/firmware/flags.c "$twice"
row analyse "a null pointer" 'not ok .* gcc -fanalyzer
not ok .* clang-tidy
not ok .* cppcheck' \
	lib/firmware/flags.c '$a\
int jif_i(int i)\
{\
	const int *p = 0;\
\
	return i ? *p : i - i;\
}'

# --- what programs do --------------------------------------------------------

row unit "a mode that is not the deepest" \
	'not ok .* power::mode_is_the_deepest' \
	docs/examples/firmware/power.h 's/worth > ticks/worth >= ticks/'
row "unit misuse" "a function that may be missing" \
	'not ok .* timer::without_a_function_is_not_armed
not ok .* misuse::each_is_told_and_the_wheel_goes_on
not ok .* add_without_function, release' \
	lib/wheel.c 's/ && timer->fn ? 0/ ? 0/'
row "model explore inductive step spread spread-short swarm" \
	"del that tells the contrary" \
	'not ok .* lockstep::
expected:
the count, after drain
wrong is
not ok .* K = 1: lockstep
not ok .* a swarm of seeds' \
	lib/wheel.c \
	'/^bool jif_timer_del(/,/^}/s/return pending > 0/return pending <= 0/'
row "divides spread" "another quotient where there is a divider" \
	'not ok .*placement::all_hand_positions
not ok .* K = 1: with a divider' \
	lib/rings.h 's|return ticks / ring->ticks|& - (ticks >= ring[1].ticks)|'
row "+san-build san-unit san-model san-explore san-simulator" \
	"a shift by 32 bits" 'runtime error: shift exponent 32' \
	lib/wheel.c '/^int jif_timer_add(/,/^}/s/^{/{\
	volatile int bits = 32;\
	volatile int shifted = 1 << bits;\
	(void)shifted;/'
row san-build "a source that does not compile" 'flags.c:.*#error' \
	lib/firmware/flags.c '$a\
#ifdef __SANITIZE_ADDRESS__\
#error\
#endif'
row step "a search that looks at what is due once" \
	'wheel_next.*wheel_run_budget.*wrong is result of the call' \
	lib/wheel_next.c 's/^	bool set = false;/&\
	uint8_t due = wheel->levels_due;/
		s/if (held->levels_due > 1/if (due > 1/'
row windows "what is read before interrupts are off" \
	'wrong is: jif_table_set(.*; a handler: jif_table_
wrong is: a wheel that sleeps; ' \
	lib/wheel_sleep.c '/^bool jif_wheel_sleep(/,/^}/{
		/flags = jif_irq_save/d
		s/^	ticks = .*/&\n	flags = jif_irq_save();/;}' \
	lib/firmware/table.c '/^static int insert_or_assign(/,/^}/{
		/ flags = /{h;d;}
		/ link = /G;}'
row step-unmasked "too few that are wrong" 'step: wrong are [0-9]* of' \
	test/wheel/model/step/step.c \
	's/^#define WRONG_VERBS .*/#define WRONG_VERBS 99/'
row simulator "golden files, an error, exit codes, the manual page" \
	'not ok .* scenarios/ex-cache$
not ok .* two files$
not ok .* a full disk$
not ok .* exit codes of --help$
not ok .* exit codes of the man page$
not ok .* options of the man page are those of --help$' \
	test/tools/sim/examples.cases \
	'/ex-cache/,/^--- fired/s/^--- fired 499/--- fired 500/' \
	tools/simulate/main.c 's/"one file at a time"/"one file"/
		s/70 an internal/71 an internal/' \
	tools/simulate/diag.h 's/OUTPUT = 74/OUTPUT = 75/' \
	tools/simulate/jifsim.1 's/^.It 74/.It 75/; /^.It Fl -seed/d'
row main-job "a scenario of make run that is not met" \
	"not ok .* make run works with cc, make, a shell and gzip" \
	test/tools/run/pool.scn 's/tue 00:21:45/tue 00:21:46/'

# --- what documents show -----------------------------------------------------

row "readme readme-tools" "another output" \
	'not ok .* from the sources: it prints what it should' \
	README.md 's/^501: door/502: door/'
row recipes "outputs, files, calls, blocks and tests that there are not" \
	'not ok .* docs/tests.md: static struct jif_trace_record records
not ok .* docs/timers.md: #include <jif/jif.h>
not ok .* docs/linux.md: #include <jif/host/service.h>
not ok .* docs/board.md: static struct jif_wheel wheel
not ok .* README.md: sleep until the next expiry
not ok .* README.md: start or restart
not ok .* docs/timing.md: the other calls
not ok .* docs/trust.md: make nothing
wheel_sleep.c calls jif_time_jiffies
not ok .* docs/kernels.md: ThreadX
not ok .* test/wheel/unit/README.md names tests that there are' \
	docs/tests.md 's/jif_trace_start(&wheel/jif_trace_begin(\&wheel/' \
	docs/timers.md 's/^30000: close 7/30001: close 7/' \
	docs/linux.md 's/^close 7: idle/close 8: idle/' \
	docs/board.md '/^static struct/s/static //' \
	README.md 's/_mod_in(&w, &t, n)/_mod(\&w, \&t, n)/' \
	docs/packaging.md 's/wheel_sleep.c, //' \
	docs/timing.md 's/_mod_in(&w, &t, 5)/_mod_in(\&w, 5)/' \
	docs/trust.md '$a\
```\
make nothing\
```' \
	docs/CONTRIBUTING.md 's/`wheel_check.c` |/`wheel_sleep.c` |/' \
	docs/kernels.md 's/`lib.port.threadx.threadx.c`/its port/' \
	test/wheel/unit/README.md \
	's/table.stale_handle_is_refused/table\/stale/'
row traps "a wheel that is behind, and a result that nobody looks at" \
	'not ok .* started_after_a_sleep is told
not ok .* C11 wants results looked at, DEBUG=0' \
	lib/debug.c 's/now - clk - 1 < JIF_DELAY_MAX/now == clk/' \
	include/jif/wheel.h '/^JIF_MUST_CHECK/d'
row scheduler "another program" 'not ok .* it compiles with avr-gcc' \
	docs/scheduler.md 's/^static void sample/static int sample/'
row service "a job that runs early" \
	'not ok .* a delay of 3 ticks is never early at 100 Hz' \
	lib/host/loop.c 's/ + (ns % loop->tick_ns != 0)//'
row interleave "a job that is armed and not said to be" \
	'not ok .* arm, delete' \
	lib/host/job.c '/^bool jif_job_del(/,/^}/s/return was;/return true;/'
row nodes "another output" 'not ok .* docs/tests.md shows what a week' \
	docs/tests.md s/937523/937524/
row firmware "another output" 'not ok .* and says so as the page does' \
	docs/tests.md 's/^test.c:273: expected at 10/test.c:273: at 11/'
row examples "an example that does something else" \
	'not ok .* superloop.c does what it says' \
	docs/examples/superloop.c 's/1000, 1000/1000, 2000/'
row kernels "a wake that is lost, a timer that goes on" \
	'not ok .* stand-in: it does what it says
not ok .* stand-in: 10.6 operations, SPREAD 0
not ok .* stand-in -DSCENARIOS=16: the scenarios are those that' \
	lib/port/kernel/kernel.c 's/>waits = ticks/>waits = false/' \
	lib/face/freertos/timers.c '/jif_timer_del(&kernel.wheel, &timer/d'
row arduino "a lamp that is late" 'not ok .* each callback on its milli' \
	docs/examples/millis.cc 's/millis() + 300/millis() + 303/'
row blink "another period" 'not ok .* it blinks' \
	docs/examples/blink/blink.c 's/jiffies(500)/jiffies(600)/'
row zephyr "a first one that is not told" \
	'not ok .* zephyr: fast: mode 0
not ok .* zephyr: jif: edges, 64 bits' \
	lib/port/zephyr/timeout_jif.h 's/if (when >= q->soonest)/if (when)/'
row linux "an example and a file that do something else" \
	'not ok .* the library: it says what is expected
not ok .* net/x25/x25_timer.c' \
	docs/examples/retransmit.c 's/jiffies(500)/jiffies(600)/' \
	test/face/kernels/linux/kernel.h \
	's/if (del_timer(timer))/if (!del_timer(timer))/'
row book "the description of another call, a dead link, a page" \
	'idled.1:.*ERROR
expecting prototype for jif_flags_clea
docs/timing.md: nowhere.md is not there' \
	include/jif/firmware/flags.h \
	's/^ \* jif_flags_clear - / * jif_flags_clea - /' \
	tools/show/idled/idled.1 's/^.Nd/.Ndd/' \
	docs/timing.md '$a\
[here](nowhere.md)'
row pictures "another picture" 'day.svg .*differ' \
	docs/pictures/day.svg '1s/ / \n/'
row bench-tables "another figure" 'docs/costs.md: error' \
	docs/costs.md 's/^| tree | /&9/'
row bench-tables "an engine that was not measured" 'those that were measured' \
	lib/bitmap.h 's/^#define WORD_BITS /#define WORD_BYTES 1\n&/'
figures='/<!-- budget/,/<!-- end/s/| [0-9.]* |$/| 1 |/'
row budget-tables "other figures, and a table on no page" \
	'README.md: error: a table is not that of test/budget
docs/costs.md: error
docs/timing.md: error
test/budget/stack.table: error: no page shows it' \
	README.md "$figures" docs/costs.md "$figures" \
	docs/timing.md "$figures" \
	docs/board.md 's/`test.budget.stack.table`/the stack/'

# --- sizes, and machines -----------------------------------------------------

# In each table a budget that is too small, and one that is out of date.
set --
says=
first='\([^|]*|[^|]*| \)[1-9][0-9.]*\( |.*\)*$'
for table in test/budget/*.table; do
	small=$(sed -n "/^$first/{s/ | .*//p;q}" "$table")
	large=$(sed -n '$s/ | .*//p' "$table")
	set -- "$@" "$table" '$s/| \([0-9.]*\)$/| 9\1/
		0,/^'"$first"'/s/^'"$first"'/\10.1\2/'
	says="$says
not ok .* - $(basename "$table" .table)$
($small), .* the budget is 0.1$
($large), .* the budget is 9"
done
row budget "budgets that are too small, and out of date" "${says#?}" "$@"

one_more='s/jif_now() - begin, 1200/jif_now() - begin, 1201/'
row "target-arm-cortex-m3 step-qemu step-qemu-unmasked" \
	"tests of a port, unit tests, flash, a model, too few that are wrong" \
	'not ok .* port_tick::comes_at_its_rate_and_is_counted_once
not ok .* unit$
not ok .* flash and RAM are within the budget
wrong is
^ *19 wrong' \
	test/port/tick.c "$one_more" \
	test/wheel/unit/wheel_next.c 's/next(), 50/next(), 51/' \
	test/target/budget 's/^\(.*flash	\).*/\11/' \
	test/wheel/model/step/model.c 's/\(map |= (uint32_t)\)m/\1!m/' \
	test/target/step.c 's/WRONG_ENOUGH 20/WRONG_ENOUGH 19/'
row "target-arm-cortex-m0 target-arm-cortex-m4 target-rv32 port-rv32 \
target-avr" \
	"tests of other ports, flash, what the demonstration says" \
	'not ok .* the port tests pass
not ok .* port_tick::comes_at_its_rate_and_is_counted_once
not ok .* what is to happen does
not ok .* flash and RAM are within the budget' \
	test/port/tick.c "$one_more" \
	test/target/hour.out 's/ 17 s/ 16 s/' \
	test/target/budget 's/^\(.*flash	\).*/\11/'
row target-compare "wake-ups with a compare register" \
	'not ok .* its wake-ups are within the budget' \
	test/target/budget 's/^\(.*compare-wake-ups-hour	\).*/\11/'
row port-barriers "a window without a barrier" \
	'not ok .* a window lets in what is pending' \
	lib/port/cortex-m/jif_port.h \
	's/ JIF_IRQ_MASK ", %0.n.tisb"/ JIF_IRQ_MASK ", %0"/'
row port-models "a tick that is counted twice" 'not ok .* systick' \
	lib/port/cortex-m/cortex_m.c \
	's/jif_ticks(length - 1)/jif_ticks(length)/'
row compare "a lead that is too short" 'not ok .* nrf_rtc at 32768 Hz' \
	lib/port/compare/nrf_rtc.h 's/\(COMPARE_LEAD *\)4/\12/'
row port-faults "a fault without a place" 'there is nothing to change' \
	lib/port/smp/smp.c 's/^\tset_owner(0);/\tset_owner( 0);/'
row smp "a lock that orders nothing" 'not ok .* each arming ends once' \
	lib/port/smp/spin.h s/ACQUIRE/RELAXED/

# --- the library, as it is used ----------------------------------------------

before='s/^#include <jif.firmware.queue.h>/#include <jif\/firmware\/sched.h>\
&/'
row headers "headers that need others, or define; options that differ" \
	'not ok .* jif/firmware/queue.h as C11 (gcc)
not ok .* all headers in two sources of a program
not ok .* the linker says it is WORK_PRIORITIES_4' \
	include/jif/firmware/queue.h '/^#include/d' \
	lib/firmware/queue.c "$before" \
	test/firmware/unit/queue.c "$before" \
	include/jif/firmware/calendar.h '$a\
#if !CONFIG_JIF_DEBUG\
int jif_twice;\
#endif' \
	include/jif/firmware/work.h \
	'/JIF_AGREE_ON(.*, jif_workqueue_init)/s/.*/;/'
row cplusplus "a timer that may be copied" \
	'not ok .* a copy of a timer does not compile' \
	include/jif/jif.hpp 's/\(Static(const Static &) = \)delete/\1default/'
row coverage "a branch that is never taken, one that is listed for nothing" \
	'not ok .* lib/firmware/flags.c
not ok .* what is left out never runs, and has a reason' \
	lib/firmware/flags.c '$a\
int jif_i(int i)\
{\
	return i ? 1 : 2;\
}' \
	test/faults/coverage/excluded '$a\
lib/firmware/sched.c: sched->running = true;\
	For nothing.'
row fuzz "a table whose handles do not age, a fuzzer that is not there" \
	'not ok .* all inputs of test/wheel/model/fuzz/table.txt
not ok .* docs/SECURITY.md names the fuzzers that there are' \
	lib/firmware/table.c '/entry->generation++;/d' \
	docs/SECURITY.md 's/`idled` |$/`server` |/'
row month "a second too many" 'not ok .* a month goes by' \
	lib/firmware/snapshot.c 's/? rtc - h.rtc/& + 1/'
row proof "a model with its mistake" \
	'not ok .* jiffies: a reading is a count that there was' \
	test/proof/jiffies.pml '1s/$/\n#define TORN/'
row theorem "a hand that moves a slot too far" \
	'not ok .* every timer runs once' \
	test/proof/theorem/model.v 's/ticks k) mod/ticks k + 1) mod/'
row mutants "a test that says something else" \
	'suite fails and does not say why' \
	test/faults/mutants.toml "s/crashes = '[^']*'/crashes = 'falls over'/g"
row firmware-faults "a fault that is none" 'events does not find it' \
	test/tools/docs/examples/firmware.toml \
	"s/'pause . 2' at pause/'({})' at pause/"
row bench "a row that is late" 'not ok .* heap is never late' \
	tools/check/bench/rows/sorted.h 's/expires <= now/expires < now/'
row compilers "a map of bits that is one of bytes" \
	'not ok .* s390x: unit tests' lib/bitmap.h \
	's/WRITE_SHARED(word, (jif_word_t)(.word |.*/(void)word;\
	((uint8_t *)map)[bit \/ 8] |= (uint8_t)(1 << bit % 8);/'
row trace "another recording" 'not ok .* the recording of sim' \
	test/tools/trace/same.csv s/lease/leash/
row web "a click that arms elsewhere" 'not ok .* a click' \
	tools/show/web/why.js \
	's/delay > 0 \&\& levelFor/delay > 1 \&\& levelFor/'
row targets "a default of a number; a dirty tree that is released" \
	'not ok .* without a configuration, options are as Kconfig says
not ok .* a dirty tree$' \
	tools/build/kconfig.awk \
	's/"CONFIG_" $2 : $2/"CONFIG_" $2 : $2 == 64 ? 65 : $2/' \
	tools/package/release 's/^\[ -z "$dirty" \]/true/'
row "+san-build san-idled" "a peer behind the last one" \
	'not ok .* idled$' \
	tools/show/idled/peer.c 's/^	npeers--;/&\
	peers[options.connections + 1].count = 0;/'
row idled "a byte that does not postpone" \
	'not ok .* exactly the silent ones are closed' \
	tools/show/idled/conn.c \
	'/received_bytes +=/,+1s/postpone(conn)/(void)0/'

# --- all of them, and what they need -----------------------------------------

# Of all steps, which test/expected knows.
check_same "there is a row for each step" "" \
	"$(while read -r step _; do
		case $covered in
		*" $step "*) ;;
		*) echo "$step" ;;
		esac
	done <test/expected)"

# unlisted LIST...: the commands of scripts that are of packages which no list
# names, and none of those needs.
unlisted() {
	{
		# shellcheck disable=SC2046	# a list of names
		apt-cache depends --recurse --installed --no-recommends \
			--no-suggests --no-conflicts --no-breaks --no-replaces \
			--no-enhances $(awk '!/^#/ { print $1 }' "$@") |
			grep '^[a-z0-9]'
		dpkg-query -W -f '${Priority} ${Package}\n' |
			sed -n 's/^required //p'
	} >"$folder/listed"
	dpkg-query -W -f '${Package}\n' | grep -vxFf "$folder/listed" |
		xargs dpkg -L 2>/dev/null |
		sed -n 's|^\(/usr\)\{0,1\}/s\{0,1\}bin/||p' |
		sort -u >"$folder/others"
	name='[a-z][a-z0-9_.+-]*'
	{
		find .ci test tools -type f \
			-exec grep -lx '#!/bin/sh' {} + |
			xargs sed 's/^[	 ]*#.*//; s/[a-z_]*=/=/' |
			grep -oE "(^[	 ]*|[|&;(!] *|(then|do|if) )$name"
		grep -rhoE "\['$name'" test tools
	} | grep -oE "$name" | sort -u | comm -12 - "$folder/others" | xargs
}

lists=$(find test tools -name packages)
if wanted packages; then
	# shellcheck disable=SC2086	# files
	check_same "the lists name what scripts call" "" \
		"$(unlisted $lists)"
	sed -i '/^jq	/d' test/packages
	# shellcheck disable=SC2086	# files
	check_same "one that is missing is found" jq "$(unlisted $lists)"
fi

finish
