/* foresight.c - see foresight.h. */
#include "strategies/strata/foresight.h"

#define NO_OPTION UINT32_MAX

static bool can_foresee(const struct search *self, const struct choice *choice) {
    return choice->tag == CHOICE_SCHEDULE && self->base.inputs->foreseeing != NULL &&
           self->cost->is_taken != NULL && self->cost->key == NULL &&
           !visited_is_full(&self->visited);
}

/* Whether the state with this mark comes behind the one at hand, or an end is known to. */
static bool is_settled(const struct search *self, const struct fingerprint *state, uint32_t mark) {
    bool is_behind = ends_level(mark) > self->level && ends_level(mark) < LEVEL_MAX;
    if (!self->ends.tracked)
        return is_behind;
    self->strata->rounds |= !is_behind;
    return ends_known(&self->ends, state, mark, self->level);
}

/* Where an option leads. */
struct next {
    bool known;
    struct fingerprint state;
};

/* Memory is slow: so the set is told before it is asked. */
static struct next look_at(const struct search *self, const struct choice *choice,
                           uint32_t option) {
    struct next next;
    next.known =
        system_foresees(self->base.inputs->foreseeing, choice->pending[option].task, &next.state);
    if (next.known)
        visited_expect(&self->visited, &next.state);
    return next;
}

static bool is_seen(const struct search *self, const struct next *next) {
    uint32_t mark;
    return next->known && visited_read_note(&self->visited, &next->state, &mark) &&
           is_settled(self, &next->state, mark);
}

/* Explorers mostly go round. So the option before this one is the last, and the most likely one to
 * lead to a new state. Returns the next option before it that was not taken, or `last` itself. */
static uint32_t option_before(const struct search *self, const struct choice *choice,
                              uint32_t option, uint32_t last) {
    do
        option = (option > 0 ? option : choice->count) - 1;
    while (option != last && self->cost->is_taken(self->now.own, option));
    return option;
}

/* The set is told of some options before it is asked for the first of them. */
static bool are_others_seen(const struct search *self, const struct choice *choice,
                            uint32_t option) {
    enum { AHEAD = 4 };
    struct next ahead[AHEAD];
    uint32_t last = option, told = 0, asked = 0;
    for (;;) {
        while (last != NO_OPTION && told < asked + AHEAD) {
            last = option_before(self, choice, last, option);
            if (last == option)
                last = NO_OPTION;
            else
                ahead[told++ % AHEAD] = look_at(self, choice, last);
        }
        if (asked == told)
            return true;
        if (!is_seen(self, &ahead[asked++ % AHEAD]))
            return false;
    }
}

struct foresight foresight_of(const struct search *self, const struct choice *choice,
                              uint32_t option) {
    struct foresight foresight = {false, false};
    if (!can_foresee(self, choice))
        return foresight;
    struct next next = look_at(self, choice, option);
    foresight.others_seen = are_others_seen(self, choice, option);
    foresight.seen = is_seen(self, &next);
    return foresight;
}
