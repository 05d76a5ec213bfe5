/* run.c - the runs of model.h: the simulator moves by itself, first along the undone decisions,
 * then in turn, until the next operation is the one that the user waits for. Operations within a
 * step (an atomic section) are not checked: a run does not stop there. */
#include <inttypes.h>

#include "cli/sim/model.h"

void model_run(struct model *model, const struct goal *goal) {
    model->running = true;
    model->goal = *goal;
    model->run_steps = 0;
    model->message[0] = '\0';
}

void model_stop(struct model *model, const char *why) {
    model->running = false;
    model_say(model, "%s", why);
}

static const char *object_name(const struct model *model, uint64_t address) {
    const char *name = address ? trace_object_name(&model->names.trace, address) : NULL;
    return name != NULL ? name : "";
}

static struct operation_text describe(struct model *model, const struct dialogue_task *task) {
    const struct stack_view stack = names_task_stack(task);
    const struct trace_frame *place = names_place(&model->names, &stack);
    names_know_op(&model->names, &task->op);
    return (struct operation_text){
        .task = task->task,
        .task_function = model->names.trace.tasks[task->task].function,
        .kind = op_info(task->op.kind)->name,
        .object = object_name(model, task->op.object),
        .object2 = object_name(model, task->op.object2),
        .file = place != NULL ? trace_basename(place->file) : "",
        .function = place != NULL ? place->function : "",
        .line = place != NULL ? place->line : 0,
    };
}

/* Returns true if the run stops before the next operation, and says why. */
static bool stops_before(struct model *model, const struct dialogue_task *task) {
    bool names = model->goal.kind == GOAL_MATCH || model->breakpoints.count > 0;
    struct operation_text text = {.task = task->task};
    if (names)
        text = describe(model, task);
    /* The operation that is selected when the run begins does not count. */
    bool first = model->run_steps == 0 && task->task == model->selected;
    if (goal_reached(&model->goal, model->run_steps, first ? NULL : &text)) {
        model_stop(model, "");
        if (model->goal.kind == GOAL_MATCH)
            model_say(model, "T%" PRIu32 " is next: \"%s\"", task->task, model->goal.pattern);
        return true;
    }
    const char *found = NULL;
    if (names && !first)
        found = breakpoints_find(&model->breakpoints, &text);
    if (found != NULL) {
        model_stop(model, "");
        model_say(model, "T%" PRIu32 " is next: breakpoint \"%s\"", task->task, found);
    }
    return found != NULL;
}

/* The first move is that of the selected task, if it can move. */
static uint32_t next_option(const struct model *model) {
    const struct dialogue *dialogue = model->dialogue;
    const struct dialogue_task *selected = model_task(model, model->selected);
    bool first = model->run_steps == 0 && dialogue->tag == CHOICE_SCHEDULE;
    if (first && selected != NULL && selected->enabled)
        return (uint32_t)(selected - dialogue->live);
    return model_expected(model);
}

void model_run_on(struct model *model) {
    const struct dialogue *dialogue = model->dialogue;
    if (!model_chooses(model) || model->news) {
        model_stop(model, "");
        return;
    }
    uint32_t option = next_option(model);
    if (dialogue->tag == CHOICE_SCHEDULE) {
        const struct dialogue_task *next = &dialogue->live[option];
        if (stops_before(model, next)) {
            model->selected = next->task;
            return;
        }
        model->run_steps++;
    }
    model_take(model, option);
}
