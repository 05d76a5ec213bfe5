/* tips.c - see tips.h. A tip is a function that examines the measurements, and writes its text if
 * the tip applies. A new tip is a row in the table; the most helpful ones come first. A tip claims
 * nothing about the program that was not seen. If only the author of the program can know
 * something, the text says "if". */
#define _GNU_SOURCE
#include "cli/explain/tips.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/explain/rounds.h"
#include "cli/base/say.h"
#include "cli/options/options.h"
#include "cli/supervise/sound.h"
#include "strategies/strategies.h"

enum {
    LARGE = 10000, /* executions; a smaller search needs no tips */
    FEW = 20,      /* branches; shares of fewer branches mean nothing */
    MOST = 50,     /* percent */
    MUCH = 20,
    ENOUGH = 1000,      /* enough steps for an execution that does not go round */
    TOO_MANY = 10000,   /* steps: two delays among them have too many places */
    OPTIONS_SIZE = 100, /* of the text of some options */
    LONGER = 4          /* how much longer than the shortest execution another one may be */
};

#define BIT(kind) op_bit(OP_##kind)
#define PLAIN (BIT(PLAIN_READ) | BIT(PLAIN_WRITE))
#define TRIES \
    (BIT(TRYLOCK) | BIT(SPIN_TRYLOCK) | BIT(TRY_READ_LOCK) | BIT(TRY_WRITE_LOCK) | \
     BIT(SEM_TRYWAIT) | BIT(TRY_RECEIVE))
#define TAKES_MUTEX (BIT(LOCK) | BIT(COND_WAKE) | BIT(COND_SLEEP))

struct view {
    const struct causes *causes;
    const struct judgement *judgement;
    const struct session *session;
    const struct collect_source *source;
};

/* Executions were cut off, or get longer and longer, or one was too long to end. So the search may
 * have no end. */
static bool unending(const struct session *session, const struct judgement *judgement) {
    const struct rounds *rounds = &session->result.scale.rounds;
    uint64_t begun = counters_begun(&session->result.counters),
             cut = session->result.counters.cut_executions;
    bool searched = judgement->verdict == VERDICT_BUDGET ||
                    judgement->verdict == VERDICT_UNDECIDED ||
                    judgement->verdict == VERDICT_BOUNDED ||
                    (judgement->verdict == VERDICT_BUG && session->request.options.keep_going);
    if (!searched || !options_exhaustive(&session->request.options) || !sound_rounds(session))
        return false;
    if (session->request.options.max_steps_given)
        cut = begun && cut * 100 / begun >= MUCH && rounds->task_count > 0;
    bool too_long = rounds->task_count > 0 && rounds->execution > begun;
    return cut > 0 || (judgement->verdict == VERDICT_BUDGET && (too_long || rounds_grow(rounds)));
}

bool tips_wanted(const struct session *session, const struct judgement *judgement) {
    if (unending(session, judgement))
        return true;
    if (session->result.records.branches == NULL || !sound_branches(session) ||
        session->result.records.branches->planned < FEW)
        return false;
    if (judgement->verdict == VERDICT_BUDGET)
        return true;
    bool searched = judgement->verdict != VERDICT_BUG || session->request.options.keep_going;
    return searched && counters_begun(&session->result.counters) >= LARGE;
}

__attribute__((format(printf, 2, 3))) static bool say(struct tip *tip, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(tip->text, sizeof tip->text, format, arguments);
    va_end(arguments);
    for (char *at = tip->text; *at; at++)
        if ((unsigned char)*at < 0x20 || *at == 0x7f) /* names come from the tested program */
            *at = ' ';
    return true;
}

/* --- what was measured ---------------------------------------------------------------------- */

/* The percentage of branches that are choices with this tag, or races with an operation of these
 * kinds. */
static uint32_t share_of(const struct view *view, enum choice_tag tag, op_set kinds) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < view->causes->row_count; i++) {
        const struct branch_row *row = view->causes->rows[i];
        op_set own = op_bit(row->kinds[0]) | op_bit(row->kinds[1]);
        if (row->tag == tag && (tag != CHOICE_SCHEDULE || (own & kinds) != 0))
            count += row->count;
    }
    return causes_share(view->causes, count);
}

/* The object, or the family of objects, of most branches, if only operations of these kinds race
 * for it. Otherwise NULL. */
