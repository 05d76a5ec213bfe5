/* github.c - see github.h. */
#define _GNU_SOURCE
#include "reports/github.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "reports/describe.h"
#include "reports/wrap.h"
#include "reports/uri.h"
#include "reports/utf8.h"

/* GitHub takes a megabyte from a step, so reports beyond this size are only in the log. */
enum { REPORTS_MAX = 200000 };

/* --- annotations --- */

/* Escapes the percent sign and ends of lines, which would end the command; in a property, the
 * separators too. */
static void put_command(const char *text, bool property, FILE *out) {
    while (*text != '\0') {
        uint32_t character = utf8_next(&text);
        bool escaped = character == '%' || character == '\r' || character == '\n' ||
                       (property && (character == ':' || character == ','));
        if (escaped)
            fprintf(out, "%%%02" PRIX32, character);
        else
            utf8_put(character < 0x20 ? ' ' : character, out);
    }
}

static void put_place(const struct trace *trace, const char *workspace, FILE *out) {
    const struct trace_frame *place = trace_finding_place(trace);
    if (place == NULL || place->file[0] == '\0')
        return;
    char *path = uri_plain_path(place->file), *base = uri_plain_path(workspace);
    const char *below = uri_below(path, base);
    if (below != NULL) {
        fputs("file=", out);
        put_command(below, true, out);
        fprintf(out, ",line=%" PRIu32 ",", place->line);
    }
    free(path);
    free(base);
}

static void put_where(const struct trace *trace, uint32_t stack, FILE *out) {
    const struct trace_frame *place = trace_place(trace, stack);
    if (place != NULL && place->file[0])
        fprintf(out, " at %s:%" PRIu32, trace_basename(place->file), place->line);
}

/* The finding in a sentence, each of its places, and its fingerprint. */
static char *message_of(const struct trace *trace, const char *fingerprint) {
    const struct finding *finding = &trace->finding;
    struct wrap_draft draft;
    FILE *out = wrap_draft(&draft);
    describe_sentence(trace, out);
    for (uint32_t i = 0; i < finding->stack_count; i++) {
        fputc('\n', out);
        describe_place(trace, i, out);
        put_where(trace, finding->stacks[i].stack, out);
    }
    fprintf(out, "\nfingerprint %s", fingerprint);
    return wrap_drafted(&draft);
}

void github_annotate(const struct reported *finding, const struct trace *trace,
                     const char *workspace, FILE *out) {
    char *message = message_of(trace, finding->fingerprint);
    fputs("::error ", out);
    put_place(trace, workspace, out);
    fputs("title=heddle%3A ", out);
    put_command(finding_info(finding->kind)->title, true, out);
    fputs("::", out);
    put_command(message, false, out);
    fputc('\n', out);
    free(message);
}

void github_annotate_end(const struct ending *ending, FILE *out) {
    if (ending->kind != ENDING_UNDECIDED && ending->kind != ENDING_BROKEN)
        return;
    fprintf(out, "::%s title=heddle%%3A ", ending->kind == ENDING_BROKEN ? "error" : "warning");
    put_command(trace_basename(ending->program), true, out);
    fputs("::", out);
    put_command(ending->sentence, false, out);
    fputc('\n', out);
}

/* --- the summary --- */

/* Writes text as one line of Markdown. Signs that Markdown or HTML would interpret are escaped. */
static void put_markdown(const char *text, FILE *out) {
    while (*text != '\0') {
        uint32_t character = utf8_next(&text);
        if (character == '<')
            fputs("&lt;", out);
        else if (character == '&')
            fputs("&amp;", out);
        else if (character < 0x20)
            fputc(' ', out);
        else {
            if (character < 0x80 && strchr("\\`*_{}[]()#+-.!|~>", (int)character) != NULL)
                fputc('\\', out);
            utf8_put(character, out);
        }
    }
}

/* The length of a fence: longer than any row of backquotes in the text, so that the text cannot end
 * the block. */
static size_t fence_of(const char *text) {
    size_t longest = 2;
    for (; *text != '\0'; text += strcspn(text, "`")) {
        size_t row = strspn(text, "`");
        longest = row > longest ? row : longest;
        text += row;
    }
    return longest + 1;
}

static void put_fence(size_t length, FILE *out) {
    while (length-- > 0)
        fputc('`', out);
    fputc('\n', out);
}

static void put_report(const struct reported *finding, FILE *out) {
    char *valid = utf8_valid(finding->report);
    size_t fence = fence_of(valid);
    fputs("\n<details><summary>", out);
    put_markdown(finding_info(finding->kind)->title, out);
    fputs("</summary>\n\n", out);
    put_fence(fence, out);
    fputs(valid, out);
    put_fence(fence, out);
    fputs("\n</details>\n", out);
    free(valid);
}

static void put_row(const struct reported *finding, FILE *out) {
    fputs("| ", out);
    put_markdown(finding_info(finding->kind)->title, out);
    fputs(" | ", out);
    if (finding->file[0]) {
        put_markdown(trace_basename(finding->file), out);
        fprintf(out, ":%" PRIu32, finding->line);
    }
    fputs(finding->function[0] ? " in " : "", out);
    put_markdown(finding->function, out);
    fputs(" | ", out);
    put_markdown(finding->message, out);
    fprintf(out, " | %s |\n", finding->fingerprint);
}

static void put_heading(const struct ending *ending, FILE *out) {
    static const char *const marks[] = {[ENDING_PASSED] = ":white_check_mark:",
                                        [ENDING_FAILED] = ":x:",
                                        [ENDING_UNDECIDED] = ":hourglass:",
                                        [ENDING_BROKEN] = ":warning:"};
    fprintf(out, "### %s heddle run ", marks[ending->kind]);
    put_markdown(trace_basename(ending->program), out);
    for (char *const *word = ending->arguments + 1; ending->arguments[0] && *word; word++) {
        fputc(' ', out);
        put_markdown(*word, out);
    }
    fputs("\n\n", out);
    put_markdown(ending->sentence, out);
    fputs("\n\n", out);
}

void github_summary(const struct ending *ending, FILE *out) {
    size_t written = 0;
    put_heading(ending, out);
    if (ending->findings->count > 0)
        fputs("| finding | place | message | fingerprint |\n|---|---|---|---|\n", out);
    for (uint32_t i = 0; i < ending->findings->count; i++)
        put_row(&ending->findings->at[i], out);
    for (uint32_t i = 0; i < ending->findings->count; i++) {
        written += strlen(ending->findings->at[i].report);
        if (written > REPORTS_MAX) {
            fputs("\nThe other reports are in the log.\n", out);
            break;
        }
        put_report(&ending->findings->at[i], out);
    }
    fputc('\n', out);
}
