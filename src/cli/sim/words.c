/* words.c - the texts of model.h: why a task waits, what an option means, how an execution
 * ended. */
#include <inttypes.h>

#include "cli/sim/model.h"
#include "reports/describe.h"

/* Returns true if the task waits for a wake-up, or wants its mutex back, and no particular task has
 * to move first. */
static bool sleeps_on(const struct dialogue_task *task, uint64_t object) {
    bool asleep = op_may_wake_itself(task->op.kind) || (!task->enabled && task->holder == NO_TASK);
    return asleep && op_has(task->op.kind, SLEEPS) && task->op.object == object;
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
    else if (op_may_wake_itself(task->op.kind))
        fputs(task->op.timed ? "can time out" : "can wake by itself", out);
    else
        fputs("can move", out);
}

/* Sleepers are listed in the order of their numbers, and the option counts along this list. */
static const struct dialogue_task *sleeper(const struct model *model, uint32_t option) {
    const struct dialogue *dialogue = model->dialogue;
    const struct dialogue_task *chooser = model_task(model, dialogue->task), *found = NULL;
    uint32_t count = 0;
    for (uint32_t task = 0; chooser != NULL && task < model->session->result.tasks.count; task++) {
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
    case OUTCOME_STUCK: fputs("no task can move, and nothing was found", out); break;
    case OUTCOME_FAILED: fputs("stopped by a finding", out); break;
    case OUTCOME_ASSUMED:
    case OUTCOME_DROPPED: fputs("dropped: an assumption does not hold (heddle_assume)", out); break;
    case OUTCOME_CUT:
        fputs("cut off: it has as many steps as --max-steps allows; nothing was found", out);
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
