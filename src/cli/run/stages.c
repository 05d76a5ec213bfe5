/* stages.c - see stages.h. */
#define _GNU_SOURCE
#include "cli/run/stages.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/base/say.h"
#include "cli/explain/rounds.h"
#include "cli/run/parts.h"
#include "strategies/strategies.h"

enum {
    STATES_STEPS = 10000000,
    SAMPLE_STEPS = 10000000,
    FAR = 100,       /* so many times the budget is far too large */
    GRACE_MS = 1000, /* for the execution under way, if the first stage is left by time */
    SHARE_MIN = 4,   /* the part of --timeout that the first stage has in any case: 1/4 */
};

static uint64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* --- when a stage is over ------------------------------------------------------------------- */

/* Whether the search needs far more time than there is. `spent` and `limit` in milliseconds. */
static bool is_too_large(const struct result *result, uint64_t spent, uint64_t limit) {
    struct estimate_left left;
    uint64_t begun = counters_begun(&result->counters);
    if (leaving_grows_in_time(result) || result->counters.cut_executions > 0)
        return true;
    return begun > 0 && result_left(result, &left) &&
           (double)spent * left.total / (double)begun >= (double)FAR * (double)limit;
}

void stages_watch(struct run *run) {
    struct session *session = run->session;
    const struct options *options = &session->request.options;
    uint64_t limit = options->timeout_ms, end = run->findings.end_ms, now = now_ms();
    /* An execution that does not end must not use up the time of the next stages. */
    if (run->stages.left_ms > 0 && now >= run->stages.left_ms + GRACE_MS)
        run->supervision.quit = options->leaves && options->stage == 0;
    if (!options->leaves || options->stage > 0 || limit == 0 || session->live.stop ||
        options->mode != MODE_EXPLORE)
        return;
    uint64_t left = end > now ? end - now : 0, spent = limit > left ? limit - left : 0;
    if (spent < limit / SHARE_MIN || !is_too_large(&session->result, spent, limit))
        return;
    bool loops =
        leaving_grows_in_time(&session->result) || session->result.counters.cut_executions > 0;
    session->result.search.leaving = loops ? LEAVES_FOR_LOOPS : LEAVES_FOR_SIZE;
    session->live.stop = true;
    run->stages.left_ms = now;
}

/* --- whether another one follows ------------------------------------------------------------ */

/* The program cannot be tested, or not by states. */
static bool has_failed(const struct run *run) {
    const struct result *result = &run->session->result;
    return result->failure.text[0] || result->difference.text[0];
}

static bool lacks_states(const struct run *run) {
    return run->stages.count == 1 && run->session->result.search.stateless;
}

static bool is_interrupted(const struct run *run) {
    enum stopped stopped = run->session->result.search.stopped;
    bool share_is_over = stopped == STOPPED_BY_TIMEOUT && run->stages.count == 1;
    return stopped != STOPPED_NOT && !share_is_over;
}

static bool budget_is_left(const struct run *run) {
    const struct options *first = &run->stages.options;
    uint64_t done = counters_begun(&run->session->result.counters);
    return (first->max_executions == 0 || done < run->stages.executions_left) &&
           (first->timeout_ms == 0 || now_ms() < run->findings.end_ms);
}

/* The first stage has neither left the search nor lost a part of it. */
static bool first_is_enough(const struct run *run) {
    const struct result *result = &run->session->result;
    return run->stages.count == 0 && result->search.leaving == LEAVES_NOT &&
           result->counters.cut_executions == 0;
}

/* Whether executions end is all that is open. Samples cannot show that they do not. */
static bool only_ends_are_open(const struct omissions *omissions) {
    for (uint32_t i = 0; i < omissions->count; i++) {
        enum omission_kind kind = omissions->list[i].kind;
        bool about_ends = kind == OMISSION_NOTHING_COMPLETE || kind == OMISSION_PROGRESS;
        if (omission_weight(kind) >= WEIGHT_UNDECIDED && !about_ends)
            return false;
    }
    return true;
}

static bool is_decided(const struct run *run, const struct judgement *judgement) {
    return run->stages.count > 0 && !has_failed(run) && only_ends_are_open(&judgement->omissions);
}

static bool may_follow(const struct run *run) {
    bool found = run->findings.reported.count > 0 && !run->options.engine.keep_going;
    bool found_unsuppressed = run->findings.reported.count > 0 && run->options.engine.asks;
    return run->stages.options.leaves && run->stages.count + 1 < STAGES_MAX && !found &&
           !found_unsuppressed && !is_interrupted(run) && budget_is_left(run) &&
           (!has_failed(run) || lacks_states(run));
}

/* --- from one to the next ------------------------------------------------------------------- */

static void add(struct run *run, const struct judgement *judgement) {
    struct stages *stages = &run->stages;
    const struct result *result = &run->session->result;
    struct stage *stage = &stages->list[stages->count++];
    snprintf(stage->strategy, sizeof stage->strategy, "%s", run->session->request.options.strategy);
    stage->judgement = *judgement;
    stage->executions = result->counters.executions;
    stage->states = result->reached.strata.states;
    stage->findings = run->findings.reported.count - stages->reported;
    stage->seconds = stages->seconds + run->supervision.seconds - stages->listed_seconds;
    stages->listed_seconds += stage->seconds;
    stages->reported = run->findings.reported.count;
}

/* The tips are about the loops that were met, so they come from the first stage, whose session
 * knows the loops. */
static void keep_tips(struct run *run, const struct judgement *judgement) {
    rounds_look_at_last(run->session);
    if (run->stages.count > 0 || !tips_wanted(run->session, judgement))
        return;
    struct causes causes;
    causes_init(&causes, &run->findings.source);
    run->view.tip_count = tips_find(run->tips, &causes, judgement, &run->findings.source);
    causes_destroy(&causes);
}

