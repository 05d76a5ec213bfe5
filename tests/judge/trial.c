/* trial.c - runs Heddle on a program, and compares the verdict, the kinds of findings, and the set
 * of outcomes with the model's. Each difference is printed with the command that shows it again. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "judge.h"
#include "observe.h"

struct heard {
    int status; /* exit status */
    char *json; /* the JSON result, or NULL */
    bool budget_ended;
    uint64_t outcome[OUTCOME_SLOTS];
};

struct run {
    struct trial *trial;
    const struct program *program;
    const struct answer *least, *most; /* what Heddle must find, and what it may find */
    const char *strategy, *variant;
    char json[512], set[512];
    bool differs;
};

/* --- running
 * ------------------------------------------------------------------------------------ */

static char *contents(const char *path) {
    struct stat about;
    int fd = open(path, O_RDONLY);
    char *text = NULL;
    if (fd >= 0 && fstat(fd, &about) == 0 &&
        (text = calloc(1, (size_t)about.st_size + 1)) != NULL &&
        read(fd, text, (size_t)about.st_size) != about.st_size) {
        free(text);
        text = NULL;
    }
    if (fd >= 0)
        close(fd);
    return text;
}

static void start_heddle(const struct run *run) {
    char strategy[64], json[600], output[600], seed[32], executions[64];
    const char *words[20] = {run->trial->heddle, "run", "-q", "--keep-going", "--minimise=off"};
    int count = 5;
    snprintf(strategy, sizeof strategy, "--strategy=%s", run->strategy);
    snprintf(json, sizeof json, "--json=%s", run->json);
    snprintf(output, sizeof output, "--output=%s", run->trial->work);
    snprintf(executions, sizeof executions, "--max-executions=%llu",
             (unsigned long long)run->trial->executions_max);
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)run->program->seed);
    words[count++] = strategy;
    words[count++] = json;
    words[count++] = output;
    words[count++] = executions;
    if (run->program->spurious)
        words[count++] = "--spurious-wakeups";
    if (run->trial->options != NULL)
        words[count++] = run->trial->options;
    words[count++] = run->variant;
    words[count++] = seed;
    words[count] = run->set;
    int null = open("/dev/null", O_WRONLY);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    execv(run->trial->heddle, (char *const *)words);
    _exit(127);
}

static bool has_verdict(const struct heard *heard, const char *verdict) {
    char line[64];
    snprintf(line, sizeof line, "\"verdict\": \"%s\"", verdict);
    return heard->json != NULL && strstr(heard->json, line) != NULL;
}

static bool found(const struct heard *heard, const char *kind) {
    char line[64];
    snprintf(line, sizeof line, "\"kind\": \"%s\"", kind);
    return strstr(heard->json, line) != NULL;
}

static bool leaves_out(const struct heard *heard, const char *name) {
    char line[64];
    snprintf(line, sizeof line, "\"name\": \"%s\"", name);
    return heard->json != NULL && strstr(heard->json, line) != NULL;
}

static void run_heddle(struct run *run, struct heard *heard) {
    int status = 0;
    memset(heard, 0, sizeof *heard);
    unlink(run->json);
    unlink(run->set);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        start_heddle(run);
    if (child < 0 || waitpid(child, &status, 0) != child)
        abort();
    heard->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    heard->json = contents(run->json);
    heard->budget_ended = leaves_out(heard, "search-ended");
    int fd = open(run->set, O_RDONLY);
    if (fd >= 0) {
        if (read(fd, heard->outcome, sizeof heard->outcome) < 0)
            abort();
        close(fd);
    }
}

/* --- comparing
 * ---------------------------------------------------------------------------------- */

static void differ(struct run *run, const char *what) {
    run->differs = true;
    if (run->trial->differences >= DIFFERENCES_SHOWN)
        return;
    printf("DIFFERENCE: seed %llu, %s, %s: %s\n", (unsigned long long)run->program->seed,
           run->strategy, run->variant, what);
}

/* Heddle must say yes if the least answer does, and may say yes if the greatest answer does. */
static void same(struct run *run, const char *what, bool heddle, bool least, bool most) {
    char text[128];
    if (heddle ? most : !least)
        return;
    snprintf(text, sizeof text, "%s: heddle says %s, the model %s", what, heddle ? "yes" : "no",
             heddle ? "no" : "yes");
    differ(run, text);
}

static bool fails(const struct answer *answer) {
    for (uint32_t i = 0; i < answer->outcomes; i++)
        if (!(answer->outcome[i] & 1))
            return true;
    return false;
}

/* These strategies find only races that a state shows. If a memory order could hide a race, they
 * say that the program is not decided. */
static bool remembers_states(const char *strategy) {
    return strncmp(strategy, "ses", 3) == 0 || strcmp(strategy, "preemption-bounding") == 0 ||
           strcmp(strategy, "depth-bounding") == 0;
}

static void compare_findings(struct run *run, const struct heard *heard) {
    static const char *const others[] = {"crash",          "heap-misuse",   "divergence",
                                         "nonzero-exit",   "leaked-lock",   "unhandled-event",
                                         "machine-misuse", "queue-overflow"};
    const struct answer *least = run->least, *most = run->most;
    bool stuck =
        found(heard, "deadlock") || found(heard, "blocked-forever") || found(heard, "livelock");
    same(run, "a data race", found(heard, "data-race"),
         least->race && !remembers_states(run->strategy), most->race);
    if (most->race)
        return; /* after a race, nothing else is defined */
    same(run, "a failed assertion", found(heard, "assertion"), fails(least), fails(most));
    same(run, "misuse", found(heard, "sync-misuse"), least->misuse, most->misuse);
    same(run, "stuck tasks", stuck, least->stuck, most->may_stick);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        same(run, others[i], found(heard, others[i]), false, false);
}

