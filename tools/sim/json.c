/* SPDX-License-Identifier: MIT */
/*
 * json.c - one JSON object per line, on standard output
 */
#include <inttypes.h>
#include <stdio.h>

#include "json.h"
#include "text.h"

#define REPLACEMENT "\xef\xbf\xbd"

void json_text(const char *text)
{
	unsigned length;

	putchar('"');
	for (; *text; text += length ? length : 1) {
		length = text_character(text);
		if (!length)
			fputs(REPLACEMENT, stdout);
		else if (*text == '"' || *text == '\\')
			printf("\\%c", *text);
		else if ((length == 1 && *text < ' ') || *text == 0x7f)
			printf("\\u%04x", (unsigned)*text);
		else
			fwrite(text, 1, length, stdout);
	}
	putchar('"');
}

void json_start(const char *type)
{
	printf("{\"schema\":\"jifsim/1\",\"type\":\"%s\"", type);
}

void json_key(const char *key)
{
	printf(",\"%s\":", key);
}

void json_string(const char *key, const char *value)
{
	json_key(key);
	json_text(value);
}

void json_number(const char *key, int64_t value)
{
	printf(",\"%s\":%" PRId64, key, value);
}

void json_stop(void)
{
	puts("}");
}
