/* file_codec.h - the fields of one line, in both directions.
 *
 * A record of the trace file is described once, by a function that names its fields in order. The
 * codec either writes each field or reads it. So writing and reading cannot differ. A field that
 * cannot be read sets `bad`, and the rest of the record is read as zeros. */
#ifndef TRACE_FILE_CODEC_H
#define TRACE_FILE_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct trace;

struct codec {
    struct trace *trace; /* borrowed; owns the strings that are read */
    FILE *out;           /* writing; NULL when reading */
    char *rest;          /* reading: the rest of the line; NULL after the last field */
    bool bad;
};

static inline bool codec_reads(const struct codec *codec) {
    return codec->out == NULL;
}

/* Whether the line has another field. */
static inline bool codec_more(const struct codec *codec) {
    return codec->rest != NULL;
}

void codec_number(struct codec *codec, uint64_t *value);  /* decimal */
void codec_address(struct codec *codec, uint64_t *value); /* hexadecimal */
void codec_u32(struct codec *codec, uint32_t *value);
void codec_u8(struct codec *codec, uint8_t *value);
void codec_bool(struct codec *codec, bool *value);
void codec_task(struct codec *codec, uint32_t *value); /* as u32; "-" is NO_TASK */
void codec_text(struct codec *codec, const char **text);
void codec_chars(struct codec *codec, char *text, size_t size); /* into the caller's array */

/* One of `limit` values, by its name. */
void codec_name(struct codec *codec, uint32_t *value, const char *(*name)(uint32_t value),
                uint32_t limit);

#endif
