/* json_text.h - texts of the tested program as JSON strings. */
#ifndef REPORTS_JSON_TEXT_H
#define REPORTS_JSON_TEXT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* A JSON string. Each byte that is not part of UTF-8 becomes U+FFFD. */
json_t *json_text(const char *text);

/* Sets object[key]. Takes the value. */
void json_put(json_t *object, const char *key, json_t *value);
void json_put_text(json_t *object, const char *key, const char *text);
void json_put_count(json_t *object, const char *key, uint64_t count);

/* Appends a value to an array. Takes the value. */
void json_push(json_t *array, json_t *value);

#endif