static const char *dominated_by(const struct view *view, op_set kinds, uint32_t *share) {
    const struct cause *list = view->causes->list;
    const char *name = NULL;
    uint64_t count = 0;
    for (uint32_t i = 0; i < view->causes->count; i++) {
        const struct branch_row *row = list[i].row;
        if (row->object == 0 || strcmp(list[i].family, list[0].family) != 0)
            continue;
        if ((list[i].kinds & ~kinds) != 0 || row->tag != CHOICE_SCHEDULE)
            return NULL;
        bool same = name == NULL || strcmp(name, list[i].object) == 0;
        name = same ? list[i].object : list[i].family;
        count += list[i].count;
    }
    *share = causes_share(view->causes, count);
    return *share >= MOST ? name : NULL;
}

/* Whether the tasks that go round make attempts (for example a trylock) there. */
static bool rounds_try(const struct rounds *rounds) {
    op_set kinds = 0;
    for (uint32_t i = 0; i < rounds->task_count; i++)
        for (uint32_t at = 0; at < rounds->tasks[i].place_count; at++)
            kinds |= op_bit(rounds->tasks[i].places[at].kind);
    return (kinds & TRIES) != 0;
}

/* Whether an attempt has raced with another operation. */
static bool branches_try(const struct causes *causes) {
    for (uint32_t i = 0; i < causes->row_count; i++) {
        const struct branch_row *row = causes->rows[i];
        op_set kinds = op_bit(row->kinds[0]) | op_bit(row->kinds[1]);
        if (row->tag == CHOICE_SCHEDULE && (kinds & TRIES) != 0)
            return true;
    }
    return false;
}

/* --- the tips ------------------------------------------------------------------------------- */

/* Names the tasks that go round, and their places. */
static bool rounds(const struct view *view, struct tip *tip) {
    char number[GROUPED_SIZE], steps[COUNT_SIZE], *who = NULL;
    const struct rounds *rounds = &view->session->result.scale.rounds;
    size_t length;
    FILE *out = open_memstream(&who, &length);
    if (out == NULL)
        return false;
    rounds_print(view->source, out);
    fclose(out);
    say(tip, "execution %s has %s: %.250s. %s", say_grouped(rounds->execution, number),
        say_count(rounds->steps, "step", steps), who,
        rounds_try(rounds)
            ? "If that is to try, let go and try again, it can go on for ever, and so can the "
              "search."
            : "A loop that polls is not seen to wait if it changes something each time, such as "
              "a count of its tries, if it reads a clock, or if it reads too much "
              "(docs/CONTROLLED.md, limits).");
    free(who);
    return true;
}

static bool loops(const struct view *view, struct tip *tip) {
    char cut[GROUPED_SIZE], steps[COUNT_SIZE];
    const struct session *session = view->session;
    if (!unending(session, view->judgement))
        return false;
    if (session->result.scale.rounds.task_count > 0)
        return rounds(view, tip);
    return say(tip,
               "executions longer than %s: %s. Mostly that is a loop that polls and "
               "changes something each time, such as a count of its tries; see docs/TOO_BIG.md.",
               say_count(session->request.options.max_steps, "step", steps),
               say_grouped(session->result.counters.cut_executions, cut));
}

/* A bound on steps that does not cut off executions a few times as long as the shortest complete
 * one, in thousands. */
static uint32_t enough_steps(const struct view *view) {
    uint64_t steps = (uint64_t)LONGER * view->session->result.scale.least_steps;
    return steps <= ENOUGH ? ENOUGH : (uint32_t)((steps + ENOUGH - 1) / ENOUGH * ENOUGH);
}

/* A search by states finds the data races that a state shows. It cannot find one behind an
 * operation that passes on information without an order (a relaxed atomic, a failed try), so it is
 * no advice where such a race is possible. */
static bool states_may_miss_races(const struct view *view) {
    const struct result *result = &view->session->result;
    return view->session->request.options.races == RACES_REPORT && result->observed.threads &&
           !result->observed.machines &&
           (result->observed.weak_orders || rounds_try(&result->scale.rounds) ||
            branches_try(view->causes));
}

/* A search by states is named only if it was not made, will not be made by the next stage, and can
 * find all bugs. */
static bool states_are_worth_it(const struct view *view) {
    return !view->session->result.reached.strata.on && !view->session->request.options.leaves &&
           options_go_with(view->source->options, &ses_strategy) && !states_may_miss_races(view);
}

/* A bound on switches that the user has set or has raised step by step. */
static bool has_bound(const struct options *options) {
    return options->preemptions >= 0 || options->delays >= 0 || options->divergences >= 0 ||
           options->deepen != BOUND_NONE;
}

