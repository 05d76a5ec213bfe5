/* json_text.h - texts of the tested program as JSON strings. */
#ifndef REPORTS_JSON_TEXT_H
#define REPORTS_JSON_TEXT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Each byte that is not part of UTF-8 becomes U+FFFD: nothing is lost for the name of a file. */
json_t *json_text(const char *text);

/* object[key] := value, which is taken over. */
void json_put(json_t *object, const char *key, json_t *value);
void json_put_text(json_t *object, const char *key, const char *text);
void json_put_count(json_t *object, const char *key, uint64_t count);

/* At the end of an array. */
void json_push(json_t *array, json_t *value);

#endif
