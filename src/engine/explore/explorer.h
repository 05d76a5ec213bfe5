/* explorer.h - the explorer itself, and what each file of the explore loop does with it. No
 * other file includes this header: engine/explore.h is for all others. The hot functions are
 * explorer_decide(), called once for each step, and those of the host, called once for each
 * event. */
#ifndef ENGINE_EXPLORE_EXPLORER_H
#define ENGINE_EXPLORE_EXPLORER_H

#include "base/visited.h"
#include "engine/checkpoint.h"
#include "engine/explore.h"
#include "engine/shelf.h"
#include "event/event.h"
#include "execution/finding.h"

enum { CANDIDATES_MAX = 32, ANALYSES_MAX = 8, SEEN_MAX = 4 * FOUND_MAX };

/* One execution under way, or just over: what happened, and what was found. */
struct run {
    struct execution execution;
    struct finding candidates[CANDIDATES_MAX];
    uint32_t candidate_count;
    /* 1 + the index of the strategy's own finding among the candidates; 0: none */
    uint32_t own_finding;
};

/* What is kept from one execution to the next for a member of a strategy, while another member is
 * at work. */
struct lane {
    bool used;
    struct execution execution;
    struct checkpoints checkpoints;
    struct shelf shelf;
};

struct explorer {
    struct host host; /* the first field, because the host that the system knows is the explorer */
    struct session *session;
    struct system *system;
    const struct strategy_info *strategy_info; /* the strategy that searches */
    struct strategy *search;
    struct strategy_inputs inputs; /* what all strategies are told */
    struct strategy *replay;
    struct options replay_options;
    struct analysis *analyses[ANALYSES_MAX];
    struct analysis *listeners[ANALYSES_MAX]; /* the analyses of this run that want events */
    uint32_t listener_count;
    struct analysis *watchers[ANALYSES_MAX]; /* the analyses of this run that want states */
    uint32_t watcher_count;
    struct analysis *access_analysis; /* the one that wants plain accesses, or NULL */
    uint32_t analysis_count;          /* number of analyses at work in this run */
    /* number of analyses at work where states are remembered: the first ones */
    uint32_t stateful_analyses;
    uint32_t analysis_total; /* number of all analyses */

    struct run explored, repeated;
    struct execution redo;              /* the decisions made before a restart */
    struct run *run;                    /* the run under way */
    struct strategy *strategy;          /* the strategy that decides in this run */
    const struct strategy_hooks *hooks; /* the hooks of that strategy */
    struct plan plan;                   /* what that strategy has planned */
    /* what the strategy has reported of the last execution of the search */
    struct report report;
    struct analysis_context context;
    struct choice choice; /* the state at hand */
    /* index in `choice` of the task that moved last, if it is blocked: see analysis.h */
    uint32_t moved_blocked;
    enum outcome outcome; /* OUTCOME_RUNNING, or why the execution has stopped */
    uint32_t steps;
    /* there was a choice with more than one option; before that the program initialises itself */
    bool branched;
    bool over;           /* a finding ends the execution after this step */
    bool diverged;       /* the program does not repeat what it did before */
    bool saving;         /* the system has stopped everything, so the state at hand may be saved */
    bool wants_accesses; /* plain accesses are wanted outside of atomic sections, too */
    bool within_section; /* the task that moves is within an atomic section */
    struct checkpoints checkpoints;
    /* From here on only with plan.by_states: */
    bool chooses; /* steps have choices in them, so every state is saved */
    /* number of decisions that the engine repeats without asking the strategy */
    uint32_t repeated_to;
    uint32_t step_from;             /* number of decisions before the step under way */
    struct fingerprint fingerprint; /* fingerprint of the state at hand */
    struct shelf shelf;
    struct image *unshelved; /* image of the state after the prefix, or NULL */
    uint32_t strata_noted;
    struct lane lanes[MEMBERS_MAX]; /* the lanes that are not in use now */
    uint32_t lane;                  /* number of the lane in use */
    uint64_t seen[SEEN_MAX];        /* signatures of findings that were reported or tried */
    uint32_t seen_count;
    bool states_miss;      /* an analysis finds what a search by states does not look for */
    struct visited finals; /* final states met so far (--final-states) */
};

/* host.c */
extern const struct host_ops explorer_host_ops;

/* decide.c */

/* Returns the strategy's answer. After a restart, the answers that it has given already come
 * first. */
