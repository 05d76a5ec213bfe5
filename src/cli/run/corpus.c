/* corpus.c - see corpus.h. */
#define _GNU_SOURCE
#include "cli/run/corpus.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/check.h"
#include "cli/base/say.h"
#include "engine/corpus.h"
#include "trace/file.h"
#include "trace/identity.h"

static const char SUFFIX[] = ".trace";
enum { ARGUMENTS_NAME = 12 };

/* --- the directory --- */

static int is_trace(const struct dirent *entry) {
    size_t length = strlen(entry->d_name), suffix = strlen(SUFFIX);
    return length > suffix && entry->d_name[0] != '.' &&
           strcmp(entry->d_name + length - suffix, SUFFIX) == 0;
}

static bool belongs(const struct corpus_directory *corpus, const struct trace *trace) {
    uint32_t i = 1;
    if (strcmp(trace_basename(trace->program), trace_basename(corpus->program->path)) != 0)
        return false;
    while (corpus->arguments[i] != NULL && i < trace->argument_count &&
           strcmp(corpus->arguments[i], trace->arguments[i]) == 0)
        i++;
    return corpus->arguments[i] == NULL && i == trace->argument_count;
}

/* Files are sorted by name, so that the same files give the same run. */
static void read_file(struct corpus_directory *corpus, const char *name) {
    char path[PATH_MAX], error[PATH_MAX + 200];
    struct trace trace;
    snprintf(path, sizeof path, "%s/%s", corpus->path, name);
    bool read = trace_read(&trace, path, error, sizeof error);
    if (!read)
        say_error(0, "--corpus: left out: %s", error);
    if (!read || !belongs(corpus, &trace)) {
        trace_destroy(&trace);
        return;
    }
    corpus->files = realloc(corpus->files, (corpus->count + 1) * sizeof *corpus->files);
    CHECK(corpus->files);
    struct corpus_file *file = &corpus->files[corpus->count++];
    *file = (struct corpus_file){.name = strdup(name), .trace = trace};
    CHECK(file->name);
}

