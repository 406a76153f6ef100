/* SPDX-License-Identifier: MIT */
/*
 * source.c - get a file into memory
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mem.h"
#include "source.h"

/* Lines and columns have 32 bits; this also ends what would never end. */
#define SIZE_LIMIT    ((size_t)1 << 30)
#define BLOCK_SIZE    ((size_t)1 << 16)
#define NOT_INSTALLED 127

static int open_file(const char *path)
{
	struct stat stat;
	int fd = strcmp(path, "-") ? open(path, O_RDONLY) : dup(STDIN_FILENO);

	if (fd < 0) {
		diag_file(path, "cannot be opened: %s", strerror(errno));
	} else if (!fstat(fd, &stat) && S_ISDIR(stat.st_mode)) {
		diag_file(path, "is a folder, not a file");
		close(fd);
		fd = -1;
	}
	return fd;
}

static bool read_all(struct source *source, int fd)
{
	size_t room = 0;
	ssize_t got;

	do {
		source->text = mem_grow(source->text, &room,
					source->size + BLOCK_SIZE + 1, 1);
		got = read(fd, source->text + source->size, BLOCK_SIZE);
		if (got > 0)
			source->size += (size_t)got;
	} while ((got > 0 && source->size <= SIZE_LIMIT) ||
		 (got < 0 && errno == EINTR));
	if (got < 0)
		diag_file(source->path, "cannot be read: %s", strerror(errno));
	else if (got > 0)
		diag_file(source->path, "is larger than 1 GiB");
	return !got;
}

/* Takes a byte order mark off, and ends the text with a NUL. */
static void trim(struct source *source)
{
	if (source->size >= 3 && !memcmp(source->text, "\xef\xbb\xbf", 3)) {
		source->size -= 3;
		memmove(source->text, source->text + 3, source->size);
	}
	source->text[source->size] = '\0';
}

static enum status finish(struct source *source, enum status status)
{
	if (status == STATUS_OK)
		trim(source);
	else
		source_free(source);
	return status;
}

static void source_init(struct source *source, const char *path)
{
	*source = (struct source){ .size = 0 };
	source->path = mem_print("%s", strcmp(path, "-") ? path : "<stdin>");
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);

	return length > tail && !strcmp(text + length - tail, end);
}

/* The program that unpacks a file, by its first bytes or else by its name. */
static const char *find_tool(const char *path, int fd)
{
	char magic[6] = { 0 };
	ssize_t got = pread(fd, magic, sizeof(magic), 0);

	if (got >= 2 && !memcmp(magic, "\x1f\x8b", 2))
		return "gzip";
	if (got == 6 && !memcmp(magic,
				"\xfd"
				"7zXZ",
				6))
		return "xz";
	if (ends_with(path, ".gz"))
		return "gzip";
	return ends_with(path, ".xz") ? "xz" : NULL;
}

/* What the child does: the tool reads the file itself, never its name. */
static void run_tool(const char *tool, int in, int out)
{
	int null = open("/dev/null", O_WRONLY);

	if (dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
	    dup2(null, STDERR_FILENO) < 0)
		_exit(EXIT_FAILURE);
	execlp(tool, tool, "-dc", (char *)NULL);
	_exit(errno == ENOENT ? NOT_INSTALLED : EXIT_FAILURE);
}

/* Starts the tool; returns the end of the pipe to read from, or -1. */
static int start_tool(const char *tool, int fd, pid_t *pid)
{
	int pipes[2];

	if (pipe(pipes))
		return -1;
	*pid = fork();
	if (*pid < 0) {
		close(pipes[0]);
		close(pipes[1]);
		return -1;
	}
	if (!*pid) {
		close(pipes[0]);
		run_tool(tool, fd, pipes[1]);
	}
	close(pipes[1]);
	return pipes[0];
}

static enum status stop_tool(const struct source *source, const char *tool,
			     pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return STATUS_OK;
	if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_INSTALLED) {
		diag_file(source->path, "needs %s, which is not in PATH", tool);
		return STATUS_NO_INPUT;
	}
	diag_file(source->path,
		  "%s cannot unpack it: it is damaged or cut short", tool);
	return STATUS_ERROR;
}

static enum status read_packed(struct source *source, int fd, const char *tool)
{
	pid_t pid;
	int out = start_tool(tool, fd, &pid);
	bool done;

	if (out < 0) {
		diag_file(source->path, "cannot run %s: %s", tool,
			  strerror(errno));
		return STATUS_NO_INPUT;
	}
	done = read_all(source, out);
	close(out);
	if (done)
		return stop_tool(source, tool, pid);
	waitpid(pid, NULL, 0);
	return STATUS_NO_INPUT;
}

static enum status read_plain(struct source *source, int fd)
{
	return read_all(source, fd) ? STATUS_OK : STATUS_NO_INPUT;
}

enum status source_read(struct source *source, const char *path)
{
	int fd = open_file(path);
	enum status status;

	if (fd < 0)
		return STATUS_NO_INPUT;
	source_init(source, path);
	status = read_plain(source, fd);
	close(fd);
	return finish(source, status);
}

enum status source_unpack(struct source *source, const char *path)
{
	int fd = open_file(path);
	enum status status;
	const char *tool;

	if (fd < 0)
		return STATUS_NO_INPUT;
	source_init(source, path);
	tool = find_tool(path, fd);
	status = tool ? read_packed(source, fd, tool) : read_plain(source, fd);
	close(fd);
	return finish(source, status);
}

void source_free(struct source *source)
{
	free(source->path);
	free(source->text);
	*source = (struct source){ .size = 0 };
}
