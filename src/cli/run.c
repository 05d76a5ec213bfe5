/* run.c - `heddle run [options] PROGRAM [argument...]`.
 *
 * Everything that can be said without running is said first: options, program, files to write. Then
 * the supervisor runs it, findings are taken on the way, and the end is a judgement. */
#define _GNU_SOURCE
#include "cli/run.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/check.h"
#include "cli/child.h"
#include "cli/custom_explorer.h"
#include "cli/findings.h"
#include "cli/graph.h"
#include "cli/html.h"
#include "cli/json.h"
#include "cli/judge.h"
#include "cli/options.h"
#include "cli/program.h"
#include "cli/races.h"
#include "cli/say.h"
#include "cli/summary.h"
#include "cli/supervise.h"
#include "cli/version.h"

struct run {
    struct run_options options;
    struct program program;
    char **arguments; /* of the program */
    char **command;   /* argv of heddle */
    FILE *json;       /* or NULL */
    FILE *graph;      /* or NULL */
    uint32_t written; /* so many findings are in it */
    struct supervision supervision;
    struct session *session;
    int session_fd;
    struct progress progress;
    struct outputs outputs;
    struct suppressions suppressions;
    struct findings findings;
    time_t started;
    struct causes causes; /* at the end */
    struct pairs pairs;   /* likewise */
    struct tip tips[TIPS_MAX];
    uint32_t tip_count;
    bool explain; /* why the search is so large */
};

static int print_help(void) {
    printf("Usage: %s run [option...] PROGRAM [argument...]\n\n"
           "Runs PROGRAM under control and tries all orders of its operations that can matter.\n\n",
           say_tool());
    settings_help(run_settings, stdout);
    fputs("\nStrategies:\n", stdout);
    options_print_strategies(stdout);
    fputs("\nExplorers, for the strategies that go by delays:\n", stdout);
    options_print_explorers(stdout);
    fputs(
        "\nThe same options, without dashes, can stand in HEDDLE_OPTIONS=\"name=value:name\".\n"
        "Exit codes: 0 nothing found and the requested bound completed, 1 bug, 2 usage, 3 budget\n"
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

/* Traces are written as late as something is found; that they can be is asked now. */
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
    slash[slash == path] = '\0'; /* the root is a directory, too */
    return check_directory("--trace", path);
}

/* Opened before the run: what cannot be written should be known before hours of search. */
static int open_json(struct run *run) {
    const char *path = run->options.json;
    if (path == NULL)
        return 0;
    run->json = fopen(path, "we");
    if (run->json == NULL)
        return say_error(EXIT_USAGE, "--json: %s: %s", path, strerror(errno));
    return 0;
}

static int read_suppressions(struct run *run) {
    char error[PATH_MAX + 200];
    const char *path = run->options.suppressions;
    if (path == NULL || suppressions_read(&run->suppressions, path, error, sizeof error))
        return 0;
    return say_error(EXIT_USAGE, "--suppressions: %s", error);
}

static int open_session(struct run *run) {
    int code = custom_explorer_build(&run->options.engine);
    if (code == 0)
        code = child_session(&run->session, &run->session_fd);
    if (code != 0)
        return code;
    run->session->options = run->options.engine;
    run->session->options.tree = run->graph != NULL;
    run->session->options.coverage |= run->options.html != NULL; /* the page about the run has it */
    return 0;
}

/* A pipe or a device takes it once. */
static bool rewritable(FILE *file) {
    struct stat status;
    return fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode);
}

static struct json_run json_of(struct run *run, const struct judgement *judgement) {
    return (struct json_run){judgement,
                             &run->supervision,
                             &run->program,
                             run->arguments,
                             &run->options,
                             &run->findings,
                             findings_symbols(&run->findings),
                             &run->causes,
                             &run->pairs,
                             run->tips,
                             run->tip_count};
}

/* Over what is there already. */
static bool write_json(struct run *run, const struct judgement *judgement) {
    const struct json_run json = json_of(run, judgement);
    rewind(run->json);
    return json_write(&json, run->json) &&
           (!rewritable(run->json) || ftruncate(fileno(run->json), ftello(run->json)) == 0);
}

