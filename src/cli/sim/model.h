/* model.h - the simulator without its screen: the state that the engine shows, the way there and the way
 * ahead, breakpoints, and a run under way. The screen draws it, keys change it.
 *
 * Everything here is for whoever has the turn (model_has_turn); a function that answers the engine
 * gives the turn away. */
#ifndef CLI_SIM_MODEL_H
#define CLI_SIM_MODEL_H

#include "cli/sim/line.h"
#include "cli/sim/names.h"
#include "cli/sim/pattern.h"

struct model {
    struct session *session;   /* borrowed */
    struct dialogue *dialogue; /* borrowed, in the session */
    struct names names;
    struct line line;
    struct breakpoints breakpoints;

    bool arrived; /* what the engine shows is taken in */
    bool running; /* by itself, as far as `goal` */
    struct goal goal;
    uint32_t run_steps; /* since the run has begun */
    uint32_t findings;  /* of this execution, that are taken in */
    bool went_back;     /* the state at hand is one of before */
    bool news;          /* something was found: the user should see it */
    uint32_t selected;  /* a task (NO_TASK: there is none), or an option of another choice */
    char message[200];  /* why it stands here, or what cannot be done */
};

void model_init(struct model *model, struct session *session, struct dialogue *dialogue);
void model_destroy(struct model *model);

bool model_has_turn(const struct model *model);
/* Waits up to so long for the turn. */
bool model_wait(const struct model *model, uint32_t milliseconds);
/* Takes in what the engine shows, once. */
void model_arrive(struct model *model);

/* --- looking --- */

const struct execution *model_execution(const struct model *model);
/* The execution has a choice for the user. */
bool model_chooses(const struct model *model);
/* Tasks are what is selected: it is who moves, or nobody does any more. */
bool model_selects_tasks(const struct model *model);
/* A live task by its number, or NULL. */
const struct dialogue_task *model_task(const struct model *model, uint32_t task);
/* Who moved last, or NO_TASK. */
uint32_t model_moved(const struct model *model);
/* So many events came before the decision. */
uint32_t model_events_before(const struct model *model, uint32_t decision);
/* The decision by which the event came. */
uint32_t model_decision_of(const struct model *model, uint32_t event);
/* What stands behind an operation: "waits for mutex `a` held by T1", "may time out". */
void model_print_state(struct model *model, const struct dialogue_task *task, FILE *out);
/* What an option of a choice means that is no schedule. */
void model_print_option(struct model *model, uint32_t option, FILE *out);
/* Why the execution has ended in which nothing was found. */
void model_print_end(struct model *model, FILE *out);

/* --- doing --- */

__attribute__((format(printf, 2, 3))) void model_say(struct model *model, const char *format, ...);

void model_select(struct model *model, int direction);
/* The option that continues the line, or else is next in turn. */
uint32_t model_expected(const struct model *model);
void model_take(struct model *model, uint32_t option);
/* The selected task moves, or the selected option is taken; says why if that cannot be. */
void model_move(struct model *model);
/* Back to the state before that decision. */
void model_back(struct model *model, uint32_t decision);
/* Along what was undone. */
void model_forward(struct model *model);

void model_run(struct model *model, const struct goal *goal);
void model_stop(struct model *model, const char *why);
/* One move of the run under way, or its end. */
void model_run_on(struct model *model);

#endif
