/* SPDX-License-Identifier: MIT */
/*
 * args.c - what the command line asks for
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jif/types.h>

#include "args.h"
#include "diag.h"

#define WATCH_SECONDS 10
#define WATCH_MAX     86400

static const char help[] =
	"Usage: jifsim run FILE.scn [OPTION...]\n"
	"       jifsim replay TRACE.csv[.gz|.xz] [OPTION...]\n"
	"\n"
	"Runs timers on the jif timer wheel, in simulated time. 'run' does\n"
	"what a scenario says and checks what it expects; 'replay' does what\n"
	"was recorded of another wheel. FILE may be -, the standard input.\n"
	"\n"
	"Options:\n"
	"  -a, --all          print every firing, not only the first 40; a\n"
	"                     replay prints none without it\n"
	"  -q, --quiet        print no firing, only the summary\n"
	"      --json         print a JSON object per line\n"
	"      --wheels[=TIME,...]\n"
	"                     draw the wheels at these times, or else at the\n"
	"                     start and at the end\n"
	"      --watch[=SECONDS]\n"
	"                     watch the wheels turn, for 10 s or so many\n"
	"      --seed=N       instead of the seeds in the scenario\n"
	"      --time         tell how long it took, on standard error\n"
	"      --color=WHEN   auto, always or never\n"
	"  -h, --help         this text\n"
	"  -V, --version      the version\n"
	"\n"
	"Exit status: 0 all is well, 1 an expectation is not met, 2 an error\n"
	"in the scenario or the trace, 64 wrong usage, 66 a file cannot be\n"
	"read, 70 an internal error, 74 the output cannot be written.\n";

enum option {
	OPTION_ALL,
	OPTION_QUIET,
	OPTION_JSON,
	OPTION_WHEELS,
	OPTION_WATCH,
	OPTION_SEED,
	OPTION_TIME,
	OPTION_COLOR,
	OPTION_HELP,
	OPTION_VERSION,
	N_OPTIONS,
};

enum value { VALUE_NONE, VALUE_MAYBE, VALUE_MUST };

static const struct {
	const char *name;
	char letter;
	enum value value;
} known[N_OPTIONS] = {
	[OPTION_ALL] = { "all", 'a', VALUE_NONE },
	[OPTION_QUIET] = { "quiet", 'q', VALUE_NONE },
	[OPTION_JSON] = { "json", 0, VALUE_NONE },
	[OPTION_WHEELS] = { "wheels", 0, VALUE_MAYBE },
	[OPTION_WATCH] = { "watch", 0, VALUE_MAYBE },
	[OPTION_SEED] = { "seed", 0, VALUE_MUST },
	[OPTION_TIME] = { "time", 0, VALUE_NONE },
	[OPTION_COLOR] = { "color", 0, VALUE_MUST },
	[OPTION_HELP] = { "help", 'h', VALUE_NONE },
	[OPTION_VERSION] = { "version", 'V', VALUE_NONE },
};

static const char *const command_names[COMMANDS] = { "run", "replay" };

/*
 * struct args - the command line, as far as it has been read
 * @at:		the next word
 * @only_files:	"--" has been seen
 * @done:	nothing is left to be done
 */
struct args {
	struct options *options;
	char **at;
	char **end;
	bool has_command;
	bool only_files;
	bool done;
	int status;
};

static void __attribute__((format(printf, 2, 3)))
fail(struct args *args, const char *format, ...)
{
	va_list list;

	fputs("jifsim: ", stderr);
	va_start(list, format);
	vfprintf(stderr, format, list);
	va_end(list);
	fputs("\nTry 'jifsim --help'.\n", stderr);
	args->done = true;
	args->status = STATUS_USAGE;
}

static bool read_number(struct args *args, const char *name, const char *text,
			uint64_t most, uint64_t *number)
{
	const char *at = text;

	*number = 0;
	for (; *at >= '0' && *at <= '9'; at++) {
		if (*number > (most - (uint64_t)(*at - '0')) / 10) {
			fail(args, "--%s: '%s' is too large", name, text);
			return false;
		}
		*number = *number * 10 + (uint64_t)(*at - '0');
	}
	if (at != text && !*at)
		return true;
	fail(args, "--%s: '%s' is not a whole number", name, text);
	return false;
}

static void read_color(struct args *args, const char *value)
{
	if (!strcmp(value, "auto"))
		args->options->color = COLOR_AUTO;
	else if (!strcmp(value, "always"))
		args->options->color = COLOR_ALWAYS;
	else if (!strcmp(value, "never"))
		args->options->color = COLOR_NEVER;
	else
		fail(args, "--color: expected auto, always or never, not '%s'",
		     value);
}

static void read_watch(struct args *args, const char *value)
{
	args->options->watch = WATCH_SECONDS;
	if (value &&
	    read_number(args, "watch", value, WATCH_MAX,
			&args->options->watch) &&
	    !args->options->watch)
		fail(args, "--watch takes one second or more");
}

