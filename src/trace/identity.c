/* identity.c - see identity.h.
 *
 * Each place becomes a line of text, and the fingerprint is a hash of all lines. The lines are
 * sorted, because the two sides of a race and the tasks of a cycle come in any order. Each line
 * counts once, because a deadlock of five philosophers is the same bug as one of three. */
#define _GNU_SOURCE
#include "trace/identity.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/check.h"
#include "execution/waits.h"

enum { LINES_MAX = 2 + FINDING_STACKS + FINDING_WAITS, OBJECT_NAME_MAX = 1024 };

struct lines {
    char *line[LINES_MAX];
    size_t length;
    uint32_t count;
};

static FILE *begin_line(struct lines *lines) {
    CHECK(lines->count < LINES_MAX);
    FILE *out = open_memstream(&lines->line[lines->count++], &lines->length);
    CHECK(out);
    return out;
}

static void end_line(FILE *out) {
    CHECK(fclose(out) == 0);
}

/* --- words that stay the same --- */

/* Blanks are left out, because a formatter may change them. */
static void put_source(const char *source, FILE *out) {
    bool blank = false;
    for (source += strspn(source, " \t"); *source != '\0'; source++) {
        bool space = isspace((unsigned char)*source) != 0;
        if (blank && !space)
            fputc(' ', out);
        if (!space)
            fputc(*source, out);
        blank = space;
    }
}

static bool in_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* The length of the number or the name of a task (T3) at `at`, where a word begins. 0 if there is
 * none. */
static size_t varying(const char *at) {
    size_t sign = at[0] == '-', task = at[0] == 'T';
    size_t digits = strspn(at + sign + task, "0123456789");
    if (at[sign] == '0' && at[sign + 1] == 'x')
        return sign + 2 + strspn(at + sign + 2, "0123456789abcdefABCDEF");
    if (digits > 0 && !in_word(at[sign + task + digits]))
        return sign + task + digits;
    return 0;
}

/* The unit is always written as "bytes", so that "1 byte" and "2 bytes" differ only in the
 * number. */
static const char *after_number(const char *text, FILE *out) {
    static const char BYTE[] = " byte";
    size_t length = strlen(BYTE);
    if (strncmp(text, BYTE, length) != 0 || in_word(text[length]))
        return text;
    fputs(" bytes", out);
    return text + length;
}

/* Writes a message or the name of an object, without the parts that depend on schedule, machine or
 * directory. */
static void put_words(const char *text, FILE *out) {
    char before = ' ';
    while (*text != '\0') {
        size_t word = strcspn(text, " \t\n`'\"(),;:=");
        const char *slash = memrchr(text, '/', word);
        size_t length = in_word(before) ? 0 : varying(text);
        if (!in_word(before) && slash != NULL) {
            text = slash + 1;
            before = '/';
        } else if (length > 0) {
            fputc('#', out);
            text = after_number(text + length, out);
            before = '#';
        } else {
            fputc(*text, out);
            before = *text++;
        }
    }
}

/* Compilers name copies of a function "function.part.0". */
static void put_function(const char *function, FILE *out) {
    fprintf(out, "%.*s", (int)strcspn(function, "."), function);
}

/* --- the lines --- */

static void put_place(const struct trace *trace, uint32_t stack, FILE *out) {
    const struct trace_frame *frame = trace_place(trace, stack);
    if (frame == NULL)
        return;
    put_function(frame->function, out);
    fputc('\t', out);
    if (frame->file[0])
        fputs(trace_basename(frame->file), out);
    else
        fprintf(out, "%.*s", (int)strcspn(frame->module, "+"), frame->module);
    fputc('\t', out);
    put_source(frame->source, out);
}

/* The number of a block of the heap depends on which other blocks were used. So `node#2->lock`
 * becomes `node->lock`. */
static void copy_unnumbered(const char *name, char *to, size_t size) {
    size_t used = 0;
    while (*name != '\0' && used + 1 < size) {
        if (*name == '#')
            name += 1 + strspn(name + 1, "0123456789");
        else
            to[used++] = *name++;
    }
    to[used] = '\0';
}

static void put_object(const struct trace *trace, uint64_t address, FILE *out) {
    const char *name = trace_object_name(trace, address);
    char unnumbered[OBJECT_NAME_MAX];
    fputc('\t', out);
    if (name == NULL)
        return;
    copy_unnumbered(name, unnumbered, sizeof unnumbered);
    put_words(unnumbered, out);
}

static void add_stacks(struct lines *lines, const struct trace *trace) {
    for (uint32_t i = 0; i < trace->finding.stack_count; i++) {
        FILE *out = begin_line(lines);
        put_place(trace, trace->finding.stacks[i].stack, out);
        end_line(out);
    }
}

/* Whether the task is one of those for which the others wait. */
static bool matters(const struct finding *finding, const struct finding_wait *wait) {
    if (waits_cycle(finding) != NULL)
        return waits_in_cycle(finding, wait);
    return waits_of(finding, wait->holder) == NULL;
}

static void add_waits(struct lines *lines, const struct trace *trace) {
    for (uint32_t i = 0; i < trace->finding.wait_count; i++) {
        const struct finding_wait *wait = &trace->finding.waits[i];
        if (!matters(&trace->finding, wait))
            continue;
        FILE *out = begin_line(lines);
        put_place(trace, wait->stack, out);
        put_object(trace, wait->op.object, out);
        put_object(trace, wait->op.object2, out);
        end_line(out);
    }
}

/* A task that was interrupted at any place is known by its start function. */
static void add_task(struct lines *lines, const struct trace *trace) {
    uint32_t task = trace->finding.task;
    FILE *out = begin_line(lines);
    if (task < trace->task_count)
        put_function(trace->tasks[task].function, out);
    end_line(out);
}

/* The compiler decides whether the read or the write of `x++` is found first. So the word "read" or
 * "write" is left out. */
static const char *after_access(const char *text) {
    size_t word = strcspn(text, " ");
    bool access = strncmp(text, "read ", word + 1) == 0 || strncmp(text, "write ", word + 1) == 0;
    return access ? text + word : text;
}

/* The kind, and the message if the places do not say everything. */
static void add_head(struct lines *lines, const struct trace *trace) {
    const struct finding *finding = &trace->finding;
    FILE *out = begin_line(lines);
    fputs(finding_info(finding->kind)->name, out);
    put_object(trace, finding->object, out);
    fputc('\t', out);
    if (!finding->place_varies && finding->wait_count == 0 && !finding_info(finding->kind)->races)
        put_words(after_access(finding->text), out);
    end_line(out);
}

static int compare_lines(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static uint64_t hash_lines(struct lines *lines) {
    uint64_t hash = 0;
    qsort(lines->line, lines->count, sizeof *lines->line, compare_lines);
    for (uint32_t i = 0; i < lines->count; i++)
        if (i == 0 || strcmp(lines->line[i], lines->line[i - 1]) != 0)
            hash = XXH64(lines->line[i], strlen(lines->line[i]), hash);
    return hash;
}

void identity_of(const struct trace *trace, char text[IDENTITY_SIZE]) {
    struct lines lines = {.count = 0};
    add_head(&lines, trace);
    if (trace->finding.place_varies) {
        add_task(&lines, trace);
    } else {
        add_stacks(&lines, trace);
        add_waits(&lines, trace);
    }
    snprintf(text, IDENTITY_SIZE, "%016" PRIx64, hash_lines(&lines));
    for (uint32_t i = 0; i < lines.count; i++)
        free(lines.line[i]);
}
