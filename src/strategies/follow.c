/* follow.c - see follow.h. */
#include "strategies/follow.h"

#include "event/op.h"
#include "event/op_kind.h"
#include "strategies/switches.h"

void follow_begin(struct follow *follow, const struct decision *wishes, uint32_t count) {
    *follow = (struct follow){.wishes = wishes, .count = count};
}

void follow_resume(struct follow *follow, uint32_t decisions) {
    follow->position = decisions;
}

/* An operation is new if it is not among the next AHEAD wishes of its task. Skipping to one of
 * those would lose the others. More than EXTRA new operations in a row are no small change: the
 * program is another one, or is in a loop. */
enum { AHEAD = 8, EXTRA = 64 };

static bool is_new(const struct follow *follow, uint32_t task, uint8_t kind) {
    uint32_t seen = 0;
    for (uint32_t i = follow->position; i < follow->count && seen < AHEAD; i++) {
        const struct decision *wish = &follow->wishes[i];
        if (wish->tag != CHOICE_SCHEDULE || wish->chosen != task)
            continue;
        if (follow->kinds[i] == kind)
            return false;
        seen++;
    }
    return follow->extra < EXTRA;
}

static bool fits(const struct follow *follow, uint8_t kind) {
    uint8_t then = follow->kinds == NULL ? OP_KINDS : follow->kinds[follow->position];
    return then == OP_KINDS || then == kind;
}

static uint32_t pick_task(struct follow *follow, const struct choice *choice) {
    for (; follow->position < follow->count; follow->position++) {
        const struct decision *wish = &follow->wishes[follow->position];
        uint32_t option = choice->count;
        if (wish->tag == CHOICE_SCHEDULE)
            option = choice_of_task(choice, wish->chosen);
        if (option < choice->count && fits(follow, choice->pending[option].op->kind)) {
            follow->position += wish->count != FOLLOW_ON;
            follow->extra = 0;
            return option;
        }
        if (option < choice->count &&
            is_new(follow, wish->chosen, choice->pending[option].op->kind)) {
            follow->extra++;
            return option;
        }
        follow->skipped += wish->tag != CHOICE_SCHEDULE || wish->count != FOLLOW_ON;
    }
    return switch_first(choice);
}

static uint32_t pick_value(struct follow *follow, const struct choice *choice) {
    const struct decision *wish = &follow->wishes[follow->position];
    if (follow->position >= follow->count || wish->tag != choice->tag)
        return 0;
    follow->position++;
    if (wish->chosen < choice->count)
        return wish->chosen;
    follow->skipped++;
    return choice->count - 1;
}

uint32_t follow_pick(struct follow *follow, const struct choice *choice) {
    return choice->tag == CHOICE_SCHEDULE ? pick_task(follow, choice) : pick_value(follow, choice);
}

uint32_t follow_common(const struct decision *wishes, uint32_t count,
                       const struct execution *execution) {
    uint32_t at = 0;
    while (at < count && at < execution->decision_count && wishes[at].count != FOLLOW_ON &&
           wishes[at].tag == execution->decisions[at].tag &&
           wishes[at].chosen == execution->decisions[at].chosen)
        at++;
    return at;
}