static void print_version(struct args *args)
{
	printf("jifsim %d.%d.%d\n", JIF_VERSION >> 16, JIF_VERSION >> 8 & 0xff,
	       JIF_VERSION & 0xff);
	args->done = true;
}

static void set_option(struct args *args, enum option option, const char *value)
{
	struct options *options = args->options;

	switch (option) {
	case OPTION_ALL:
		options->all = true;
		break;
	case OPTION_QUIET:
		options->quiet = true;
		break;
	case OPTION_JSON:
		options->json = true;
		break;
	case OPTION_WHEELS:
		options->wheels = true;
		options->wheels_at = value;
		break;
	case OPTION_WATCH:
		read_watch(args, value);
		break;
	case OPTION_SEED:
		options->has_seed = read_number(args, "seed", value, UINT64_MAX,
						&options->seed);
		break;
	case OPTION_TIME:
		options->time = true;
		break;
	case OPTION_COLOR:
		read_color(args, value);
		break;
	case OPTION_HELP:
		fputs(help, stdout);
		args->done = true;
		break;
	default:
		print_version(args);
	}
}

static void read_long(struct args *args, const char *word)
{
	const char *value = strchr(word, '=');
	size_t length = value ? (size_t)(value++ - word) : strlen(word);
	struct near near = diag_near(word, length);
	enum option option = 0;

	while (option < N_OPTIONS && (strlen(known[option].name) != length ||
				      memcmp(known[option].name, word, length)))
		diag_near_try(&near, known[option++].name);
	if (option == N_OPTIONS) {
		fail(args, "unknown option '--%.*s'%s",
		     (int)(length < 40 ? length : 40), word,
		     diag_near_hint(&near));
		return;
	}
	if (known[option].value == VALUE_MUST && !value && args->at < args->end)
		value = *args->at++;
	if ((known[option].value == VALUE_MUST && !value) || (value && !*value))
		fail(args, "--%s needs a value", known[option].name);
	else if (known[option].value == VALUE_NONE && value)
		fail(args, "--%s takes no value", known[option].name);
	else
		set_option(args, option, value);
}

static void read_letters(struct args *args, const char *letters)
{
	for (; *letters && !args->done; letters++) {
		enum option option = 0;

		while (option < N_OPTIONS && known[option].letter != *letters)
			option++;
		if (option < N_OPTIONS)
			set_option(args, option, NULL);
		else
			fail(args, "unknown option '-%c'", *letters);
	}
}

static void read_command(struct args *args, const char *word)
{
	struct near near = diag_near(word, strlen(word));

	for (unsigned i = 0; i < COMMANDS; i++) {
		diag_near_try(&near, command_names[i]);
		if (strcmp(word, command_names[i]))
			continue;
		args->options->command = i;
		args->has_command = true;
		return;
	}
	fail(args, "unknown command '%.40s'%s: expected run or replay", word,
	     diag_near_hint(&near));
}

static void read_word(struct args *args)
{
	const char *word = *args->at++;

	if (!args->only_files && !strcmp(word, "--"))
		args->only_files = true;
	else if (!args->only_files && word[0] == '-' && word[1] == '-')
		read_long(args, word + 2);
	else if (!args->only_files && word[0] == '-' && word[1])
		read_letters(args, word + 1);
	else if (!args->has_command)
		read_command(args, word);
	else if (args->options->file)
		fail(args, "one file at a time: '%s' is too many", word);
	else
		args->options->file = word;
}

/* What does not go together. */
static void check(struct args *args)
{
	const struct options *options = args->options;

	if (!args->has_command)
		fail(args, "expected a command: run or replay");
	else if (!options->file)
		fail(args, "expected the file to %s",
		     command_names[options->command]);
	else if (options->all && options->quiet)
		fail(args, "--all and --quiet contradict each other");
	else if (options->json && options->watch)
		fail(args, "--json and --watch do not go together");
	else if (options->wheels && options->watch)
		fail(args, "--wheels and --watch do not go together");
	else if (options->has_seed && options->command == COMMAND_REPLAY)
		fail(args, "--seed is for run: a trace has nothing random");
	if (options->command == COMMAND_REPLAY && !options->all)
		args->options->quiet = true;
}

bool args_parse(struct options *options, int argc, char **argv, int *status)
{
	struct args args = {
		.options = options,
		.at = argv + 1,
		.end = argv + argc,
	};

	*options = (struct options){ 0 };
	while (args.at < args.end && !args.done)
		read_word(&args);
	if (!args.done)
		check(&args);
	*status = args.status;
	return !args.done;
}

bool args_color(const struct options *options, int fd)
{
	const char *no_color = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	if (options->color != COLOR_AUTO)
		return options->color == COLOR_ALWAYS;
	return isatty(fd) && !(no_color && *no_color) &&
	       !(term && !strcmp(term, "dumb"));
}
