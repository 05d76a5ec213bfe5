/* file_codec.c - see file_codec.h. Fields are separated by tabs; in a text, backslash and control
 * characters are escaped as \\, \t, \n, \r and \xNN. */
#include "trace/file_codec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "execution/finding.h"
#include "trace/trace.h"

/* Takes the next field of the line. If there is none, the field is empty, and `bad` is set. */
static char *take(struct codec *codec) {
    static char nothing[1];
    char *field = codec->rest;
    if (field == NULL) {
        codec->bad = true;
        nothing[0] = '\0';
        return nothing;
    }
    char *tab = strchr(field, '\t');
    if (tab != NULL)
        *tab = '\0';
    codec->rest = tab ? tab + 1 : NULL;
    return field;
}

/* Digits only: strtoull alone would take blanks and signs. */
static uint64_t parse(struct codec *codec, const char *field, int base, uint64_t max) {
    const char *digits = base == 16 ? "0123456789abcdef" : "0123456789";
    if (field[0] == '\0' || field[strspn(field, digits)] != '\0') {
        codec->bad = true;
        return 0;
    }
    errno = 0;
    uint64_t value = strtoull(field, NULL, base);
    if (errno != 0 || value > max) {
        codec->bad = true;
        return 0;
    }
    return value;
}

static uint64_t number(struct codec *codec, uint64_t value, uint64_t max) {
    if (codec_reads(codec))
        return parse(codec, take(codec), 10, max);
    fprintf(codec->out, "\t%llu", (unsigned long long)value);
    return value;
}

void codec_number(struct codec *codec, uint64_t *value) {
    *value = number(codec, *value, UINT64_MAX);
}

void codec_u32(struct codec *codec, uint32_t *value) {
    *value = (uint32_t)number(codec, *value, UINT32_MAX);
}

void codec_u8(struct codec *codec, uint8_t *value) {
    *value = (uint8_t)number(codec, *value, UINT8_MAX);
}

void codec_bool(struct codec *codec, bool *value) {
    *value = number(codec, *value, 1) != 0;
}

void codec_address(struct codec *codec, uint64_t *value) {
    if (codec_reads(codec))
        *value = parse(codec, take(codec), 16, UINT64_MAX);
    else
        fprintf(codec->out, "\t%llx", (unsigned long long)*value);
}

void codec_task(struct codec *codec, uint32_t *value) {
    if (!codec_reads(codec)) {
        if (*value == NO_TASK)
            fputs("\t-", codec->out);
        else
            codec_u32(codec, value);
        return;
    }
    char *field = take(codec);
    *value = strcmp(field, "-") == 0 ? NO_TASK : (uint32_t)parse(codec, field, 10, NO_TASK - 1);
}

static void write_text(FILE *out, const char *text) {
    fputc('\t', out);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '\\')
            fputs("\\\\", out);
        else if (c == '\t')
            fputs("\\t", out);
        else if (c == '\n')
            fputs("\\n", out);
        else if (c == '\r')
            fputs("\\r", out);
        else if (c < 0x20 || c == 0x7f)
            fprintf(out, "\\x%02x", c);
        else
            fputc(c, out);
    }
}

/* Reads the escape after a backslash, and moves *text behind it. Returns zero if the escape is not
 * valid. */
static char unescape(const char **text) {
    char c = *(*text)++;
    switch (c) {
    case '\\': return '\\';
    case 't': return '\t';
    case 'n': return '\n';
    case 'r': return '\r';
    case 'x': break;
    default: (*text)--; return '\0';
    }
    char digits[3] = {0};
    for (int i = 0; i < 2 && **text; i++)
        digits[i] = *(*text)++;
    if (strspn(digits, "0123456789abcdef") != 2)
        return '\0';
    return (char)strtoul(digits, NULL, 16);
}

/* The text of the field, decoded in place. */
static char *read_text(struct codec *codec) {
    char *field = take(codec);
    char *to = field;
    for (const char *from = field; *from;) {
        char c = *from++;
        if (c == '\\' && (c = unescape(&from)) == '\0') {
            codec->bad = true;
            break;
        }
        *to++ = c;
    }
    *to = '\0';
    return field;
}

void codec_text(struct codec *codec, const char **text) {
    if (codec_reads(codec))
        *text = trace_copy(codec->trace, read_text(codec));
    else
        write_text(codec->out, *text);
}

void codec_chars(struct codec *codec, char *text, size_t size) {
    if (!codec_reads(codec)) {
        write_text(codec->out, text);
        return;
    }
    const char *field = read_text(codec);
    if (strlen(field) >= size)
        codec->bad = true;
    else
        memcpy(text, field, strlen(field) + 1);
}

void codec_name(struct codec *codec, uint32_t *value, const char *(*name)(uint32_t value),
                uint32_t limit) {
    if (!codec_reads(codec)) {
        fprintf(codec->out, "\t%s", name(*value));
        return;
    }
    const char *field = take(codec);
    *value = 0;
    while (*value < limit && strcmp(name(*value), field) != 0)
        ++*value;
    if (*value == limit) {
        *value = 0;
        codec->bad = true;
    }
}
