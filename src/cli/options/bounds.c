/* bounds.c - see bounds.h.
 *
 * A reduction that explores one execution a trace cannot keep to a bound on switches: finding the
 * cheapest execution of a trace is NP-complete (002, section 5.1). So without a strategy by name,
 * such a bound takes `source`, which explores more than one and finds all that the bound allows. */
#include "cli/options/bounds.h"

#include <string.h>

#include "cli/base/say.h"
#include "strategies/strategies.h"

static bool exclude(const char *first, const char *second) {
    say_error(0, "'--%s' and '--%s' exclude each other: one bound at a time", first, second);
    return false;
}

/* Returns BOUND_KINDS after one line on stderr. */
static enum bound_kind given_kind(const struct options *options) {
    enum bound_kind given = BOUND_NONE;
    for (enum bound_kind kind = BOUND_NONE + 1; kind < BOUND_KINDS; kind++) {
        if (!bound_given(options, kind))
            continue;
        if (given != BOUND_NONE) {
            exclude(bound_name(given), bound_name(kind));
            return BOUND_KINDS;
        }
        given = kind;
    }
    return given;
}

static bool settle_deepen(struct run_options *options, enum bound_kind given) {
    enum bound_kind kind = given != BOUND_NONE ? given : BOUND_PREEMPTIONS;
    if (options->deepen == NULL)
        return true;
    if (options->deepen[0])
        kind = bound_named(options->deepen);
    if (kind == BOUND_NONE) {
        say_error(0, "bad value '%s' for '--deepen': preemptions, delays or divergences is needed",
                  options->deepen);
        return false;
    }
    options->deepen = bound_name(kind);
    options->engine.deepen = kind;
    if (given == BOUND_NONE || given == kind)
        return true;
    char deepen[32];
    snprintf(deepen, sizeof deepen, "deepen=%s", options->deepen);
    return exclude(deepen, bound_name(given));
}

static bool keeps_to(const struct strategy_info *strategy, enum bound_kind kind) {
    return strategy->bounds >> kind & 1;
}

static const char *default_strategy(enum bound_kind kind) {
    return keeps_to(&optimal_strategy, kind) ? optimal_strategy.name : source_strategy.name;
}

static bool refuse(const char *strategy, enum bound_kind kind) {
    char list[256] = "";
    for (const struct strategy_info *const *at = strategies; *at != NULL; at++)
        if (keeps_to(*at, kind))
            snprintf(list + strlen(list), sizeof list - strlen(list), " %s", (*at)->name);
    say_error(0, "a bound on %s does not go with --strategy=%s, but with:%s (%s by default)",
              bound_name(kind), strategy, list, default_strategy(kind));
    return false;
}

/* Only a strategy that comes to an end can raise a bound step by step, unless it does so by
 * itself. */
static bool can_deepen(const struct strategy_info *strategy) {
    return strategy_has(strategy, EXHAUSTIVE) && !strategy_has(strategy, GOES_BY_STATES);
}

bool bounds_go_with(const struct run_options *options, const struct strategy_info *strategy) {
    const struct options *engine = &options->engine;
    enum bound_kind kind = engine->deepen;
    for (enum bound_kind given = BOUND_NONE + 1; kind == BOUND_NONE && given < BOUND_KINDS; given++)
        if (bound_given(engine, given))
            kind = given;
    return kind == BOUND_NONE ||
           (keeps_to(strategy, kind) && (engine->deepen == BOUND_NONE || can_deepen(strategy)));
}

bool bounds_settle(struct run_options *options, bool strategy_named_by_user) {
    struct options *engine = &options->engine;
    enum bound_kind kind = given_kind(engine);
    if (kind == BOUND_KINDS || !settle_deepen(options, kind))
        return false;
    if (engine->deepen != BOUND_NONE)
        kind = engine->deepen;
    if (kind == BOUND_NONE)
        return true;
    if (!strategy_named_by_user)
        strcpy(engine->strategy, default_strategy(kind));
    const struct strategy_info *strategy = strategy_named(engine->strategy);
    if (!keeps_to(strategy, kind))
        return refuse(engine->strategy, kind);
    if (engine->deepen != BOUND_NONE && strategy_has(strategy, GOES_BY_STATES)) {
        say_error(0, "%s raises its bound by itself: '--%s=N' says how far", strategy->name,
                  bound_name(kind));
        return false;
    }
    if (engine->deepen == BOUND_NONE || strategy_has(strategy, EXHAUSTIVE))
        return true;
    say_error(0, "'--deepen' needs a strategy that comes to an end; %s does not", strategy->name);
    return false;
}
