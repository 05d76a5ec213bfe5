/* json_text.c - see json_text.h. */
#include "reports/json_text.h"

#include <stdlib.h>

#include "base/check.h"
#include "reports/utf8.h"

json_t *json_text(const char *text) {
    char *valid = utf8_valid(text);
    json_t *value = json_string(valid);
    CHECK(value);
    free(valid);
    return value;
}

void json_put(json_t *object, const char *key, json_t *value) {
    CHECK(json_object_set_new(object, key, value) == 0);
}

void json_put_text(json_t *object, const char *key, const char *text) {
    json_put(object, key, json_text(text));
}

/* Many readers of JSON cannot hold numbers beyond 2^63. No counter gets that large. */
void json_put_count(json_t *object, const char *key, uint64_t count) {
    json_put(object, key, json_integer((json_int_t)(count <= INT64_MAX ? count : INT64_MAX)));
}

void json_push(json_t *array, json_t *value) {
    CHECK(json_array_append_new(array, value) == 0);
}
