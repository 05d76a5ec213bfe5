/* json_text.c - see json_text.h. */
#include "reports/json_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"

/* The length of the sequence that begins here, as its first byte says, or 0. */
static size_t sequence_length(unsigned char first) {
    if (first < 0x80)
        return 1;
    if (first < 0xc2 || first > 0xf4)
        return 0;
    return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/* Over-long forms, surrogates and what is beyond Unicode are shown by the second byte. */
static bool second_fits(unsigned char first, unsigned char second) {
    switch (first) {
    case 0xe0: return second >= 0xa0;
    case 0xed: return second < 0xa0;
    case 0xf0: return second >= 0x90;
    case 0xf4: return second < 0x90;
    default: return true;
    }
}

static size_t valid_length(const char *text) {
    size_t length = sequence_length((unsigned char)text[0]);
    for (size_t i = 1; i < length; i++)
        if (((unsigned char)text[i] & 0xc0) != 0x80)
            return 0;
    if (length > 1 && !second_fits((unsigned char)text[0], (unsigned char)text[1]))
        return 0;
    return length;
}

json_t *json_text(const char *text) {
    static const char replacement[] = "\xef\xbf\xbd";
    json_t *value = json_string(text);
    if (value != NULL)
        return value;
    char *valid = malloc(strlen(replacement) * strlen(text) + 1), *to = valid;
    CHECK(valid);
    while (*text) {
        size_t length = valid_length(text);
        const char *from = length ? text : replacement;
        size_t count = length ? length : strlen(replacement);
        memcpy(to, from, count);
        to += count;
        text += length ? length : 1;
    }
    *to = '\0';
    value = json_string(valid);
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

/* JSON numbers beyond 2^63 are nobody's friend; no counter gets there. */
void json_put_count(json_t *object, const char *key, uint64_t count) {
    json_put(object, key, json_integer((json_int_t)(count <= INT64_MAX ? count : INT64_MAX)));
}

void json_push(json_t *array, json_t *value) {
    CHECK(json_array_append_new(array, value) == 0);
}
