/* report.c - `heddle report TRACE [-o FILE] [--sarif=FILE]`: writes a trace as one HTML page, or in
 * a format for other tools. Needs only the file, neither the program nor its sources. */
#include "cli/commands/report.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/outputs/html.h"
#include "cli/outputs/outputs.h"
#include "cli/options/options.h"
#include "cli/base/say.h"
#include "cli/options/settings.h"
#include "engine/verdict.h"
#include "trace/file.h"

struct report_options {
    const char *output; /* the path of the page; NULL means beside the trace */
    bool help;
    struct run_options run; /* only its outputs are used */
};

static const struct setting report_settings[] = {
    {"output", 'o', SETTING_TEXT, "FILE", "write the page to FILE; - means standard output",
     offsetof(struct report_options, output), 0, 0, NULL, false, GROUP_NONE, false},
#define OUTPUT(format, argument, text, often)
#define OUTPUT_OF_TRACE(format, argument, text, often) \
    {.name = #format, \
     .kind = SETTING_TEXT, \
     .value = argument, \
     .help = text, \
     .offset = offsetof(struct report_options, run.outputs[OUTPUT_##format])},
#include "cli/outputs/outputs.def"
    {"help", 'h', SETTING_FLAG, NULL, "this text", offsetof(struct report_options, help), 0, 0,
     NULL, false, GROUP_NONE, false},
    {0},
};

static int print_help(void) {
    printf(
        "Usage: %s report [option...] TRACE\n\nWrites a trace as an HTML page that needs nothing "
        "else: by default TRACE.html beside it,\nwithout the .trace. If another format is asked "
        "for, there is no page unless -o is given.\n\n",
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
        return fflush(stdout) == 0
                   ? 0
                   : say_error(EXIT_INTERNAL, "report: the page could not be written");
    }
    if (!html_write_trace(trace, path, output, error, sizeof error))
        return say_error(EXIT_USAGE, "report: %s", error);
    return 0;
}

/* Ends the outputs as if the run of the trace had ended with its finding. */
static bool end_outputs(struct outputs *outputs, const struct trace *trace,
                        const struct reported_list *reported) {
    const char *nothing[] = {NULL};
    const struct reported_list none = {0};
    enum verdict verdict = trace_fails(trace) ? VERDICT_BUG : VERDICT_BUDGET;
    const struct ending ending = {
        .kind = trace_fails(trace) ? ENDING_FAILED : ENDING_UNDECIDED,
        .version = trace->version,
        .program = trace->program,
        .arguments = (char *const *)nothing,
        .command = (char *const *)nothing,
        .directory = trace->directory,
        .verdict = verdict_info(verdict)->name,
        .sentence = trace_fails(trace) ? "one execution, in which something is wrong"
                                       : "one execution, in which nothing is wrong",
        .exit_code = verdict_info(verdict)->exit_code,
        .strategy = "replay",
        .started = time(NULL),
        .findings = reported,
        .suppressed = &none,
    };
    return outputs_end(outputs, &ending);
}

/* Writes the formats for other tools, each to its own file. Returns 0, or an exit code after one
 * line on stderr. */
static int write_outputs(struct outputs *outputs, const struct output_run *run,
                         const struct trace *trace, const char *path) {
    struct reported_list reported = {0};
    int code = outputs_open(outputs, run, false);
    if (code != 0)
        return code;
    if (trace_fails(trace)) {
        struct reported *finding = reported_add(&reported, trace);
        finding->trace = strdup(path);
        outputs_add(outputs, finding, trace);
    }
    if (!end_outputs(outputs, trace, &reported))
        code = EXIT_USAGE;
    reported_destroy(&reported);
    return code;
}

static int write_all(const struct report_options *options, const struct trace *trace,
                     const char *path) {
    struct outputs outputs;
    const struct collect_source source = {.options = &options->run};
    const struct output_run run = {.source = &source, .directory = trace->directory};
    int code = write_outputs(&outputs, &run, trace, path);
    if (code == 0 && (outputs.count == 0 || options->output != NULL))
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
