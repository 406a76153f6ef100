/* SPDX-License-Identifier: MIT */
/*
 * json.c - one JSON object per line
 */
#include <inttypes.h>

#include "json.h"

#define REPLACEMENT "\xef\xbf\xbd"

unsigned json_utf8_length(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	uint32_t code, least;
	unsigned length;

	if (at[0] < 0x80)
		return 1;
	if (at[0] < 0xc2 || at[0] > 0xf4)
		return 0;
	length = at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;
	least = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000;
	code = at[0] & (0x7fu >> length);
	for (unsigned i = 1; i < length; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (at[i] & 0x3f);
	}
	if (code < least || code > 0x10ffff ||
	    (code >= 0xd800 && code <= 0xdfff))
		return 0;
	return length;
}

void json_text(FILE *out, const char *text)
{
	unsigned length;

	putc('"', out);
	for (; *text; text += length ? length : 1) {
		length = json_utf8_length(text);
		if (!length)
			fputs(REPLACEMENT, out);
		else if (*text == '"' || *text == '\\')
			fprintf(out, "\\%c", *text);
		else if ((length == 1 && *text < 0x20) || *text == 0x7f)
			fprintf(out, "\\u%04x", *text);
		else
			fwrite(text, 1, length, out);
	}
	putc('"', out);
}

void json_start(FILE *out, const char *type)
{
	fprintf(out, "{\"schema\":\"jifsim/1\",\"type\":\"%s\"", type);
}

void json_key(FILE *out, const char *key)
{
	fprintf(out, ",\"%s\":", key);
}

void json_string(FILE *out, const char *key, const char *value)
{
	json_key(out, key);
	json_text(out, value);
}

void json_number(FILE *out, const char *key, int64_t value)
{
	json_key(out, key);
	fprintf(out, "%" PRId64, value);
}

void json_count(FILE *out, const char *key, uint64_t value)
{
	json_key(out, key);
	fprintf(out, "%" PRIu64, value);
}

void json_bool(FILE *out, const char *key, int value)
{
	json_key(out, key);
	fputs(value ? "true" : "false", out);
}

void json_stop(FILE *out)
{
	fputs("}\n", out);
}
