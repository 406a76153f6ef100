/* SPDX-License-Identifier: MIT */
/*
 * json.h - one JSON object per line, on standard output
 */
#ifndef JIFSIM_JSON_H
#define JIFSIM_JSON_H

#include <stdint.h>

/* Begins a line: an object with its schema and its type. */
void json_start(const char *type);

void json_string(const char *key, const char *value);
void json_number(const char *key, int64_t value);

/* A key whose value the caller prints. */
void json_key(const char *key);

/* A string, quoted; what is not UTF-8 becomes U+FFFD. */
void json_text(const char *text);

void json_stop(void);

#endif
