/* utf8.c - see utf8.h. Widths are known for the blocks that programs are usually written in. The
 * full table of Unicode would need a library. */
#define _GNU_SOURCE
#include "reports/utf8.h"

#include <stdbool.h>
#include <string.h>

#include "base/check.h"

struct range {
    uint32_t first, last;
};

static const struct range combining[] = {
    {0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x064b, 0x065f},
    {0x200b, 0x200f}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f},
};

static const struct range wide[] = {
    {0x1100, 0x115f}, {0x2e80, 0x303e}, {0x3041, 0xa4cf},   {0xac00, 0xd7a3},   {0xf900, 0xfaff},
    {0xfe30, 0xfe6f}, {0xff00, 0xff60}, {0x1f300, 0x1f64f}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd},
};

static bool is_in(const struct range *ranges, size_t count, uint32_t character) {
    size_t i = 0;
    while (i < count && character > ranges[i].last)
        i++;
    return i < count && character >= ranges[i].first;
}

uint32_t utf8_width(uint32_t character) {
    if (is_in(combining, sizeof combining / sizeof *combining, character))
        return 0;
    return is_in(wide, sizeof wide / sizeof *wide, character) ? 2 : 1;
}

/* Overlong forms, surrogates and numbers beyond Unicode are not characters. */
static bool is_character(uint32_t character, uint32_t followers) {
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    return character >= least[followers] && character <= 0x10ffff &&
           (character < 0xd800 || character > 0xdfff);
}

uint32_t utf8_next(const char **text) {
    const unsigned char *at = (const unsigned char *)*text;
    uint32_t first = *at++;
    uint32_t followers = first < 0x80                    ? 0
                         : first >= 0xc0 && first < 0xe0 ? 1
                         : first >= 0xe0 && first < 0xf0 ? 2
                         : first >= 0xf0 && first < 0xf8 ? 3
                                                         : UINT32_MAX;
    (*text)++;
    if (followers == 0)
        return first;
    if (followers == UINT32_MAX)
        return UTF8_REPLACEMENT;
    uint32_t character = first & (0x3fu >> followers);
    for (uint32_t i = 0; i < followers; i++, at++) {
        if ((*at & 0xc0) != 0x80)
            return UTF8_REPLACEMENT;
        character = character << 6 | (*at & 0x3f);
    }
    if (!is_character(character, followers))
        return UTF8_REPLACEMENT;
    *text = (const char *)at;
    return character;
}

void utf8_put(uint32_t character, FILE *out) {
    if (character < 0x80) {
        fputc((int)character, out);
        return;
    }
    uint32_t followers = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
    fputc((int)((0xffu << (7 - followers) & 0xff) | character >> 6 * followers), out);
    while (followers-- > 0)
        fputc((int)(0x80 | (character >> 6 * followers & 0x3f)), out);
}

uint32_t utf8_text_width(const char *text) {
    uint32_t width = 0;
    while (*text != '\0')
        width += utf8_width(utf8_next(&text));
    return width;
}

size_t utf8_fitting(const char *text, uint32_t width) {
    const char *at = text;
    for (uint32_t used = 0; *at != '\0';) {
        const char *next = at;
        used += utf8_width(utf8_next(&next));
        if (used > width)
            break;
        at = next;
    }
    return (size_t)(at - text);
}

char *utf8_valid(const char *text) {
    char *copy = NULL;
    size_t length;
    FILE *out = open_memstream(&copy, &length);
    CHECK(out);
    while (*text != '\0')
        utf8_put(utf8_next(&text), out);
    CHECK(fclose(out) == 0);
    return copy;
}
