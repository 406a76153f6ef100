/* SPDX-License-Identifier: MIT */
/* jifsim: timers on the jif timer wheel, in simulated time */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim.h"

#define WHEELS_MAX 1000

static const char help[] =
	"Usage: jifsim run FILE.scn [OPTION...]\n"
	"       jifsim replay TRACE.csv[.gz|.xz] [OPTION...]\n\n"
	"Runs timers on the jif timer wheel, in simulated time. 'run' does\n"
	"what a scenario says and checks what it expects; 'replay' does what\n"
	"was recorded of another wheel. FILE may be -, the standard input.\n\n"
	"Options:\n"
	"  -a, --all          print every firing, not only the first 40; a\n"
	"                     replay prints none without it\n"
	"  -q, --quiet        print no firing, only the summary\n"
	"      --json         print a JSON object per line\n"
	"      --wheels[=N]   draw the wheels N times, evenly spread from the\n"
	"                     start to the end; twice without N\n"
	"      --seed=N       instead of the seeds in the scenario\n"
	"      --record=FILE  what happens to each timer, for tools/trace\n"
	"      --import-anywhere\n"
	"                     import from outside of its folder, too\n"
	"  -h, --help         this text\n"
	"  -V, --version      the version\n\n"
	"Exit status: 0 all is well, 1 an expectation is not met, 2 an error\n"
	"in the scenario or the trace, 64 wrong usage, 66 a file cannot be\n"
	"read, 70 an internal error, 74 the output cannot be written.\n";

static const struct option known[] = {
	{ "all", no_argument, NULL, 'a' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "json", no_argument, NULL, 'j' },
	{ "wheels", optional_argument, NULL, 'w' },
	{ "seed", required_argument, NULL, 's' },
	{ "record", required_argument, NULL, 'r' },
	{ "import-anywhere", no_argument, NULL, 'i' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

/* Returns what is wrong with the value of an option, or NULL. */
static const char *read_number(uint64_t *number, uint64_t most)
{
	char *end;

	errno = 0;
	*number = strtoull(optarg, &end, 10);
	if (*optarg < '0' || *optarg > '9' || *end)
		return "an option takes a whole number";
	return errno || *number > most ? "the number is too large" : NULL;
}

/* What does not go together, or is missing; or NULL. */
static const char *read_words(struct options *options, int argc, char **argv)
{
	if (argc == 0)
		return "expected a command: run or replay";
	options->replay = !strcmp(argv[0], "replay");
	if (!options->replay && strcmp(argv[0], "run"))
		return "unknown command: expected run or replay";
	if (argc != 2)
		return argc < 2 ? "expected the file to run or replay" :
				  "one file at a time";
	options->file = argv[1];
	if (options->all && options->quiet)
		return "--all and --quiet contradict each other";
	if (options->has_seed && options->replay)
		return "--seed is for run: a trace has nothing random";
	if (options->import_anywhere && options->replay)
		return "--import-anywhere is for run: a trace imports nothing";
	options->quiet |= options->replay && !options->all;
	return NULL;
}

/* Takes an option that has been read; returns what is wrong, or NULL. */
static const char *take_option(struct options *options, int option)
{
	options->all |= option == 'a';
	options->quiet |= option == 'q';
	options->json |= option == 'j';
	options->import_anywhere |= option == 'i';
	options->has_seed |= option == 's';
	if (option == 'r')
		options->record = optarg;
	if (option == 's')
		return read_number(&options->seed, UINT64_MAX);
	if (option != 'w')
		return NULL;
	options->wheels = 2;
	return optarg ? read_number(&options->wheels, WHEELS_MAX) : NULL;
}

/* Reads the command line; returns what to exit with, or -1 to go on. */
static int read_options(struct options *options, int argc, char **argv)
{
	const char *wrong = NULL;
	int option;

	*options = (struct options){ .file = NULL };
	while (!wrong &&
	       (option = getopt_long(argc, argv, "aqhV", known, NULL)) != -1) {
		if (option == 'h') {
			fputs(help, stdout);
			return STATUS_OK;
		}
		if (option == 'V') {
			printf("jifsim %d.%d.%d\n", JIF_VERSION >> 16,
			       JIF_VERSION >> 8 & 0xff, JIF_VERSION & 0xff);
			return STATUS_OK;
		}
		wrong = option == '?' ? "" : take_option(options, option);
	}
	if (!wrong)
		wrong = read_words(options, argc - optind, argv + optind);
	if (!wrong)
		return -1;
	if (*wrong)
		fprintf(stderr, "jifsim: %s\n", wrong);
	fputs("Try 'jifsim --help'.\n", stderr);
	return STATUS_USAGE;
}

static enum status read_and_run(const struct options *options)
{
	struct scenario scenario = {
		.import_anywhere = options->import_anywhere,
	};
	struct sim sim = {
		.scenario = &scenario,
		.options = options,
		.begun = record_start,
	};
	enum status status;

	diag_json = options->json;
	status = options->replay ? read_trace(&scenario, options->file) :
				   read_scenario(&scenario, options->file);
	if (status == STATUS_OK && options->record &&
	    source_was_read(options->record)) {
		fprintf(stderr,
			"jifsim: --record: %s is a file that was read\n",
			options->record);
		status = STATUS_USAGE;
	} else if (status == STATUS_OK) {
		run_start(&sim);
		run_to(&sim, scenario.end);
		status = run_stop(&sim);
		if (!record_stop(&sim))
			status = STATUS_OUTPUT;
		run_free(&sim);
	} else {
		diag_stop(&scenario.source);
	}
	scenario_free(&scenario);
	return status;
}

/* Or a file that is opened later would get what is printed. */
static void open_standard(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", fd ? O_RDONLY : O_WRONLY) != fd)
			_exit(STATUS_INTERNAL);
}

int main(int argc, char **argv)
{
	struct options options;
	int status;

	open_standard();
	status = read_options(&options, argc, argv);
	if (status < 0)
		status = (int)read_and_run(&options);
	if (fflush(stdout) || ferror(stdout)) {
		fprintf(stderr, "jifsim: cannot write the output: %s\n",
			strerror(errno));
		status = STATUS_OUTPUT;
	}
	return status;
}