/* Who kills the supervisor too still finds in the file what was found. */
static void keep_json(struct run *run) {
    struct judgement judgement = {.verdict = VERDICT_BUG};
    if (run->json == NULL || run->written == run->findings.count || !rewritable(run->json))
        return;
    run->written = run->findings.count;
    snprintf(judgement.sentence, sizeof judgement.sentence,
             "bug: %u finding%s; the search was not ended", run->written,
             run->written == 1 ? "" : "s");
    write_json(run, &judgement);
}

/* Whoever has found something waits for this, if it asks: what is not suppressed ends the search. */
static void answer(struct run *run) {
    if (run->options.engine.asks && run->findings.count > 0)
        run->session->stop = true;
    __atomic_store_n(&run->session->answered, run->findings.taken, __ATOMIC_RELEASE);
}

static void tick(void *context) {
    struct run *run = context;
    findings_take(&run->findings);
    answer(run);
    keep_json(run);
    progress_show(&run->progress, run->session);
}

static void explore(struct run *run) {
    const struct child_plan plan = {
        .path = run->program.path,
        .arguments = run->arguments,
        .environment = child_environment(run->session_fd),
    };
    const struct collect_source source = {.session = run->session,
                                          .program = &run->program,
                                          .options = &run->options,
                                          .arguments = run->arguments};
    progress_init(&run->progress, run->options.quiet);
    findings_init(&run->findings, &source, &run->progress, &run->outputs, &run->suppressions);
    run->started = time(NULL);
    run->supervision = (struct supervision){.session = run->session,
                                            .plan = &plan,
                                            .linked = run->program.linked,
                                            .tick = tick,
                                            .context = run};
    supervise(&run->supervision);
    progress_wipe(&run->progress);
}

/* Names cost time, so they are looked up only if somebody will read them. */
static void find_causes(struct run *run, const struct judgement *judgement) {
    run->explain = run->options.verbose || tips_wanted(run->session, judgement);
    bool read = run->json != NULL || run->options.html != NULL ||
                (!run->options.quiet && (run->explain || run->options.show_races));
    if (!read)
        return;
    findings_symbols(&run->findings);
    causes_init(&run->causes, &run->findings.source);
    if (run->explain)
        run->tip_count = tips_find(run->tips, &run->causes, judgement, run->session);
}

static void print_search(const struct run *run) {
    if (run->options.engine.coverage)
        pairs_print(&run->pairs, stdout);
    if (run->explain || run->options.show_races)
        races_print_causes(&run->causes, stdout);
    races_print_tips(run->tips, run->tip_count, stdout);
}

/* What cannot be run, and our own bugs, are one line on stderr; the rest is a result. */
static void print_end(struct run *run, const struct judgement *judgement) {
    bool result = judgement->verdict != VERDICT_UNSUPPORTED &&
                  judgement->verdict != VERDICT_ERROR && judgement->verdict != VERDICT_USAGE;
    if (!result)
        say_error(0, "%s", judgement->sentence);
    else if (!run->options.quiet) {
        if (run->findings.count)
            fputc('\n', stdout);
        if (run->options.show_races)
            races_show(&run->causes, stdout);
        summary_print(judgement, &run->supervision, &run->program, findings_symbols(&run->findings),
                      stdout);
        findings_print(&run->findings, run->options.verbose, stdout);
        print_search(run);
    } else if (judgement->verdict == VERDICT_UNCONTROLLED)
        say_error(0, "%s", judgement->sentence);
    for (uint32_t i = 0; i < run->findings.count; i++)
        fputs(run->findings.notes[i].summary, stdout);
}

static enum ending_kind ending_of(enum verdict verdict) {
    switch (verdict) {
    case VERDICT_VERIFIED:
    case VERDICT_BOUNDED: return ENDING_PASSED;
    case VERDICT_BUG: return ENDING_FAILED;
    case VERDICT_BUDGET: return ENDING_UNDECIDED;
    case VERDICT_USAGE:
    case VERDICT_UNCONTROLLED:
    case VERDICT_UNSUPPORTED:
    case VERDICT_ERROR:
    case VERDICTS: break;
    }
    return ENDING_BROKEN;
}