/* The user's option that excludes a bound on delays; empty if there is none. */
static const char *excludes_delays(const struct options *options) {
    return options->deepen != BOUND_NONE ? "--deepen"
           : options->preemptions >= 0   ? "--preemptions"
           : options->divergences >= 0   ? "--divergences"
                                         : "";
}

static bool goes_with_delays(const struct view *view) {
    struct run_options without = *view->source->options;
    without.engine.deepen = BOUND_NONE;
    without.engine.preemptions = without.engine.divergences = -1;
    return options_go_with(&without, &dfs_strategy);
}

/* The options that end the search for what lies within, as far as they are missing. The unreduced
 * search: in a reduction, an execution that is cut off hides other orders. With a bound on delays,
 * no task goes on for ever while others wait; with one on steps, no task does so alone. */
static bool bounding_options(const struct view *view, char text[OPTIONS_SIZE]) {
    const struct options *options = &view->session->request.options;
    const char *instead = excludes_delays(options);
    bool delays = options->delays >= 0 && !instead[0];
    bool unreduced = delays && strategy_has(strategy_named(options->strategy), UNREDUCED);
    char steps[32] = "";
    if (!goes_with_delays(view) || (!options->max_steps_given && enough_steps(view) > TOO_MANY))
        return false;
    if (!options->max_steps_given)
        snprintf(steps, sizeof steps, "--max-steps=%u ", enough_steps(view));
    snprintf(text, OPTIONS_SIZE, "%s%s%s%s%s%s", unreduced ? "" : "--strategy=dfs ",
             delays ? "" : "--delays=2 ", steps, instead[0] ? "in place of " : "", instead,
             instead[0] ? " " : "");
    return true;
}

/* If every execution was cut off, it is not known whether the program is endless, or only long. */
static const char *if_long(const struct view *view) {
    const struct result *result = &view->session->result;
    return result->scale.least_steps == 0 && result->counters.cut_executions > 0
               ? "No execution has come to its end. If the program is not endless, but long, it "
                 "needs a larger --max-steps or, better, less to do. "
               : "";
}

/* A search that remembers states recognises a round that leads back to a state, but it completes
 * nothing within a bound on steps. So there are two ways to an end. */
static bool ends(const struct view *view, struct tip *tip) {
    const char *long_one = if_long(view);
    char states[160] = "", options[OPTIONS_SIZE], bounds[OPTIONS_SIZE + 60] = "";
    if (!unending(view->session, view->judgement))
        return false;
    if (states_are_worth_it(view))
        snprintf(states, sizeof states,
                 "--strategy=%s visits each state once, and so ends where such a loop comes back "
                 "to a state. ",
                 ses_strategy.name);
    if (bounding_options(view, options))
        snprintf(bounds, sizeof bounds, "%sends the search for what lies within.",
                 options[0] ? options : "A smaller bound ");
    return (long_one[0] || states[0] || bounds[0]) && say(tip, "%s%s%s", long_one, states, bounds);
}

static bool blocked(const struct view *view, struct tip *tip) {
    const struct counters *counters = &view->session->result.counters;
    uint64_t begun = counters_begun(counters), vain = counters->blocked_executions;
    if (begun == 0 || vain * 100 / begun < MUCH ||
        !options_go_with(view->source->options, &optimal_strategy))
        return false;
    return say(tip,
               "%llu %% of the executions were begun in vain (blocked by sleep sets): "
               "--strategy=%s begins none of them.",
               (unsigned long long)(vain * 100 / begun), optimal_strategy.name);
}

static bool plain(const struct view *view, struct tip *tip) {
    uint32_t share = share_of(view, CHOICE_SCHEDULE, PLAIN);
    if (share < MUCH)
        return false;
    return say(tip,
               "%u %% of the branches are about plain accesses, which are operations by "
               "--races=explore only. --races=report, the default, does without them: it finds "
               "data races as bugs.",
               share);
}

static bool counter(const struct view *view, struct tip *tip) {
    uint32_t share;
    const char *name = dominated_by(view, BIT(RMW), &share);
    if (name == NULL)
        return false;
    return say(tip,
               "%u %% of the branches are about who changes %.100s first, and nothing but "
               "read-modify-writes races for it. If no outcome depends on that (a statistics "
               "counter, a source of numbers), leave it out of the test or give each thread its "
               "own.",
               share, name);
}

static bool lock(const struct view *view, struct tip *tip) {
    uint32_t share;
    const char *name = dominated_by(view, TAKES_MUTEX, &share);
    if (name == NULL)
        return false;
    return say(
        tip,
        "%u %% of the branches are about who locks %.100s next: the fewer critical sections of "
        "it the test has (threads, rounds), the fewer orders.",
        share, name);
}

