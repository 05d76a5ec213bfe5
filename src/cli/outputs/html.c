/* html.c - see html.h, and --html=DIR. The pages of a run are made at its end, from the traces as
 * they are on disk then. The page about the run holds the same data as --json. */
#define _GNU_SOURCE
#include "cli/outputs/html.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/check.h"
#include "cli/base/say.h"
#include "cli/outputs/json.h"
#include "reports/json_text.h"
#include "reports/page.h"
#include "trace/file.h"
#include "trace/whole_file.h"

enum { ERROR_SIZE = PATH_MAX + 200 };

bool html_path(const char *directory, const char *path, char page[PATH_MAX]) {
    static const char suffix[] = ".trace";
    const char *name = directory != NULL ? trace_basename(path) : path;
    size_t length = strlen(name), cut = strlen(suffix);
    if (length > cut && strcmp(name + length - cut, suffix) == 0)
        length -= cut;
    return snprintf(page, PATH_MAX, "%s%s%.*s.html", directory ? directory : "",
                    directory ? "/" : "", (int)length, name) < PATH_MAX;
}

void html_print_trace(const struct trace *trace, const char *path, FILE *out) {
    char command[REPLAY_SIZE];
    const struct page_view view = {.replay_command = say_replay(path, command)};
    page_write_trace(trace, &view, out);
}

bool html_write_trace(const struct trace *trace, const char *path, const char *page, char *error,
                      size_t size) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    CHECK(out);
    html_print_trace(trace, path, out);
    CHECK(fclose(out) == 0);
    bool ok = whole_file_write(page, text, length, error, size);
    free(text);
    return ok;
}

static int prepare(struct output *self) {
    const char *directory = self->path;
    self->needs = OUTPUT_NEEDS_COVERAGE | OUTPUT_NEEDS_CAUSES;
    struct stat status;
    if (mkdir(directory, 0777) != 0 && errno != EEXIST)
        return say_error(EXIT_USAGE, "--html: %s: %s", directory, strerror(errno));
    if (stat(directory, &status) == 0 && !S_ISDIR(status.st_mode))
        return say_error(EXIT_USAGE, "--html: %s: not a directory", directory);
    if (access(directory, W_OK) != 0)
        return say_error(EXIT_USAGE, "--html: %s: %s", directory, strerror(errno));
    return 0;
}

/* Writes the page of one finding. Returns the name of the page, or NULL. */
static const char *write_finding(const char *directory, const char *path, char page[PATH_MAX]) {
    struct trace trace;
    char error[ERROR_SIZE];
    if (!html_path(directory, path, page)) {
        say_error(0, "--html: %s: the name is too long", path);
        return NULL;
    }
    bool ok = trace_read(&trace, path, error, sizeof error) &&
              html_write_trace(&trace, path, page, error, sizeof error);
    trace_destroy(&trace);
    if (!ok)
        say_error(0, "--html: %s", error);
    return ok ? trace_basename(page) : NULL;
}

/* Writes the pages of all findings. Returns their names; null for a finding without a page. */
static json_t *write_findings(const char *directory, const struct reported_list *findings,
                              bool *ok) {
    json_t *pages = json_array();
    for (uint32_t i = 0; i < findings->count; i++) {
        const char *trace = findings->at[i].trace;
        char page[PATH_MAX];
        const char *name = trace != NULL ? write_finding(directory, trace, page) : NULL;
        *ok = *ok && (trace == NULL || name != NULL);
        json_push(pages, name != NULL ? json_text(name) : json_null());
    }
    return pages;
}

static bool write_index(const char *directory, const struct output_run *run, json_t *pages) {
    char path[PATH_MAX], error[ERROR_SIZE];
    char *json = NULL, *html = NULL;
    char *names = json_dumps(pages, JSON_COMPACT);
    size_t length = 0;
    CHECK(names);
    if (snprintf(path, sizeof path, "%s/index.html", directory) >= (int)sizeof path) {
        free(names);
        return say_error(false, "--html: %s: the name is too long", directory);
    }
    FILE *out = open_memstream(&json, &length);
    CHECK(out);
    fprintf(out, "{\"view\":\"run\",\"pages\":%s,\"run\":", names);
    CHECK(json_write(run, out));
    fputc('}', out);
    CHECK(fclose(out) == 0);
    out = open_memstream(&html, &length);
    CHECK(out);
    page_write(run->judgement->sentence, json, out);
    CHECK(fclose(out) == 0);
    bool ok = whole_file_write(path, html, length, error, sizeof error);
    free(names);
    free(json);
    free(html);
    return ok || say_error(false, "--html: %s", error);
}

/* Writes index.html about the run, and a page for each finding that has a trace. */
static bool end(struct output *self, const struct ending *ending) {
    bool ok = true;
    json_t *pages = write_findings(self->path, ending->findings, &ok);
    ok = write_index(self->path, self->run, pages) && ok;
    json_decref(pages);
    return ok;
}

const struct output_ops html_output = {.open = prepare, .end = end};
