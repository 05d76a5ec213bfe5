/* show.c - `heddle show TRACE`: prints what was run, what is wrong, and the whole schedule with its
 * source lines. Needs only the file, neither the program nor its sources. */
#include "cli/commands/show.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/options/settings.h"
#include "cli/base/say.h"
#include "reports/wrap.h"
#include "reports/text.h"
#include "trace/file.h"

struct show_options {
    bool short_form, no_source, help;
};

static const struct setting show_settings[] = {
    {"short", 's', SETTING_FLAG, NULL, "only the last steps, as in the report of a run",
     offsetof(struct show_options, short_form), 0, 0, NULL, false, GROUP_NONE, false},
    {"no-source", 0, SETTING_FLAG, NULL, "without the text of the source lines",
     offsetof(struct show_options, no_source), 0, 0, NULL, false, GROUP_NONE, false},
    {"help", 'h', SETTING_FLAG, NULL, "this text", offsetof(struct show_options, help), 0, 0, NULL,
     false, GROUP_NONE, false},
    {0},
};

static void print_origin(const struct trace *trace, FILE *out) {
    char quoted[PATH_MAX];
    struct wrap_draft draft;
    fprintf(out, "program    %s", say_quoted(trace->program, quoted, sizeof quoted));
    for (uint32_t i = 1; i < trace->argument_count; i++)
        fprintf(out, " %s", say_quoted(trace->arguments[i], quoted, sizeof quoted));
    fprintf(out, "\nbuild-id   %s\noptions    ", trace->build_id);
    FILE *options = wrap_draft(&draft);
    for (uint32_t i = 0; i < trace->option_count; i++)
        fprintf(options, "%s%s=%s", i ? " " : "", trace->options[i].name, trace->options[i].value);
    wrap_text(wrap_drafted(&draft), 11, 11, out);
    free(draft.text);
    if (trace->at_execution > 0)
        fprintf(out, "\nfound      in execution %" PRIu64 ", by Heddle %s\n\n", trace->at_execution,
                trace->version);
    else
        fprintf(out, "\nsaved      in the simulator, by Heddle %s\n\n", trace->version);
}

int show_main(int argc, char **argv) {
    struct show_options options = {0};
    struct settings settings = {.table = show_settings, .values = &options};
    struct trace trace;
    char error[PATH_MAX + 200];
    const char *path = NULL;
    if (!settings_parse_trace(&settings, argc, argv, &options.help, &path))
        return EXIT_USAGE;
    if (options.help) {
        printf("Usage: %s show [option...] TRACE\n\nShows the schedule in a trace, one column a "
               "task.\n\n",
               say_tool());
        settings_help(show_settings, stdout);
        return 0;
    }
    bool read = trace_read(&trace, path, error, sizeof error);
    if (read) {
        const struct text_view view = {.columns = {.style = style_of(stdout),
                                                   .all = !options.short_form,
                                                   .source = !options.no_source},
                                       .pid = getpid()};
        print_origin(&trace, stdout);
        text_report(&trace, &view, stdout);
        text_summary(&trace, stdout);
    }
    trace_destroy(&trace);
    return read ? 0 : say_error(EXIT_USAGE, "%s", error);
}
