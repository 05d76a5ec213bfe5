/* command.c - `heddle run [options] PROGRAM [argument...]`.
 *
 * Options, program and output files are checked before anything runs. Then the supervisor runs the
 * program, findings are taken during the search, and the run ends with a judgement. */
#define _GNU_SOURCE
#include "cli/run/run.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/supervise/custom_explorer.h"
#include "cli/run/parts.h"
#include "cli/base/say.h"
#include "cli/base/version.h"

static void print_all_options(void) {
    settings_help_groups(run_settings, stdout);
    fputs("\nStrategies:\n", stdout);
    options_print_strategies(stdout);
    fputs("\nExplorers, for the strategies that go by delays:\n", stdout);
    options_print_explorers(stdout);
    fputs("\nThe same options, without dashes, can stand in HEDDLE_OPTIONS=\"name=value:name\".\n",
          stdout);
}

static int print_help(const char *topic) {
    bool all = strcmp(topic, "all") == 0;
    if (!all && *topic != '\0')
        return say_error(EXIT_USAGE, "no help on '%s': there are --help and --help=all", topic);
    printf("Usage: %s run [option...] PROGRAM [argument...]\n\n"
           "Runs PROGRAM under control and tries all orders of its operations that can matter.\n\n",
           say_tool());
    if (all)
        print_all_options();
    else
        settings_help_common(run_settings, stdout);
    fputs("\nExit codes: 0 nothing found and the requested bound completed, 1 bug, 2 usage, 3 "
          "budget\n"
          "ended first, 4 uncontrolled nondeterminism, 5 unsupported, 6 error of Heddle itself.\n",
          stdout);
    return 0;
}

static int check_directory(const char *option, const char *path) {
    struct stat status;
    if (stat(path, &status) != 0)
        return say_error(EXIT_USAGE, "%s: %s: %s", option, path, strerror(errno));
    if (!S_ISDIR(status.st_mode))
        return say_error(EXIT_USAGE, "%s: %s: not a directory", option, path);
    if (access(path, W_OK) != 0)
        return say_error(EXIT_USAGE, "%s: %s: %s", option, path, strerror(errno));
    return 0;
}

/* A trace is written when something is found. This checks in advance that it can be written. */
static int check_output(const struct run_options *options) {
    const char *output = options->output, *trace = options->trace;
    char path[PATH_MAX];
    struct stat status;
    int code = output != NULL ? check_directory("--output", output) : 0;
    if (code != 0 || trace == NULL)
        return code;
    bool below = output != NULL && trace[0] != '/';
    int length =
        snprintf(path, sizeof path, "%s%s%s", below ? output : "", below ? "/" : "", trace);
    if (length >= (int)sizeof path)
        return say_error(EXIT_USAGE, "--trace: %s", strerror(ENAMETOOLONG));
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return say_error(EXIT_USAGE, "--trace: %s: is a directory", path);
    char *slash = strrchr(path, '/');
    if (slash == NULL)
        return 0;
    slash[slash == path] = '\0'; /* keeps the slash of the root */
    return check_directory("--trace", path);
}

static int read_suppressions(struct run *run) {
    char error[PATH_MAX + 600];
    const char *path = run->options.suppressions;
    if (path == NULL || suppressions_read(&run->suppressions, path, error, sizeof error))
        return 0;
    return say_error(EXIT_USAGE, "--suppressions: %s", error);
}

/* Opens the outputs before the search, since a file that cannot be written should be known before
 * hours of work. */
static int open_outputs(struct run *run) {
    const struct collect_source source = {
        .program = &run->program, .options = &run->options, .arguments = run->arguments};
    findings_init(&run->findings, &source, &run->progress, &run->outputs, &run->suppressions);
    if (getcwd(run->directory, sizeof run->directory) == NULL)
        run->directory[0] = '\0';
    run->view = (struct output_run){.source = &run->findings.source,
                                    .directory = run->directory,
                                    .reported = &run->findings.reported,
                                    .suppressed = &run->findings.suppressed,
                                    .suppressions = &run->suppressions,
                                    .corpus = &run->corpus,
                                    .stages = &run->stages,
                                    .supervision = &run->supervision,
                                    .causes = &run->causes,
                                    .pairs = &run->pairs,
                                    .tips = run->tips};
    return outputs_open(&run->outputs, &run->view, true);
}

int run_main(int argc, char **argv) {
    static struct run run; /* large */
    int program = options_parse(&run.options, argc, argv), code;
    if (program < 0)
        return EXIT_USAGE;
    if (run.options.help != NULL)
        return print_help(run.options.help);
    if (run.options.version) {
        puts("heddle " HEDDLE_VERSION);
        return 0;
    }
    if (program >= argc)
        return say_error(EXIT_USAGE, "run: which program? %s run [option...] PROGRAM [argument...]",
                         say_tool());
    run.arguments = argv + program;
    run.command = argv;
    if ((code = program_open(&run.program, argv[program])) != 0 ||
        (code = check_output(&run.options)) != 0 || (code = read_suppressions(&run)) != 0 ||
        (code = open_outputs(&run)) != 0 ||
        (code = corpus_open(&run.corpus, run.options.corpus, &run.program, run.arguments)) != 0 ||
        (code = custom_explorer_build(&run.options.engine)) != 0)
        return code;
    if ((code = run_search(&run)) != 0)
        return code;
    custom_explorer_remove();
    return run_finish(&run);
}