int corpus_open(struct corpus_directory *corpus, const char *path, const struct program *program,
                char *const *arguments) {
    struct dirent **entries;
    memset(corpus, 0, sizeof *corpus);
    if (path == NULL)
        return 0;
    corpus->path = path;
    corpus->program = program;
    corpus->arguments = arguments;
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return say_error(EXIT_USAGE, "--corpus: %s: %s", path, strerror(errno));
    int count = scandir(path, &entries, is_trace, alphasort);
    if (count < 0)
        return say_error(EXIT_USAGE, "--corpus: %s: %s", path, strerror(errno));
    for (int i = 0; i < count; i++) {
        read_file(corpus, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return 0;
}

void corpus_close(struct corpus_directory *corpus) {
    for (uint32_t i = 0; i < corpus->count; i++) {
        free(corpus->files[i].name);
        trace_destroy(&corpus->files[i].trace);
    }
    free(corpus->files);
}

/* --- following --- */

/* The number in the session of the task with this name. Its start address stays unknown until the
 * task starts, since the program may be another build. */
static uint32_t know_task(struct session *session, uint32_t parent, uint32_t child) {
    for (uint32_t i = 0; i < session->result.tasks.count; i++)
        if (session->result.tasks.list[i].parent == parent &&
            session->result.tasks.list[i].child == child)
            return i;
    if (session->result.tasks.count == SESSION_TASKS_MAX)
        return NO_TASK;
    session->result.tasks.list[session->result.tasks.count] =
        (struct task_name){.parent = parent, .child = child};
    return session->result.tasks.count++;
}

/* Parents come before their children, as trace/file_records.c checks. */
static void know_tasks(struct session *session, const struct trace *trace, uint32_t *numbers) {
    for (uint32_t i = 0; i < trace->task_count; i++) {
        uint32_t parent = trace->tasks[i].parent;
        if (parent != NO_TASK)
            parent = numbers[parent];
        numbers[i] = know_task(session, parent, trace->tasks[i].child);
    }
}

/* Fills in the kind of operation of each step. A step is one event, apart from notes and events
 * within an atomic section. From the first step on that is not so, the kinds stay unknown. */
static void fill_kinds(const struct trace *trace, uint8_t *kinds) {
    uint32_t at = 0, decision = 0;
    for (; decision < trace->decision_count; decision++) {
        kinds[decision] = OP_KINDS;
        if (trace->decisions[decision].tag != CHOICE_SCHEDULE)
            continue;
        while (at < trace->event_count && trace->events[at].flags & (EVENT_NOTE | EVENT_NESTED))
            at++;
        if (at == trace->event_count || trace->events[at].task != trace->decisions[decision].chosen)
            break;
        kinds[decision] = trace->events[at++].op.kind;
    }
    for (; decision < trace->decision_count; decision++)
        kinds[decision] = OP_KINDS;
}

static void fill_entry(struct session *session, const struct trace *trace,
                       struct corpus_entry *entry) {
    size_t size = (trace->decision_count + 1) * sizeof(struct decision);
    struct decision *wishes = pool_alloc(session->pool, size);
    uint32_t *numbers = calloc(trace->task_count, sizeof *numbers);
    CHECK(numbers);
    know_tasks(session, trace, numbers);
    for (uint32_t i = 0; i < trace->decision_count; i++) {
        wishes[i] = trace->decisions[i];
        if (wishes[i].tag == CHOICE_SCHEDULE)
            wishes[i].chosen =
                wishes[i].chosen < trace->task_count ? numbers[wishes[i].chosen] : NO_TASK;
    }
    free(numbers);
    uint8_t *kinds = pool_alloc(session->pool, trace->decision_count + 1);
    fill_kinds(trace, kinds);
    *entry =
        (struct corpus_entry){.wishes = wishes, .kinds = kinds, .count = trace->decision_count};
}

void corpus_fill(struct corpus_directory *corpus, struct session *session) {
    struct corpus *filled = pool_alloc(session->pool, sizeof *filled);
    corpus->entries = pool_alloc(session->pool, (corpus->count + 1) * sizeof *corpus->entries);
    for (uint32_t i = 0; i < corpus->count; i++)
        fill_entry(session, &corpus->files[i].trace, &corpus->entries[i]);
    *filled = (struct corpus){.entries = corpus->entries, .count = corpus->count};
    session->request.options.corpus = filled;
    session->request.options.mode = MODE_CORPUS;
    session->request.options.leaves = false;
    session->request.options.keep_going = true;  /* follow all schedules */
    session->request.options.max_executions = 0; /* the bound is for the search only */
}

void corpus_count(struct corpus_directory *corpus) {
    for (uint32_t i = 0; i < corpus->count; i++) {
        const struct corpus_entry *entry = &corpus->entries[i];
        if (!entry->followed)
            continue;
        corpus->followed++;
        corpus->failing += entry->fails;
        corpus->unfinished += !entry->fails && !entry->ends;
        if (entry->skipped > 0) {
            corpus->partly++;
            corpus->skipped += entry->skipped;
            corpus->wishes += corpus->files[i].trace.decision_count;
        }
    }
}

/* --- keeping --- */

/* "-1b2c3d4e" for the arguments of the program, or nothing if there are none. */
static void name_arguments(char *const *arguments, char name[ARGUMENTS_NAME]) {
    uint64_t hash = 0;
    name[0] = '\0';
    for (uint32_t i = 1; arguments[i] != NULL; i++)
        hash = XXH64(arguments[i], strlen(arguments[i]) + 1, hash);
    if (arguments[0] != NULL && arguments[1] != NULL)
        snprintf(name, ARGUMENTS_NAME, "-%08x", (unsigned)hash);
}

bool corpus_keep(struct corpus_directory *corpus, const char *trace_path) {
    char path[PATH_MAX], error[PATH_MAX + 200], identity[IDENTITY_SIZE], of[ARGUMENTS_NAME];
    struct trace trace;
    bool kept = trace_read(&trace, trace_path, error, sizeof error);
    if (kept) {
        identity_of(&trace, identity);
        name_arguments(corpus->arguments, of);
        snprintf(path, sizeof path, "%s/%s%s-%s%s", corpus->path,
                 trace_basename(corpus->program->path), of, identity, SUFFIX);
        kept = trace_write(&trace, path, error, sizeof error);
    }
    trace_destroy(&trace);
    if (!kept)
        say_error(0, "--corpus: %s", error);
    corpus->kept += kept;
    return kept;
}

/* --- telling --- */

void corpus_print(const struct corpus_directory *corpus, FILE *out) {
    uint32_t count = corpus->followed, passing = count - corpus->failing - corpus->unfinished;
    if (corpus->count == 0)
        return;
    fprintf(out, "  corpus       %u schedule%s followed first: %u %s", count, count == 1 ? "" : "s",
            passing, passing == 1 ? "passes" : "pass");
    if (corpus->failing > 0)
        fprintf(out, ", %u %s", corpus->failing, corpus->failing == 1 ? "fails" : "fail");
    if (corpus->unfinished > 0)
        fprintf(out, ", %u without an end", corpus->unfinished);
    if (corpus->partly > 0)
        fprintf(out, "\n               %u only in part: of their decisions, %u of %u no longer fit",
                corpus->partly, corpus->skipped, corpus->wishes);
    if (count < corpus->count)
        fprintf(out, "\n               %u more %s not followed", corpus->count - count,
                corpus->count - count == 1 ? "was" : "were");
    if (corpus->instead)
        fputs("\n               the search was not begun", out);
    fputc('\n', out);
}