static void compare_outcomes(struct run *run, const struct heard *heard) {
    const struct answer *least = run->least;
    char text[160];
    uint32_t missing = 0, common = 0;
    for (int i = 0; i < OUTCOME_SLOTS; i++)
        if (heard->outcome[i] != 0 && !answer_has(run->most, heard->outcome[i])) {
            snprintf(text, sizeof text, "outcome 0x%llx is not the model's",
                     (unsigned long long)heard->outcome[i]);
            differ(run, text);
            break;
        }
    for (uint32_t i = 0; i < least->outcomes; i++) {
        bool there = false;
        for (int at = 0; at < OUTCOME_SLOTS && !there; at++)
            there = heard->outcome[at] == least->outcome[i];
        common += there;
        if (!there && missing++ == 0)
            snprintf(text, sizeof text, "outcome 0x%llx of the model was not reached",
                     (unsigned long long)least->outcome[i]);
    }
    if (missing == 0)
        return;
    size_t end = strlen(text);
    snprintf(text + end, sizeof text - end, ", like %u of %u", missing - 1, missing + common);
    differ(run, text);
}

/* If assumptions drop every execution of a program, it is neither right nor wrong. */
static bool has_right_verdict(const struct run *run, const struct heard *heard) {
    bool nothing = run->least->outcomes == 0 && !run->least->stuck && !run->least->race;
    bool open = (remembers_states(run->strategy) && leaves_out(heard, "weak-order-races")) ||
                (strcmp(run->strategy, "observers") == 0 && leaves_out(heard, "release-sequences"));
    if (has_verdict(heard, "bug"))
        return true;
    if (has_verdict(heard, "undecided"))
        return nothing || open;
    return has_verdict(heard, "verified") && !nothing && !run->least->race;
}

static int status_of(const struct heard *heard) {
    return has_verdict(heard, "bug") ? 1 : has_verdict(heard, "undecided") ? 3 : 0;
}

static void compare(struct run *run, const struct heard *heard) {
    char text[128];
    if (!has_right_verdict(run, heard)) {
        snprintf(text, sizeof text, "not the right verdict, exit status %d", heard->status);
        differ(run, text);
        return;
    }
    compare_findings(run, heard);
    if (heard->status != status_of(heard))
        differ(run, "the exit status does not go with the verdict");
    if (!run->most->race)
        compare_outcomes(run, heard);
}

/* For strategies that remember states, plain accesses are operations. For other strategies they
 * belong to the operation before them. So a failed assertion that depends on a plain access may
 * come before what other tasks could have done in between. */
static void try_strategy(struct trial *trial, const struct program *program,
                         const struct answer *coarse, const struct answer *fine,
                         const char *strategy, const char *variant) {
    struct run run = {.trial = trial,
                      .program = program,
                      .least = remembers_states(strategy) ? fine : coarse,
                      .most = fine,
                      .strategy = strategy,
                      .variant = variant};
    static struct heard heard;
    snprintf(run.json, sizeof run.json, "%s/judge.json", trial->work);
    snprintf(run.set, sizeof run.set, "%s/judge.set", trial->work);
    run_heddle(&run, &heard);
    trial->runs++;
    if (heard.budget_ended)
        trial->too_long++;
    else
        compare(&run, &heard);
    free(heard.json);
    if (run.differs)
        trial->differences++;
    trial->last_differs |= run.differs;
}

static bool left_out(const struct trial *trial, const struct program *program) {
    static const char *const names[] = {
#define NAME(kind) #kind,
        KINDS(NAME)
#undef NAME
    };
    for (int task = 0; trial->without != NULL && task < program->tasks; task++)
        for (int i = 0; i < program->length[task]; i++) {
            const char *name = names[program->code[task][i].kind];
            const char *at = strstr(trial->without, name);
            size_t size = strlen(name);
            if (at != NULL && (at[size] == 0 || at[size] == ',') &&
                (at == trial->without || at[-1] == ','))
                return true;
        }
    return false;
}

void trial_of(struct trial *trial, const struct program *program) {
    static struct answer coarse, fine;
    struct program stepwise = *program;
    int turns = 0;
    trial->last_differs = false;
    if (left_out(trial, program)) {
        trial->left_out++;
        return;
    }
    trial->programs++;
    stepwise.plain_steps = true;
    model_answer(program, trial->states_max, trial->sloppy, &coarse);
    model_answer(&stepwise, trial->states_max, trial->sloppy, &fine);
    if (coarse.too_big || fine.too_big) {
        trial->too_big++;
        return;
    }
    while (trial->in_turn[turns] != NULL)
        turns++;
    for (int i = 0; trial->always[i] != NULL; i++)
        for (int at = 0; at < trial->variants; at++)
            if (i == 0 || program->seed % (uint64_t)trial->variants == (uint64_t)at)
                try_strategy(trial, program, &coarse, &fine, trial->always[i], trial->variant[at]);
    if (turns > 0)
        try_strategy(trial, program, &coarse, &fine,
                     trial->in_turn[program->seed % (uint64_t)turns],
                     trial->variant[program->seed / (uint64_t)turns % (uint64_t)trial->variants]);
}
