/* SPDX-License-Identifier: MIT */
/*
 * json.h - one JSON object per line
 */
#ifndef JIFSIM_JSON_H
#define JIFSIM_JSON_H

#include <stdint.h>
#include <stdio.h>

/* The length of the UTF-8 character at @text; 0 if there is none. */
unsigned json_utf8_length(const char *text);

/* Begins a line: an object with its schema and its type. */
void json_start(FILE *out, const char *type);

void json_string(FILE *out, const char *key, const char *value);
void json_number(FILE *out, const char *key, int64_t value);
void json_count(FILE *out, const char *key, uint64_t value);
void json_bool(FILE *out, const char *key, int value);

/* A key whose value the caller prints. */
void json_key(FILE *out, const char *key);

/* A string, quoted; what is not UTF-8 becomes U+FFFD. */
void json_text(FILE *out, const char *text);

void json_stop(FILE *out);

#endif
