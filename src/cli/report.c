/* report.c - `heddle report TRACE [-o FILE] [--sarif=FILE]`: a trace as one HTML page, or for other
 * tools. Needs the file only: neither the program nor its sources. */
#include "cli/report.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/html.h"
#include "cli/outputs.h"
#include "cli/say.h"
#include "cli/settings.h"
#include "engine/verdict.h"
#include "reports/wrap.h"
#include "trace/file.h"
#include "trace/whole_file.h"

struct report_options {
    const char *output; /* NULL: beside the trace */
    const char *sarif;  /* instead of a page, unless that is asked for too; or NULL */
    bool help;
};

static const struct setting report_settings[] = {
    {"output", 'o', SETTING_TEXT, "FILE", "write there; -: to standard output",
     offsetof(struct report_options, output), 0, 0, NULL, false},
    {"sarif", 0, SETTING_TEXT, "FILE", "write SARIF 2.1.0 there, and no page unless -o is given",
     offsetof(struct report_options, sarif), 0, 0, NULL, false},
    {"help", 'h', SETTING_FLAG, NULL, "this text", offsetof(struct report_options, help), 0, 0,
     NULL, false},
    {0},
};

static int print_help(void) {
    printf(
        "Usage: %s report [option...] TRACE\n\nWrites a trace as an HTML page that needs nothing "
        "else: by default TRACE.html beside it,\nwithout the .trace.\n\n",
        say_tool());
    settings_help(report_settings, stdout);
    return 0;
}

static int write_page(const struct report_options *options, const struct trace *trace,
                      const char *path) {
    char beside[PATH_MAX], error[PATH_MAX + 200];
    const char *output = options->output;
    if (output == NULL && !html_path(NULL, path, beside))
        return say_error(EXIT_USAGE, "report: %s: the name is too long", path);
    if (output == NULL)
        output = beside;
    if (strcmp(output, "-") == 0) {
        html_print_trace(trace, path, stdout);
        return fflush(stdout) == 0 ? 0 : say_error(EXIT_INTERNAL, "report: could not be written");
    }
    if (!html_write_trace(trace, path, output, error, sizeof error))
        return say_error(EXIT_USAGE, "report: %s", error);
    return 0;
}

/* The run that the trace comes from ended by its finding, as far as the trace knows. */
static bool print_sarif(const struct trace *trace, const char *path, FILE *out) {
    const char *nothing[] = {NULL};
    bool fails = trace_fails(trace);
    const struct ending ending = {
        .kind = fails ? ENDING_FAILED : ENDING_UNDECIDED,
        .version = trace->version,
        .program = trace->program,
        .arguments = (char *const *)nothing,
        .command = (char *const *)nothing,
        .directory = trace->directory,
        .verdict = verdict_info(fails ? VERDICT_BUG : VERDICT_BUDGET)->name,
        .sentence = fails ? "one execution, in which something is wrong"
                          : "one execution, in which nothing is wrong",
        .exit_code = verdict_info(fails ? VERDICT_BUG : VERDICT_BUDGET)->exit_code,
        .strategy = "replay",
        .started = time(NULL),
    };
    struct sarif *sarif = sarif_create(outputs_source_root(trace->directory), false);
    if (fails)
        sarif_add(sarif, trace, &(struct sarif_finding){.trace = path});
    bool good = sarif_write(sarif, &ending, out);
    sarif_destroy(sarif);
    return good;
}

/* All or nothing, as with the page. */
static int write_sarif(const struct trace *trace, const char *path, const char *output) {
    struct wrap_draft draft;
    char error[PATH_MAX + 200] = "could not be written";
    bool good = print_sarif(trace, path, wrap_draft(&draft));
    char *text = wrap_drafted(&draft);
    good = good && whole_file_write(output, text, draft.length, error, sizeof error);
    free(text);
    return good ? 0 : say_error(EXIT_USAGE, "report: %s", error);
}

static int write_all(const struct report_options *options, const struct trace *trace,
                     const char *path) {
    int code = options->sarif != NULL ? write_sarif(trace, path, options->sarif) : 0;
    if (code == 0 && (options->sarif == NULL || options->output != NULL))
        code = write_page(options, trace, path);
    return code;
}

int report_main(int argc, char **argv) {
    struct report_options options = {0};
    struct trace trace;
    const char *path = NULL;
    char error[PATH_MAX + 200];
    struct settings settings = {.table = report_settings, .values = &options};
    if (!settings_parse_trace(&settings, argc, argv, &options.help, &path))
        return EXIT_USAGE;
    if (options.help)
        return print_help();
    int code = trace_read(&trace, path, error, sizeof error) ? write_all(&options, &trace, path)
                                                             : say_error(EXIT_USAGE, "%s", error);
    trace_destroy(&trace);
    return code;
}
