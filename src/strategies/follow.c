/* follow.c - see follow.h. */
#include "strategies/follow.h"

#include "strategies/switches.h"

void follow_begin(struct follow *follow, const struct decision *wishes, uint32_t count) {
    *follow = (struct follow){.wishes = wishes, .count = count};
}

void follow_resume(struct follow *follow, uint32_t decisions) {
    follow->position = decisions;
}

/* choice->count if that task cannot move. */
static uint32_t option_of(const struct choice *choice, uint32_t task) {
    uint32_t option = 0;
    while (option < choice->count && choice->pending[option].task != task)
        option++;
    return option;
}

static uint32_t pick_task(struct follow *follow, const struct choice *choice) {
    for (; follow->position < follow->count; follow->position++) {
        const struct decision *wish = &follow->wishes[follow->position];
        uint32_t option = choice->count;
        if (wish->tag == CHOICE_SCHEDULE)
            option = option_of(choice, wish->chosen);
        if (option < choice->count) {
            follow->position += wish->count != FOLLOW_ON;
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