uint32_t explorer_ask(struct explorer *self, const struct choice *choice, struct keep *keep);
/* Looks at the state at hand. If the last step was idle, tells the analyses so. */
void explorer_look(struct explorer *self);
/* Returns the task that moves next, if self->outcome, which is that of the system, is
 * OUTCOME_RUNNING. Returns NO_TASK if no task does; self->outcome says why. */
uint32_t explorer_decide(struct explorer *self);
/* Records a decision that was made, before the next event. */
void explorer_record(struct explorer *self, uint32_t chosen, uint32_t count, enum choice_tag tag);

/* steps.c */

/* Makes all steps of an execution that has started. Afterwards self->outcome says why there are no
 * more. */
void explorer_make_steps(struct explorer *self);
/* host.next: returns the task that moves next, or NO_TASK to stop. */
uint32_t explorer_next(struct host *host, const struct pending *alone);

/* states.c */

bool explorer_can_save(const struct explorer *self);
/* Returns false if the analysis judges shared memory, and the tasks of the system have none at
 * present. */
bool explorer_takes_part(const struct explorer *self, const struct analysis *analysis);
/* Saves the state at hand as the latest checkpoint. Returns NULL if it cannot be saved. */
struct checkpoint *explorer_save_state(struct explorer *self);
void explorer_load_state(struct explorer *self, struct image *image);
/* Puts the state before the step on the shelf, for a choice within the step. */
void explorer_shelve_choice(struct explorer *self, const struct keep *keep);
/* Keeps the state at hand as the strategy has asked in its pick. No task has moved yet. */
void explorer_keep_state(struct explorer *self, const struct keep *keep);
/* Returns true if the strategy has been in the state at hand before. */
bool explorer_knows_state(const struct explorer *self);
/* Returns the fingerprint of a state that is new to the strategy. Returns NULL if the state is not
 * new, or if the system cannot make a fingerprint. */
const struct fingerprint *explorer_recognise(struct explorer *self);

/* start.c */

/* Starts an execution at the beginning of the program, or behind it in a saved state. */
void explorer_start(struct explorer *self);
void explorer_save_checkpoint(struct explorer *self);

/* run.c */

/* Runs one execution, as `strategy` has planned it. Runs it again as long as it has to be
 * restarted. */
enum outcome explorer_run(struct explorer *self, struct run *run, struct strategy *strategy,
                          const struct plan *plan);

/* lanes.c */

/* Opens a new lane. `by_states` says that its strategy goes by states. */
void explorer_open_lane(struct explorer *self, bool by_states);
/* Changes to the lane of the plan, with all that was kept of its member's last execution. */
void explorer_change_lane(struct explorer *self, const struct plan *plan);
/* Forgets all saved states: they belong to another process, or to another layout of memory. */
void explorer_forget_states(struct explorer *self);
/* Counts what the member in use has done since the last call. */
void explorer_count_member(struct explorer *self);

/* search.c */

void explorer_create_search(struct explorer *self);
/* Makes the next execution of the search, or ends the search. */
void explorer_search(struct explorer *self);
/* Ends an execution of the search that is over, by itself or with its process. */
void explorer_finish_search(struct explorer *self, enum outcome outcome, const struct choice *last);

/* confirm.c */

/* Drops the findings of the last execution of the search that are known already. */
void explorer_drop_known(struct explorer *self);
/* Returns true if the finding was published before. */
bool explorer_is_known(const struct explorer *self, const struct finding *finding);
/* Repeats the last execution of the search. */
void explorer_confirm(struct explorer *self);
/* Compares the repetition with the original. */
void explorer_finish_confirming(struct explorer *self);
/* MODE_REPLAY: the recorded execution is the original. All findings of the repetition are
 * published, and the caller compares. */
void explorer_replay(struct explorer *self);
/* Publishes all findings of the repetition. */
void explorer_publish_repeated(struct explorer *self);
/* Notes that the same decisions have given another execution, which differs at this event of
 * `a`. */
void explorer_diverged(struct explorer *self, int64_t at, const struct execution *a);

/* simulate.c */

/* MODE_SIMULATE: makes the next execution that the user wants. */
void explorer_simulate(struct explorer *self);
/* Ends that execution, which is over by itself or with its process. `last` is its last state, or
 * NULL if that state cannot be seen. */
void explorer_finish_simulation(struct explorer *self, enum outcome outcome,
                                const struct choice *last);

#endif
