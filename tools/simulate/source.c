/* SPDX-License-Identifier: MIT */
/* Get a file into memory */
#define _XOPEN_SOURCE 700 /* realpath() */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base.h"
#include "diag.h"

/* Lines and columns have 32 bits; this also ends what would never end. */
#define SIZE_LIMIT    ((size_t)1 << 30)
#define BLOCK_SIZE    ((size_t)1 << 16)
#define NOT_INSTALLED 127

static struct stat *inputs; /* of the files that were read */
static size_t n_inputs;

/* Reads up to the end, takes a byte order mark off, and adds a NUL. */
static bool read_all(struct source *source, FILE *file)
{
	size_t room = 0, got;

	do {
		if (source->size + BLOCK_SIZE >= room) {
			room = 2 * room + 2 * BLOCK_SIZE;
			source->text = mem_resize(source->text, room, 1);
		}
		got = fread(source->text + source->size, 1, BLOCK_SIZE, file);
		source->size += got;
	} while (got && source->size <= SIZE_LIMIT);
	if (ferror(file) && errno == EISDIR)
		diag_file(source, "is a folder, not a file");
	else if (ferror(file))
		diag_file(source, "cannot be read: %s", strerror(errno));
	else if (got)
		diag_file(source, "is larger than 1 GiB");
	if (source->size >= 3 && !memcmp(source->text, "\xef\xbb\xbf", 3)) {
		source->size -= 3;
		memmove(source->text, source->text + 3, source->size);
	}
	source->text[source->size] = '\0';
	return !ferror(file) && !got;
}

/* The program that unpacks a file, by its first bytes; NULL if it is plain. */
static const char *find_tool(const struct source *source)
{
	if (!strncmp(source->text, "\x1f\x8b", 2))
		return "gzip";
	return strncmp(source->text, "\xfd\x37zXZ", 6) ? NULL : "xz";
}

/*
 * The tool gets what was read, in a file, as its input: a shell never sees a
 * name, and a pipe cannot be read anew.
 */
static FILE *start_tool(const struct source *source, const char *tool)
{
	char *command = mem_print("exec %s -dc 2>/dev/null", tool);
	FILE *packed = tmpfile();
	FILE *pipe = NULL;

	if (packed &&
	    fwrite(source->text, 1, source->size, packed) == source->size &&
	    !fflush(packed) && !lseek(fileno(packed), 0, SEEK_SET) &&
	    dup2(fileno(packed), STDIN_FILENO) >= 0)
		pipe = popen(command, "r");
	if (packed)
		fclose(packed);
	free(command);
	return pipe;
}

static enum status unpack(struct source *source, const char *tool)
{
	FILE *pipe = start_tool(source, tool);
	int status;

	if (!pipe) {
		diag_file(source, "cannot run %s: %s", tool, strerror(errno));
		return STATUS_NO_INPUT;
	}
	source->size = 0;
	if (!read_all(source, pipe)) {
		pclose(pipe);
		return STATUS_NO_INPUT;
	}
	status = pclose(pipe);
	if (!status)
		return STATUS_OK;
	if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_INSTALLED) {
		diag_file(source, "needs %s, which is not in PATH", tool);
		return STATUS_NO_INPUT;
	}
	diag_file(source, "%s cannot unpack it: it is damaged or cut short",
		  tool);
	return STATUS_ERROR;
}

/* Opens what has an end: the standard input, or a regular file. */
static FILE *open_input(const struct source *source, const char *path)
{
	bool standard = !strcmp(path, "-");
	int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_NONBLOCK);
	struct stat stat;

	if (fd < 0 || fstat(fd, &stat)) {
		diag_file(source, "cannot be opened: %s", strerror(errno));
		return NULL;
	}
	if (!standard && !S_ISREG(stat.st_mode)) {
		diag_file(source, S_ISDIR(stat.st_mode) ?
					  "is a folder, not a file" :
					  "is not a regular file; - is the "
					  "standard input");
		close(fd);
		return NULL;
	}
	mem_add(inputs, n_inputs, stat);
	return standard ? stdin : fdopen(fd, "r");
}

enum status source_read(struct source *source, const char *path)
{
	enum status status = STATUS_NO_INPUT;
	const char *tool;
	FILE *file;

	*source = (struct source){
		.path = mem_print("%s", strcmp(path, "-") ? path : "<stdin>"),
	};
	file = open_input(source, path);
	if (file && read_all(source, file)) {
		tool = find_tool(source);
		status = tool ? unpack(source, tool) : STATUS_OK;
	}
	if (file && file != stdin)
		fclose(file);
	return status;
}

bool source_was_read(const char *path)
{
	struct stat file;

	if (stat(path, &file) || !S_ISREG(file.st_mode))
		return false;
	for (size_t i = 0; i < n_inputs; i++)
		if (inputs[i].st_dev == file.st_dev &&
		    inputs[i].st_ino == file.st_ino)
			return true;
	return false;
}

bool source_is_below(const char *path, const char *of)
{
	const char *slash = strrchr(of, '/');
	int length = slash ? (int)(slash - of + 1) : 0;
	char *name = mem_print("%.*s./", length, of);
	const char *rest = strncmp(path, of, (size_t)length) ? path :
							       path + length;
	char *folder = realpath(name, NULL);
	char *file = realpath(path, NULL);
	size_t most = folder ? strlen(folder) : 0;
	bool below = most && file && !strncmp(file, folder, most) &&
		     (file[most] == '/' || most == 1);

	if (!file)
		below = *rest != '/' && !strstr(rest, "../");
	free(name);
	free(folder);
	free(file);
	return below;
}

void source_free(struct source *source)
{
	free(source->path);
	free(source->text);
	*source = (struct source){ .size = 0 };
}