/* The same as `ending_finding`s, which the caller frees; the texts stay with the notes. */
static struct ending_finding *ending_findings(const struct findings *findings) {
    struct ending_finding *list = calloc(findings->count + 1, sizeof *list);
    CHECK(list);
    for (uint32_t i = 0; i < findings->count; i++) {
        const struct finding_note *note = &findings->notes[i];
        list[i] = (struct ending_finding){.kind = note->kind,
                                          .message = note->message,
                                          .function = note->function,
                                          .file = note->file,
                                          .line = note->line,
                                          .fingerprint = note->fingerprint,
                                          .trace = note->trace,
                                          .report = note->report ? note->report : note->summary};
    }
    return list;
}

static bool close_outputs(struct run *run, const struct judgement *judgement) {
    const struct session_counters *counters = &run->session->counters;
    const struct ending_count counts[] = {{"executions", counters->executions},
                                          {"transitions", counters->transitions},
                                          {"steps", counters->steps},
                                          {"depth_max", counters->depth_max},
                                          {"tasks_max", counters->tasks_max}};
    char directory[PATH_MAX];
    struct ending_finding *findings = ending_findings(&run->findings);
    const struct ending ending = {
        .kind = ending_of(judgement->verdict),
        .version = HEDDLE_VERSION,
        .program = run->program.path,
        .arguments = run->arguments,
        .command = run->command,
        .directory = getcwd(directory, sizeof directory) != NULL ? directory : "",
        .verdict = verdict_info(judgement->verdict)->name,
        .sentence = judgement->sentence,
        .exit_code = verdict_info(judgement->verdict)->exit_code,
        .strategy = run->session->options.strategy,
        .started = run->started,
        .seconds = run->supervision.seconds,
        .counts = counts,
        .count_count = sizeof counts / sizeof *counts,
        .findings = findings,
        .finding_count = run->findings.count,
        .suppressed_count = run->findings.suppressed_count,
    };
    bool good = outputs_close(&run->outputs, &run->options, &ending);
    free(findings);
    return good;
}

static int finish(struct run *run) {
    struct judgement judgement;
    char error_place[PLACE_SIZE], difference_place[PLACE_SIZE];
    struct symbols *symbols = findings_symbols(&run->findings);
    judge(&judgement, &run->supervision,
          (struct judge_findings){findings_unsuppressed(&run->findings),
                                  run->findings.suppressed_count},
          collect_place(symbols, run->session->error_pc, error_place),
          collect_place(symbols, run->session->difference_pc, difference_place));
    find_causes(run, &judgement);
    pairs_init(&run->pairs, &run->findings.source, &judgement);
    print_end(run, &judgement);
    const struct json_run json = json_of(run, &judgement);
    bool written = run->options.html == NULL || html_write_run(run->options.html, &json);
    if (run->graph != NULL)
        written &= graph_finish(run->options.graph, run->graph, &run->findings.source, &judgement);
    int code = verdict_info(judgement.verdict)->exit_code;
    if (run->json != NULL) {
        bool whole = write_json(run, &judgement);
        if (fclose(run->json) != 0 || !whole) {
            say_error(0, "%s: could not be written", run->options.json);
            written = false;
        }
    }
    written &= close_outputs(run, &judgement);
    if (!written &&
        judgement.verdict != VERDICT_BUG) /* a bug is a bug, whatever happened afterwards */
        code = EXIT_INTERNAL;
    causes_destroy(&run->causes);
    pairs_destroy(&run->pairs);
    findings_destroy(&run->findings);
    suppressions_destroy(&run->suppressions);
    return code;
}

int run_main(int argc, char **argv) {
    static struct run run; /* large */
    int program = options_parse(&run.options, argc, argv), code;
    if (program < 0)
        return EXIT_USAGE;
    if (run.options.help)
        return print_help();
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
        (code = open_json(&run)) != 0 || (code = outputs_open(&run.outputs, &run.options)) != 0 ||
        (run.options.html != NULL && (code = html_prepare(run.options.html)) != 0) ||
        (code = graph_open(run.options.graph, &run.graph)) != 0 || (code = open_session(&run)) != 0)
        return code;
    explore(&run);
    custom_explorer_remove();
    return finish(&run);
}
