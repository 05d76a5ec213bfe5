/* model.c - see model.h: the known state, and moves. words.c puts the state into words, run.c has
 * the runs. */
#include "cli/sim/model.h"

#include <inttypes.h>
#include <stdarg.h>
#include <time.h>

#include "base/check.h"
#include "base/futex.h"
#include "cli/sim/turn.h"

void model_init(struct model *model, struct session *session, struct dialogue *dialogue) {
    *model = (struct model){.session = session, .dialogue = dialogue};
}

void model_destroy(struct model *model) {
    names_destroy(&model->names);
    line_destroy(&model->line);
}

void model_say(struct model *model, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(model->message, sizeof model->message, format, arguments);
    va_end(arguments);
}

/* --- turns --- */

bool model_has_turn(const struct model *model) {
    return __atomic_load_n(&model->dialogue->turn, __ATOMIC_ACQUIRE) == TURN_USER;
}

bool model_wait(const struct model *model, uint32_t milliseconds) {
    const struct timespec time = {.tv_sec = milliseconds / 1000,
                                  .tv_nsec = (long)(milliseconds % 1000) * 1000000};
    if (!model_has_turn(model))
        futex_wait(&model->dialogue->turn, TURN_ENGINE, &time);
    return model_has_turn(model);
}

uint32_t model_expected(const struct model *model) {
    const struct dialogue *dialogue = model->dialogue;
    const struct decision *next = line_next(&model->line);
    const struct execution *execution = model_execution(model);
    uint32_t events = execution->event_count;
    if (next != NULL && next->tag == dialogue->tag) {
        if (dialogue->tag != CHOICE_SCHEDULE && next->chosen < dialogue->count)
            return next->chosen;
        for (uint32_t i = 0; dialogue->tag == CHOICE_SCHEDULE && i < dialogue->count; i++)
            if (dialogue->live[i].task == next->chosen)
                return i;
    }
    if (dialogue->tag != CHOICE_SCHEDULE)
        return 0;
    return turn_pick(dialogue, events > 0 && turn_gives_way(&execution->events[events - 1]));
}

static void select_option(struct model *model, uint32_t option) {
    bool schedule = model->dialogue->tag == CHOICE_SCHEDULE;
    model->selected = schedule ? model->dialogue->live[option].task : option;
}

static void take_in_names(struct model *model) {
    const struct dialogue *dialogue = model->dialogue;
    if (model->names.symbols == NULL)
        names_init(&model->names, model->session);
    names_know_tasks(&model->names);
    for (uint32_t i = 0; i < dialogue->live_count; i++) {
        const struct stack_view stack = names_task_stack(&dialogue->live[i]);
        names_know_task(&model->names, &stack);
    }
}

static void take_in_findings(struct model *model) {
    uint32_t count = *model->dialogue->finding_count;
    bool known = model->went_back && !model->dialogue->over;
    model->news = model->news || (count > model->findings && !known);
    model->findings = count;
}

static void take_in_straying(struct model *model) {
    if (model->dialogue->strayed == 0)
        return;
    line_cut(&model->line);
    model_say(model,
              "decision %" PRIu32 " cannot be made again: the program depends on something "
              "that Heddle does not control",
              model->dialogue->strayed);
    model->running = false;
}

void model_arrive(struct model *model) {
    if (model->arrived)
        return;
    take_in_names(model);
    uint32_t made = model_execution(model)->decision_count;
    if (made < model->line.at)
        model->line.at = made;
    take_in_straying(model);
    take_in_findings(model);
    if (model_chooses(model))
        select_option(model, model_expected(model));
    else
        model->selected = model->dialogue->live_count ? model->dialogue->live[0].task : NO_TASK;
    model->arrived = true;
    model->went_back = false;
}

/* --- looking --- */

const struct execution *model_execution(const struct model *model) {
    return model->session->live.current;
}

bool model_chooses(const struct model *model) {
    return !model->dialogue->over;
}

bool model_selects_tasks(const struct model *model) {
    return !model_chooses(model) || model->dialogue->tag == CHOICE_SCHEDULE;
}