static bool sections(const struct view *view, struct tip *tip) {
    uint32_t share = share_of(view, CHOICE_SCHEDULE, BIT(ATOMIC));
    if (share < MUCH)
        return false;
    return say(tip,
               "%u %% of the branches are about atomic sections. A section that uses locks, makes "
               "choices, or may call functions whose accesses are not seen counts as touching "
               "everything, so its order with all else is tried: docs/CONTROLLED.md.",
               share);
}

static bool tries(const struct view *view, struct tip *tip) {
    uint32_t share = share_of(view, CHOICE_SCHEDULE, TRIES);
    if (share < MUCH)
        return false;
    return say(tip,
               "%u %% of the branches are about operations that only try (trylock and the like), "
               "which race with the unlock too. Where the test need not see them fail, one that "
               "waits has fewer orders.",
               share);
}

static bool values(const struct view *view, struct tip *tip) {
    uint32_t share = share_of(view, CHOICE_VALUE, 0);
    if (share < MUCH)
        return false;
    return say(tip,
               "%u %% of the branches are values of heddle_choose: fewer values to choose from, "
               "or fewer choices, divide the number of executions.",
               share);
}

static bool waits(const struct view *view, struct tip *tip) {
    uint32_t share = share_of(view, CHOICE_TIMEOUT, 0);
    if (share < MUCH || !view->session->request.options.spurious_wakeups)
        return false;
    return say(tip,
               "%u %% of the branches are about how a wait ends; without --spurious-wakeups "
               "there are fewer ways.",
               share);
}

/* Names the lines of most branches. For a lock, another tip does so. */
static bool fewer(const struct view *view, struct tip *tip) {
    char *text = NULL, tasks[COUNT_SIZE], steps[COUNT_SIZE];
    size_t length;
    uint32_t share;
    const struct cause *top = view->causes->count ? &view->causes->list[0] : NULL;
    if (top == NULL || top->row->tag != CHOICE_SCHEDULE || top->places[0] == NULL ||
        dominated_by(view, TAKES_MUTEX, &share) != NULL)
        return false;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL)
        return false;
    causes_print_place(top->places[0], "", out);
    if (causes_compare_places(top->places[0], top->places[1]) != 0)
        causes_print_place(top->places[1], " and ", out);
    fclose(out);
    say(tip,
        "the surest way is a smaller test: let one thread or round fewer reach %.300s. There are "
        "up to %s and %s.",
        text, say_count(view->session->result.counters.tasks_max, "task", tasks),
        say_count(view->session->result.counters.depth_max, "step", steps));
    free(text);
    return true;
}

/* Only what the user's other options allow, and what the next stages do not do. */
static bool bound(const struct view *view, struct tip *tip) {
    const struct options *options = &view->session->request.options;
    const struct strategy_info *strategy = strategy_named(options->strategy);
    bool near = !has_bound(options) && strategy->bounds >> BOUND_DIVERGENCES & 1;
    bool samples = options_go_with(view->source->options, &random_strategy) &&
                   view->session->result.search.leaving == LEAVES_NOT;
    if (view->judgement->verdict != VERDICT_BUDGET || options->divergences >= 0 ||
        unending(view->session, view->judgement) || (!near && !samples))
        return false;
    return say(tip, "the search did not end: %s%s%s.",
               near ? "--divergences=2 bounds it to what is near the first execution" : "",
               near && samples ? ", " : "", samples ? "--strategy=random samples all of it" : "");
}

static const struct {
    const char *name;
    bool (*write)(const struct view *view, struct tip *tip);
    bool by_causes; /* the tip needs the causes of branches */
} table[] = {
    {"loop", loops, false},      {"end", ends, false},       {"blocked", blocked, true},
    {"plain", plain, true},      {"counter", counter, true}, {"lock", lock, true},
    {"section", sections, true}, {"try", tries, true},       {"choose", values, true},
    {"spurious", waits, true},   {"smaller", fewer, true},   {"bound", bound, true},
};

uint32_t tips_find(struct tip tips[TIPS_MAX], const struct causes *causes,
                   const struct judgement *judgement, const struct collect_source *source) {
    const struct view view = {causes, judgement, source->session, source};
    uint32_t count = 0;
    for (uint32_t i = 0; i < sizeof table / sizeof *table && count < TIPS_MAX; i++) {
        if (table[i].by_causes && causes->branches == NULL)
            continue;
        tips[count].name = table[i].name;
        if (table[i].write(&view, &tips[count]))
            count++;
    }
    return count;
}
