/* model.h - the simulator without its screen: the state that the engine shows, the decisions up to
 * it and ahead, breakpoints, and a current run. The screen draws the model, keys change it.
 *
 * All functions here need the turn (model_has_turn). A function that answers the engine gives the
 * turn away. */
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

    bool arrived; /* the state that the engine shows has been read */
    bool running; /* the simulator runs by itself, up to `goal` */
    struct goal goal;
    uint32_t run_steps; /* steps since the run began */
    uint32_t findings;  /* the findings of this execution that have been read */
    bool went_back;     /* the current state is an earlier one */
    bool news;          /* there is a new finding, which the user should see */
    /* The selected task (or NO_TASK), or the selected option of another choice. */
    uint32_t selected;
    char message[200]; /* why the run stopped, or what is not possible */
};

void model_init(struct model *model, struct session *session, struct dialogue *dialogue);
void model_destroy(struct model *model);

bool model_has_turn(const struct model *model);
/* Waits for the turn, at most that long. */
bool model_wait(const struct model *model, uint32_t milliseconds);
/* Reads the state that the engine shows, once. */
void model_arrive(struct model *model);

/* --- looking --- */

const struct execution *model_execution(const struct model *model);
/* Returns true if the user has a choice to make. */
bool model_chooses(const struct model *model);
/* Returns true if the user selects tasks: the choice is which task moves, or no task can move any
 * more. */
bool model_selects_tasks(const struct model *model);
/* Returns a live task by its number, or NULL. */
const struct dialogue_task *model_task(const struct model *model, uint32_t task);
/* Returns the task that moved last, or NO_TASK. */
uint32_t model_moved(const struct model *model);
/* Returns the number of events before the decision. */
uint32_t model_events_before(const struct model *model, uint32_t decision);
/* Returns the decision that led to the event. */
uint32_t model_decision_of(const struct model *model, uint32_t event);
/* Prints the state of a pending operation: "waits for mutex `a` held by T1", "may time out". */
void model_print_state(struct model *model, const struct dialogue_task *task, FILE *out);
/* Prints the meaning of an option, for a choice other than which task moves. */
void model_print_option(struct model *model, uint32_t option, FILE *out);
/* Prints why an execution without a finding has ended. */
void model_print_end(struct model *model, FILE *out);

/* --- doing --- */

__attribute__((format(printf, 2, 3))) void model_say(struct model *model, const char *format, ...);

void model_select(struct model *model, int direction);
/* Returns the option that continues the line, or else the next one in turn. */
uint32_t model_expected(const struct model *model);
void model_take(struct model *model, uint32_t option);
/* Moves the selected task, or takes the selected option; says why if that is not possible. */
void model_move(struct model *model);
/* Goes back to the state before that decision. */
void model_back(struct model *model, uint32_t decision);
/* Goes forward along the undone decisions. */
void model_forward(struct model *model);

void model_run(struct model *model, const struct goal *goal);
void model_stop(struct model *model, const char *why);
/* Makes one move of the current run, or ends it. */
void model_run_on(struct model *model);

#endif
