/* report.c - `heddle report TRACE [-o FILE]`: a trace as one HTML page. Needs the file only: neither
 * the program nor its sources. */
#include "cli/report.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cli/html.h"
#include "cli/say.h"
#include "cli/settings.h"
#include "trace/file.h"

struct report_options {
    const char *output; /* NULL: beside the trace */
    bool help;
};

static const struct setting report_settings[] = {
    {"output", 'o', SETTING_TEXT, "FILE", "write there; -: to standard output",
     offsetof(struct report_options, output), 0, 0, NULL, false},
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

/* Options may stand on either side of the trace. */
static int parse(struct report_options *options, const char **path, int argc, char **argv) {
    struct settings settings = {.table = report_settings, .values = options};
    int at = settings_parse(&settings, argc, argv);
    if (at < 0)
        return EXIT_USAGE;
    if (at < argc) {
        *path = argv[at];
        int rest = settings_parse(&settings, argc - at, argv + at);
        if (rest < 0)
            return EXIT_USAGE;
        at += rest;
    }
    if (!options->help && (*path == NULL || at != argc))
        return say_error(EXIT_USAGE, "report: one trace is needed: %s report TRACE", say_tool());
    return 0;
}

int report_main(int argc, char **argv) {
    struct report_options options = {0};
    struct trace trace;
    const char *path = NULL;
    char error[PATH_MAX + 200];
    int code = parse(&options, &path, argc, argv);
    if (code != 0)
        return code;
    if (options.help)
        return print_help();
    code = trace_read(&trace, path, error, sizeof error) ? write_page(&options, &trace, path)
                                                         : say_error(EXIT_USAGE, "%s", error);
    trace_destroy(&trace);
    return code;
}
