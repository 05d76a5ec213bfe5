/* frame.c - see frame.h. */
#include "reports/frame.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "reports/describe.h"
#include "reports/wrap.h"
#include "reports/uri.h"
#include "reports/utf8.h"

static void put_path(const struct trace *trace, const struct trace_frame *frame, FILE *out) {
    if (frame->file[0] == '\0') {
        fputc('(', out);
        describe_text(frame->module, out);
        fputc(')', out);
        return;
    }
    char *path = uri_plain_path(frame->file);
    const char *below = trace->directory[0] ? uri_below(path, trace->directory) : NULL;
    describe_text(below ? below : path, out);
    fprintf(out, ":%" PRIu32, frame->line);
    free(path);
}

/* The position behind the bracket that closes the one at `at`, or the end of the text. */
static const char *behind_bracket(const char *at) {
    uint32_t depth = 0;
    for (; *at != '\0'; at++) {
        depth += strchr("(<{[", *at) != NULL;
        if (strchr(")>}]", *at) != NULL && --depth == 0)
            return at + 1;
    }
    return at;
}

static bool begins(const char *text, const char *beginning) {
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* Whether the name continues behind a bracket: the bracket holds the parameters of an enclosing
 * function, or no parameters at all. */
static bool name_goes_on(const char *bracket) {
    return begins(bracket, "(anonymous namespace)") || begins(behind_bracket(bracket), "::");
}

/* The position where the name itself begins. Demanglers put the returned type before the name of a
 * template, even as "decltype (f(a)) ". */
static const char *behind_type(const char *name) {
    const char *start = name;
    for (const char *at = name; *at != '\0';) {
        bool type = *at == '(' && at - start >= 8 && begins(start, "decltype");
        if (*at == '(' && !type && !name_goes_on(at))
            break;
        at = strchr("(<{[", *at) ? behind_bracket(at) : at + 1;
        if (*at == ' ' && !begins(at, " ("))
            start = at + 1;
    }
    return *start ? start : name;
}

void frame_put_short_name(const char *name, FILE *out) {
    if (strstr(name, "operator") != NULL) {
        fputs(name, out);
        return;
    }
    for (const char *at = behind_type(name); *at != '\0';) {
        bool opens = strchr("(<{[", *at) != NULL;
        const char *next = opens ? behind_bracket(at) : at + 1;
        if (*at == '(' && !name_goes_on(at))
            break;
        if (*at == '<')
            fputs("<...>", out);
        else if (*at != '(' || begins(at, "(anonymous namespace)"))
            fwrite(at, 1, (size_t)(next - at), out);
        at = next;
    }
}

/* Prints the longest end of a path that fits and begins at a slash. */
static void put_end(const char *path, uint32_t width, FILE *out) {
    const char *at = path;
    while (at != NULL && utf8_text_width(at) + 3 > width)
        at = strchr(at + 1, '/');
    if (at != NULL)
        fprintf(out, "...%s", at);
    else
        wrap_cut(trace_basename(path), width, out);
}

static void put_name(const struct trace_frame *frame, FILE *out) {
    describe_text(frame->function[0] ? frame->function : "??", out);
}

/* Prints both, shortened. The name gets at least half of the room if it needs that much. */
static void put_both(const char *name, const char *path, uint32_t width, FILE *out) {
    uint32_t path_width = utf8_text_width(path), name_width = utf8_text_width(name);
    uint32_t for_path = name_width + 1 < width / 2 ? width - name_width - 1 : width / 2;
    for_path = path_width < for_path ? path_width : for_path;
    wrap_cut(name, width - for_path - 1, out);
    fputc(' ', out);
    if (path_width <= for_path)
        fputs(path, out);
    else
        put_end(path, for_path, out);
}

static void put_fitting(const struct trace_frame *frame, const char *name, const char *path,
                        uint32_t indent, uint32_t number, FILE *out) {
    struct wrap_draft draft;
    uint32_t width = WRAP_WIDTH - indent - number;
    frame_put_short_name(name, wrap_draft(&draft));
    char *shorter = wrap_drafted(&draft);
    if (utf8_text_width(shorter) + 1 + utf8_text_width(path) <= width) {
        fprintf(out, "%s %s", shorter, path);
    } else if (trace_own_code(frame)) {
        wrap_cut(shorter, width, out);
        fprintf(out, "\n%*s", (int)(indent + number), "");
        if (utf8_text_width(path) <= width)
            fputs(path, out);
        else
            put_end(path, width, out);
    } else {
        put_both(shorter, path, width, out);
    }
    free(shorter);
}

void frame_print(const struct trace *trace, uint32_t depth, const struct trace_frame *frame,
                 uint32_t indent, FILE *out) {
    struct wrap_draft name, path;
    put_name(frame, wrap_draft(&name));
    put_path(trace, frame, wrap_draft(&path));
    wrap_drafted(&name);
    wrap_drafted(&path);
    uint32_t number = (uint32_t)fprintf(out, "%*s#%" PRIu32 " ", (int)indent, "", depth) - indent;
    if (indent + number + utf8_text_width(name.text) + 1 + utf8_text_width(path.text) <= WRAP_WIDTH)
        fprintf(out, "%s %s", name.text, path.text);
    else
        put_fitting(frame, name.text, path.text, indent, number, out);
    free(name.text);
    free(path.text);
}