/* Returns the words for the reason why the first stage was left. If the user has set --max-steps,
 * an execution that was cut off may well have an end. */
static const char *why(const struct run *run) {
    const struct result *result = &run->session->result;
    if (result->search.leaving == LEAVES_FOR_SIZE)
        return "would take far too long";
    return run->options.engine.max_steps_given && !leaving_grows_in_time(result)
               ? "cuts executions off (--max-steps)"
               : "meets loops that do not end";
}

static void tell(const struct run *run, const char *text) {
    if (!run->options.quiet)
        say_error(0, "%s", text);
}

/* Half of the budget that is left; the whole of it for the last stage. */
static void share_budget(struct run *run, uint32_t parts, uint64_t steps) {
    const struct options *first = &run->stages.options;
    struct options *options = &run->options.engine;
    uint64_t now = now_ms(), end = run->findings.end_ms;
    options->steps_max = first->timeout_ms || first->max_executions ? 0 : steps;
    if (first->timeout_ms > 0)
        options->timeout_ms = end > now + parts ? (uint32_t)((end - now) / parts) : 1;
    if (first->max_executions > 0) {
        uint64_t left = run->stages.executions_left;
        options->max_executions = left > parts ? left / parts : 1;
    }
}

static void count_executions(struct run *run) {
    uint64_t begun = counters_begun(&run->session->result.counters);
    uint64_t *left = &run->stages.executions_left;
    *left = *left > begun ? *left - begun : 0;
}

static void take(struct run *run, const struct strategy_info *strategy) {
    struct options *options = &run->options.engine;
    options->races = run->stages.options.races;
    options->races_by_states = run->stages.options.races_by_states;
    options_take_strategy(options, strategy->name);
    options->leaves = strategy_has(strategy, EXHAUSTIVE);
    options->stage = run->stages.count;
}

static void go_to_states(struct run *run) {
    char text[200];
    snprintf(text, sizeof text, "optimal %s; continuing with a search by states (--strategy=%s)",
             why(run), ses_strategy.name);
    snprintf(run->stages.earlier, sizeof run->stages.earlier, "optimal %s", why(run));
    tell(run, text);
    take(run, &ses_strategy);
    share_budget(run, 2, STATES_STEPS);
}

/* The heaviest omission is what kept the stage from a verdict. */
static const char *obstacle_of(const struct judgement *judgement) {
    const struct omissions *omissions = &judgement->omissions;
    for (uint32_t i = 0; i < omissions->count; i++)
        if (omission_weight(omissions->list[i].kind) == omissions_weight(omissions))
            return omissions->list[i].text;
    return "";
}

/* The length of the text without "; --strategy=optimal does", which was tried before. */
static int without_advice(const char *text) {
    const char *advice = strstr(text, "; --strategy=");
    return (int)(advice != NULL ? (size_t)(advice - text) : strlen(text));
}

/* Adds the result of the search by states to the text about the earlier stages. */
static void add_states(struct run *run, const char *states) {
    const struct stage *stage = &run->stages.list[run->stages.count - 1];
    const char *obstacle = obstacle_of(&stage->judgement);
    char *earlier = run->stages.earlier, count[COUNT_SIZE];
    size_t used = strlen(earlier);
    if (!has_failed(run) && run->session->result.search.exhausted &&
        omissions_weight(&stage->judgement.omissions) == WEIGHT_UNDECIDED)
        snprintf(earlier + used, EARLIER_TEXT - used, "; ses found no bug in %s, but %.*s",
                 say_count(stage->states, "state", count), without_advice(obstacle), obstacle);
    else
        snprintf(earlier + used, EARLIER_TEXT - used, "; %s", states);
}

static void go_to_samples(struct run *run) {
    const char *states = has_failed(run) ? "states cannot be compared" : "states did not decide";
    char text[200];
    snprintf(text, sizeof text, "%s; continuing with random executions (--strategy=%s)", states,
             random_strategy.name);
    add_states(run, states);
    tell(run, text);
    take(run, &random_strategy);
    share_budget(run, 1, SAMPLE_STEPS);
    if (run->options.engine.timeout_ms == 0 && run->options.engine.max_executions == 0)
        run->options.engine.max_executions = DEFAULT_RANDOM_EXECUTIONS;
}

void stages_count_time(struct run *run) {
    run->stages.seconds += run->supervision.seconds;
    run->stages.cpu_seconds += run->supervision.cpu_seconds;
}

bool stages_go_on(struct run *run) {
    if (run->stages.count == 0) {
        run->stages.options = run->options.engine;
        run->stages.executions_left = run->options.engine.max_executions;
    }
    if (first_is_enough(run) || !may_follow(run))
        return false;
    struct judgement judgement = run_judge(run);
    if (is_decided(run, &judgement))
        return false;
    keep_tips(run, &judgement);
    count_executions(run);
    add(run, &judgement);
    stages_count_time(run);
    if (run->stages.count == 1)
        go_to_states(run);
    else
        go_to_samples(run);
    return true;
}

void stages_before_judgement(struct run *run) {
    const struct strategy_info *last = strategy_named(run->session->request.options.strategy);
    if (!strategy_has(last, EXHAUSTIVE))
        memcpy(run->session->result.search.earlier, run->stages.earlier, EARLIER_TEXT);
}

void stages_end(struct run *run, const struct judgement *judgement) {
    add(run, judgement);
    run->supervision.seconds += run->stages.seconds;
    run->supervision.earlier_seconds = run->stages.seconds;
    run->supervision.cpu_seconds += run->stages.cpu_seconds;
}
