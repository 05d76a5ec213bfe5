/* tips.c - see tips.h. A tip is a function that looks at what was measured and writes its text, or does
 * not; a new one is a row in the table, in the order of what helps most. Nothing is said of the program
 * that was not seen: what only its author knows stands behind an "if". */
#define _GNU_SOURCE
#include "cli/tips.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/rounds.h"
#include "cli/say.h"
#include "cli/sound.h"
#include "strategies/strategies.h"

enum {
    LARGE = 10000, /* executions: fewer of them are over in a blink */
    FEW = 20,      /* branches: shares of fewer say nothing */
    MOST = 50,     /* percent */
    MUCH = 20,
    ENOUGH = 1000, /* steps of an execution that does not go round, */
    LONGER = 4     /* and how much longer than the first it may be */
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

/* Executions were cut off, or get longer and longer, or one was too long to be ended: there may be no
 * end to them. */
static bool unending(const struct session *session, const struct judgement *judgement) {
    const struct rounds *rounds = &session->rounds;
    uint64_t begun = session_begun(&session->counters), cut = session->counters.cut_executions;
    bool searched = judgement->verdict == VERDICT_BUDGET ||
                    judgement->verdict == VERDICT_UNDECIDED ||
                    judgement->verdict == VERDICT_BOUNDED ||
                    (judgement->verdict == VERDICT_BUG && session->options.keep_going);
    if (!searched || !options_exhaustive(&session->options) || !sound_rounds(session))
        return false;
    if (session->options.max_steps_given)
        cut = begun && cut * 100 / begun >= MUCH && rounds->task_count > 0;
    bool too_long = rounds->task_count > 0 && rounds->execution > begun;
    return cut > 0 || (judgement->verdict == VERDICT_BUDGET && (too_long || rounds_grow(rounds)));
}

bool tips_wanted(const struct session *session, const struct judgement *judgement) {
    if (unending(session, judgement))
        return true;
    if (session->branches == NULL || !sound_branches(session) || session->branches->planned < FEW)
        return false;
    if (judgement->verdict == VERDICT_BUDGET)
        return true;
    bool searched = judgement->verdict != VERDICT_BUG || session->options.keep_going;
    return searched && session_begun(&session->counters) >= LARGE;
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

/* Of branches by choices of that tag, or by races with an operation of these kinds; in percent of all. */
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

/* The object, or family of objects, behind most branches, if operations of these kinds alone race for
 * it; NULL if not so. */
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

/* Whether those who go round try something there. */
static bool rounds_try(const struct rounds *rounds) {
    op_set kinds = 0;
    for (uint32_t i = 0; i < rounds->task_count; i++)
        for (uint32_t at = 0; at < rounds->tasks[i].place_count; at++)
            kinds |= op_bit(rounds->tasks[i].places[at].kind);
    return (kinds & TRIES) != 0;
}

/* --- the tips ------------------------------------------------------------------------------- */

/* Who goes round, where. */
static bool rounds(const struct view *view, struct tip *tip) {
    char number[GROUPED_SIZE], steps[COUNT_SIZE], *who = NULL;
    const struct rounds *rounds = &view->session->rounds;
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
              "a count of its tries, or reads too much (docs/CONTROLLED.md, limits).");
    free(who);
    return true;
}

static bool loops(const struct view *view, struct tip *tip) {
    char cut[GROUPED_SIZE], steps[COUNT_SIZE];
    const struct session *session = view->session;
    if (!unending(session, view->judgement))
        return false;
    if (session->rounds.task_count > 0)
        return rounds(view, tip);
    return say(tip,
               "executions longer than %s: %s. Mostly that is a loop that polls and "
               "changes something each time, such as a count of its tries; see docs/TOO_BIG.md.",
               say_count(session->options.max_steps, "step", steps),
               say_grouped(session->counters.cut_executions, cut));
}

/* So that what is as long as the first execution is not cut, unless that goes round itself. */
static uint32_t enough_steps(const struct rounds *rounds) {
    bool longer = rounds->execution > 1 && rounds->first_steps > ENOUGH / LONGER;
    return longer && rounds_grow(rounds) ? LONGER * rounds->first_steps : ENOUGH;
}

/* A search by states knows a round that leads back to a state, but completes nothing within a bound on
 * steps. Of the bounds it takes two: by delays no task goes on for ever against another, by steps none
 * does alone. */
static bool ends(const struct view *view, struct tip *tip) {
    const struct options *options = &view->session->options;
    char states[160] = "", delays[48] = "", steps[32] = "";
    if (!unending(view->session, view->judgement))
        return false;
    if (!view->session->strata.on)
        snprintf(states, sizeof states,
                 "--strategy=%s visits each state once, and so ends where such a loop comes back "
                 "to a state. ",
                 ses_strategy.name);
    /* The unreduced search: from a reduction, what is cut off hides other orders. */
    if (options->delays < 0 || !strategy_named(options->strategy)->unreduced)
        snprintf(delays, sizeof delays, "--strategy=%s --delays=2 ", dfs_strategy.name);
    if (!options->max_steps_given)
        snprintf(steps, sizeof steps, "--max-steps=%u ", enough_steps(&view->session->rounds));
    const char *none = delays[0] || steps[0] ? "" : "A smaller bound ";
    return say(tip, "%s%s%s%sends the search for what lies within.", states, none, delays, steps);
}

static bool blocked(const struct view *view, struct tip *tip) {
    const struct session_counters *counters = &view->session->counters;
    uint64_t begun = session_begun(counters), vain = counters->blocked_executions;
    if (begun == 0 || vain * 100 / begun < MUCH)
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
               "%u %% of the branches are about atomic sections: a section counts as touching "
               "everything, so its order with all else is tried. A mutex is raced for by its own "
               "users only.",
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
    if (share < MUCH || !view->session->options.spurious_wakeups)
        return false;
    return say(tip,
               "%u %% of the branches are about how a wait ends; without --spurious-wakeups "
               "there are fewer ways.",
               share);
}

/* The lines behind most branches; of a lock that was said already. */
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
        "the surest cut is a smaller test: a thread or a round less that comes by %.300s. There "
        "are up to %s and %s.",
        text, say_count(view->session->counters.tasks_max, "task", tasks),
        say_count(view->session->counters.depth_max, "step", steps));
    free(text);
    return true;
}

static bool bound(const struct view *view, struct tip *tip) {
    if (view->judgement->verdict != VERDICT_BUDGET || view->session->options.divergences >= 0 ||
        unending(view->session, view->judgement))
        return false;
    return say(tip, "the search did not end: --divergences=2 bounds it to what is near the first "
                    "execution, --strategy=random samples all of it.");
}

static const struct {
    const char *name;
    bool (*write)(const struct view *view, struct tip *tip);
    bool by_causes; /* it needs to know what made the search branch */
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
