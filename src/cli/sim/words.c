/* words.c - the words of model.h: why a task stands, what an option means, how it ended. */
#include <inttypes.h>

#include "cli/sim/model.h"
#include "reports/describe.h"

/* Who waits for a wake-up (or wants its mutex back) and nobody in particular has to move first. */
static bool sleeps_on(const struct dialogue_task *task, uint64_t object) {
    bool asleep = task->op.kind == OP_COND_SLEEP || task->op.kind == OP_FUTEX_SLEEP ||
                  (task->op.kind == OP_COND_WAKE && !task->enabled && task->holder == NO_TASK);
    return asleep && task->op.object == object;
}

static void print_waiting(struct model *model, const struct dialogue_task *task, FILE *out) {
    const struct trace *trace = &model->names.trace;
    const struct finding_wait wait = {.task = task->task, .holder = task->holder, .op = task->op};
    names_know_op(&model->names, &task->op);
    fputs("waits for ", out);
    describe_wait(trace, &wait, out);
    if (task->holder != NO_TASK && task->op.kind != OP_JOIN) {
        fputs(", held by ", out);
        describe_task(trace, task->holder, out);
    }
}

void model_print_state(struct model *model, const struct dialogue_task *task, FILE *out) {
    if (!task->enabled)
        print_waiting(model, task, out);
    else if (task->op.kind == OP_COND_SLEEP || task->op.kind == OP_FUTEX_SLEEP)
        fputs(task->op.timed ? "can time out" : "can wake by itself", out);
    else
        fputs("can move", out);
}

/* Sleepers are woken in the order of their numbers, which is that of the list. */
static const struct dialogue_task *sleeper(const struct model *model, uint32_t option) {
    const struct dialogue *dialogue = model->dialogue;
    const struct dialogue_task *chooser = model_task(model, dialogue->task), *found = NULL;
    uint32_t count = 0;
    for (uint32_t task = 0; chooser != NULL && task < model->session->task_count; task++) {
        const struct dialogue_task *other = model_task(model, task);
        if (other == NULL || !sleeps_on(other, chooser->op.object))
            continue;
        if (count++ == option)
            found = other;
    }
    return count == dialogue->count ? found : NULL;
}

void model_print_option(struct model *model, uint32_t option, FILE *out) {
    const struct dialogue_task *woken;
    switch (model->dialogue->tag) {
    case CHOICE_SCHEDULE:
    case CHOICE_TAGS: break;
    case CHOICE_VALUE: fprintf(out, "the value %" PRIu32, option); break;
    case CHOICE_WAKE:
        woken = sleeper(model, option);
        fputs("wakes ", out);
        if (woken != NULL)
            describe_task(&model->names.trace, woken->task, out);
        else
            fprintf(out, "sleeper %" PRIu32 " of %" PRIu32, option + 1, model->dialogue->count);
        break;
    case CHOICE_TIMEOUT: fputs(option == 0 ? "times out" : "wakes by itself", out); break;
    }
}

void model_print_end(struct model *model, FILE *out) {
    switch (model->dialogue->outcome) {
    case OUTCOME_ENDED: fputs("the program has ended: nothing is wrong", out); break;
    case OUTCOME_STUCK: fputs("nobody can move: nothing was found", out); break;
    case OUTCOME_FAILED: fputs("stopped by what was found", out); break;
    case OUTCOME_ASSUMED:
    case OUTCOME_DROPPED: fputs("left: an assumption does not hold (heddle_assume)", out); break;
    case OUTCOME_CUT:
        fputs("left: as many steps as --max-steps allows; nothing was found", out);
        break;
    case OUTCOME_RUNNING:
    case OUTCOME_BLOCKED:
    case OUTCOME_IDLE:
    case OUTCOME_DEEP:
    case OUTCOME_SEEN:
    case OUTCOME_RESTART:
    case OUTCOME_ERROR: fputs("it has ended", out); break;
    }
}
