/* suppressions.c - see suppressions.h. */
#define _GNU_SOURCE
#include "reports/suppressions.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "trace/identity.h"

static const char FINGERPRINT[] = "fingerprint";

/* --- reading --- */

struct reader {
    struct suppressions *into;
    uint32_t line;
    char *error; /* borrowed from the caller */
    size_t size;
};

__attribute__((format(printf, 2, 3))) static bool refuse(struct reader *reader, const char *format,
                                                         ...) {
    va_list arguments;
    int used =
        snprintf(reader->error, reader->size, "%s:%" PRIu32 ": ", reader->into->path, reader->line);
    va_start(arguments, format);
    if (used >= 0 && (size_t)used < reader->size)
        vsnprintf(reader->error + used, reader->size - (size_t)used, format, arguments);
    va_end(arguments);
    return false;
}

/* Cuts blanks on both sides and the end of the line. */
static char *trim(char *text) {
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        length--;
    text[length] = '\0';
    return text;
}

static bool is_fingerprint(const char *pattern) {
    return strlen(pattern) == IDENTITY_SIZE - 1 &&
           pattern[strspn(pattern, "0123456789abcdef")] == '\0';
}

static void add(struct reader *reader, const struct suppression *from, const char *text,
                const char *pattern) {
    struct suppressions *into = reader->into;
    into->list = realloc(into->list, (into->count + 1) * sizeof *into->list);
    CHECK(into->list);
    struct suppression *to = &into->list[into->count++];
    *to = *from;
    to->line = reader->line;
    to->text = strdup(text);
    to->pattern = strdup(pattern);
    CHECK(to->text && to->pattern);
}

static bool refuse_kind(struct reader *reader, const char *kind) {
    char known[400] = "";
    for (enum finding_kind each = 0; each < FINDING_KINDS; each++) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s, ", finding_info(each)->name);
    }
    return refuse(reader, "there is no kind of finding '%s'; there are %s%s and *", kind, known,
                  FINGERPRINT);
}

static bool read_line(struct reader *reader, char *line) {
    struct suppression suppression = {.kind = FINDING_KINDS};
    char *text = trim(line), *colon = strchr(text, ':'), kind[32];
    if (text[0] == '\0' || text[0] == '#')
        return true;
    if (colon == NULL || colon[1] == '\0')
        return refuse(reader, "'%.60s' is not kind:pattern", text);
    snprintf(kind, sizeof kind, "%.*s", (int)(colon - text), text);
    suppression.fingerprint = strcmp(kind, FINGERPRINT) == 0;
    if (!suppression.fingerprint && strcmp(kind, "*") != 0) {
        suppression.kind = finding_kind_named(kind);
        if (suppression.kind == FINDING_KINDS)
            return refuse_kind(reader, kind);
    }
    if (suppression.fingerprint && !is_fingerprint(colon + 1))
        return refuse(reader, "a fingerprint has %d hexadecimal digits, not '%.60s'",
                      IDENTITY_SIZE - 1, colon + 1);
    add(reader, &suppression, text, colon + 1);
    return true;
}

bool suppressions_read(struct suppressions *suppressions, const char *path, char *error,
                       size_t size) {
    struct reader reader = {.into = suppressions, .error = error, .size = size};
    char *line = NULL;
    size_t room = 0;
    bool good = true;
    *suppressions = (struct suppressions){.path = path};
    FILE *file = fopen(path, "re");
    errno = file != NULL ? 0 : errno;
    ssize_t length;
    while (good && file != NULL && (length = getline(&line, &room, file)) >= 0) {
        reader.line++;
        good = strlen(line) == (size_t)length ? read_line(&reader, line)
                                              : refuse(&reader, "there is a zero byte in it");
    }
    free(line);
    if (good && (file == NULL || ferror(file))) {
        snprintf(error, size, "%s: %s", path, strerror(errno));
        good = false;
    }
    if (file != NULL)
        fclose(file);
    return good;
}

void suppressions_destroy(struct suppressions *suppressions) {
    for (uint32_t i = 0; i < suppressions->count; i++) {
        free(suppressions->list[i].pattern);
        free(suppressions->list[i].text);
    }
    free(suppressions->list);
    *suppressions = (struct suppressions){0};
}

/* --- matching --- */

/* `*` matches any text, and any other character matches itself. After a mismatch the last star
 * takes one character more. Earlier stars never need to, so the time is linear in each star. */
static bool matches(const char *pattern, const char *text) {
    const char *star = NULL, *from = text;
    while (*text != '\0') {
        if (*pattern == '*') {
            star = pattern++;
            from = text;
        } else if (*pattern == *text) {
            pattern++;
            text++;
        } else if (star != NULL) {
            pattern = star + 1;
            text = ++from;
        } else {
            return false;
        }
    }
    return pattern[strspn(pattern, "*")] == '\0';
}

static bool matches_file(const char *pattern, const struct trace_frame *frame) {
    char line[16];
    snprintf(line, sizeof line, ":%" PRIu32, frame->line);
    for (const char *at = frame->file; at != NULL && *at != '\0';) {
        char *with_line = NULL;
        CHECK(asprintf(&with_line, "%s%s", at, line) >= 0);
        bool match = matches(pattern, at) || matches(pattern, with_line);
        free(with_line);
        if (match)
            return true;
        at = strchr(at, '/');
        at = at != NULL ? at + 1 : NULL;
    }
    return false;
}

static bool matches_stack(const char *pattern, const struct trace *trace, uint32_t stack) {
    const struct trace_frame *frame;
    for (uint32_t depth = 0; (frame = trace_frame(trace, stack, depth)) != NULL; depth++)
        if (matches_file(pattern, frame) ||
            (frame->function[0] && matches(pattern, frame->function)))
            return true;
    return false;
}

static bool matches_object(const char *pattern, const struct trace *trace, uint64_t address) {
    const char *name = trace_object_name(trace, address);
    return name != NULL && matches(pattern, name);
}

static bool matches_finding(const char *pattern, const struct trace *trace) {
    const struct finding *finding = &trace->finding;
    bool match = matches_object(pattern, trace, finding->object) ||
                 (finding->text[0] && matches(pattern, finding->text));
    for (uint32_t i = 0; i < finding->stack_count && !match; i++)
        match = matches_stack(pattern, trace, finding->stacks[i].stack);
    for (uint32_t i = 0; i < finding->wait_count && !match; i++)
        match = matches_stack(pattern, trace, finding->waits[i].stack) ||
                matches_object(pattern, trace, finding->waits[i].op.object);
    return match;
}

struct suppression *suppressions_match(struct suppressions *suppressions, const struct trace *trace,
                                       const char *fingerprint) {
    for (uint32_t i = 0; i < suppressions->count; i++) {
        struct suppression *at = &suppressions->list[i];
        bool kind = at->kind == FINDING_KINDS || at->kind == trace->finding.kind;
        bool match = at->fingerprint ? strcmp(at->pattern, fingerprint) == 0
                                     : kind && matches_finding(at->pattern, trace);
        if (match)
            return at;
    }
    return NULL;
}