const struct dialogue_task *model_task(const struct model *model, uint32_t task) {
    const struct dialogue *dialogue = model->dialogue;
    for (uint32_t i = 0; i < dialogue->live_count; i++)
        if (dialogue->live[i].task == task)
            return &dialogue->live[i];
    return NULL;
}

uint32_t model_moved(const struct model *model) {
    const struct execution *execution = model_execution(model);
    for (uint32_t at = execution->decision_count; at > 0; at--)
        if (execution->decisions[at - 1].tag == CHOICE_SCHEDULE)
            return execution->decisions[at - 1].chosen;
    return NO_TASK;
}

uint32_t model_events_before(const struct model *model, uint32_t decision) {
    const struct execution *execution = model_execution(model);
    return decision < execution->decision_count ? execution->decisions[decision].event - 1
                                                : execution->event_count;
}

uint32_t model_decision_of(const struct model *model, uint32_t event) {
    uint32_t low = 0, high = model_execution(model)->decision_count;
    while (low < high) { /* finds the last decision with at most that many events before it */
        uint32_t middle = low + (high - low + 1) / 2;
        if (middle < model_execution(model)->decision_count &&
            model_events_before(model, middle) <= event)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* --- doing --- */

void model_take(struct model *model, uint32_t option) {
    const struct dialogue *dialogue = model->dialogue;
    CHECK(option < dialogue->count);
    uint32_t chosen = dialogue->tag == CHOICE_SCHEDULE ? dialogue->live[option].task : option;
    line_decide(&model->line, (struct decision){.chosen = chosen,
                                                .count = dialogue->count,
                                                .tag = (uint8_t)dialogue->tag});
    model->arrived = false;
    dialogue_take(model->dialogue, option);
}

/* Tasks are listed by number, whether they can move or not. */
static uint32_t neighbour(const struct model *model, uint32_t task, int direction) {
    const struct dialogue *dialogue = model->dialogue;
    uint32_t best = task;
    for (uint32_t i = 0; i < dialogue->live_count; i++) {
        uint32_t other = dialogue->live[i].task;
        bool beyond = direction > 0 ? other > task : other < task;
        bool nearer = best == task || (direction > 0 ? other < best : other > best);
        if (beyond && nearer)
            best = other;
    }
    return best;
}

void model_select(struct model *model, int direction) {
    if (model_selects_tasks(model))
        model->selected = neighbour(model, model->selected, direction);
    else if (direction > 0 ? model->selected + 1 < model->dialogue->count : model->selected > 0)
        model->selected += (uint32_t)direction;
}

static void say_blocked(struct model *model, const struct dialogue_task *task) {
    char text[160];
    FILE *out = fmemopen(text, sizeof text, "w");
    CHECK(out);
    fprintf(out, "T%" PRIu32 " cannot move: it ", task->task);
    model_print_state(model, task, out);
    fclose(out);
    model_say(model, "%s", text);
}

static void move_task(struct model *model, uint32_t task) {
    const struct dialogue *dialogue = model->dialogue;
    const struct dialogue_task *chosen = model_task(model, task);
    if (chosen == NULL)
        return;
    if (!chosen->enabled)
        say_blocked(model, chosen);
    else
        model_take(model, (uint32_t)(chosen - dialogue->live));
}

void model_move(struct model *model) {
    if (!model_chooses(model))
        model_say(model, "the execution has ended: u goes back one step");
    else if (model->dialogue->tag == CHOICE_SCHEDULE)
        move_task(model, model->selected);
    else if (model->selected < model->dialogue->count)
        model_take(model, model->selected);
    else
        model_say(model, "the options have the numbers 0 to %" PRIu32, model->dialogue->count - 1);
}

void model_back(struct model *model, uint32_t decision) {
    model->line.at = decision;
    model->arrived = model->news = false;
    model->went_back = true;
    dialogue_restart(model->dialogue, model->line.decisions, decision);
}

void model_forward(struct model *model) {
    if (line_next(&model->line) == NULL)
        model_say(model, "there is no undone step to make again");
    else if (!model_chooses(model))
        model_say(model, "the execution has ended");
    else
        model_take(model, model_expected(model));
}
