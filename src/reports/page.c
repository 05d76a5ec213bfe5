/* page.c - see page.h. The template has a place each for title, style, data and program. */
#include "reports/page.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "reports/text.h"

/* Embeds a file as it is, with a zero byte behind it. */
#define EMBED(name, file) \
    __asm__(".pushsection .rodata\n" #name ":\n.incbin \"" PAGE_DIRECTORY "/" file \
            "\"\n.byte 0\n.popsection\n"); \
    extern const char name[] __attribute__((visibility("hidden")))

EMBED(page_template, "page.html");
EMBED(page_style, "page.css");
EMBED(page_program, "page.js");

static void write_escaped(const char *text, FILE *out) {
    for (; *text; text++) {
        switch (*text) {
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '&': fputs("&amp;", out); break;
        default: fputc((unsigned char)*text < 0x20 ? ' ' : *text, out);
        }
    }
}

/* In JSON, `<` stands in strings only. If each one is escaped, the data can begin no tag and no
 * comment. */
static void write_data(const char *json, FILE *out) {
    for (; *json; json++) {
        if (*json == '<')
            fputs("\\u003c", out);
        else
            fputc(*json, out);
    }
}

/* Writes the template up to a place, and returns the rest behind that place. */
static const char *write_until(const char *template, const char *place, FILE *out) {
    const char *at = strstr(template, place);
    CHECK(at);
    fwrite(template, 1, (size_t)(at - template), out);
    return at + strlen(place);
}

void page_write(const char *title, const char *json, FILE *out) {
    const char *rest = write_until(page_template, "{{title}}", out);
    write_escaped(title, out);
    rest = write_until(rest, "{{style}}", out);
    fputs(page_style, out);
    rest = write_until(rest, "{{data}}", out);
    write_data(json, out);
    rest = write_until(rest, "{{program}}", out);
    fputs(page_program, out);
    fputs(rest, out);
}

/* "deadlock queue_test.c:31 in consumer" */
static char *title_of(const struct trace *trace) {
    static const char before[] = "SUMMARY: ";
    char *title = NULL;
    size_t length;
    FILE *out = open_memstream(&title, &length);
    CHECK(out);
    text_summary(trace, out);
    CHECK(fclose(out) == 0);
    if (strncmp(title, before, strlen(before)) == 0)
        memmove(title, title + strlen(before), strlen(title) - strlen(before) + 1);
    title[strcspn(title, "\n")] = '\0';
    return title;
}

void page_write_trace(const struct trace *trace, const struct page_view *view, FILE *out) {
    char *title = title_of(trace), *data = page_data(trace, view);
    page_write(title, data, out);
    free(title);
    free(data);
}
