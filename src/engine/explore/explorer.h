/* explorer.h - what the files of the explore loop share: the explorer itself, and who does what with it.
 * Nobody else includes this; engine/explore.h is for all others. Hot are explorer_decide() and the calls
 * of the host, once a step and once an event. */
#ifndef ENGINE_EXPLORE_EXPLORER_H
#define ENGINE_EXPLORE_EXPLORER_H

#include "base/visited.h"
#include "engine/checkpoint.h"
#include "engine/explore.h"
#include "engine/shelf.h"

enum { CANDIDATES_MAX = 32, ANALYSES_MAX = 8, SEEN_MAX = 4 * SESSION_FINDINGS };

/* One execution under way, or just over: what happened, and what was found. */
struct run {
    struct execution execution;
    struct finding candidates[CANDIDATES_MAX];
    uint32_t candidate_count;
};

/* What is kept from one execution to the next, for each member of a strategy that has several. */
struct lane {
    bool used;
    struct execution execution;
    struct checkpoints checkpoints;
    struct shelf shelf;
};

struct explorer {
    struct host host; /* first: the system's host is the explorer */
    struct session *session;
    struct system *system;
    const struct strategy_ops *strategy_ops; /* of the search */
    struct strategy *search;
    struct strategy *replay;
    struct options replay_options;
    struct analysis *analyses[ANALYSES_MAX];
    struct analysis *listeners[ANALYSES_MAX]; /* those at work in this run that want events */
    uint32_t listener_count;
    struct analysis *watchers[ANALYSES_MAX]; /* those that want states */
    uint32_t watcher_count;
    struct analysis *access_analysis; /* the one that wants plain accesses, or NULL */
    struct strategy *access_strategy; /* the one that decides, if it wants them */
    uint32_t analysis_count;          /* that are at work in this run: */
    uint32_t stateful_analyses;       /* so many, the first, where states are remembered, */
    uint32_t analysis_total;          /* else all */

    struct run explored, repeated;
    struct execution redo;     /* after a restart: the decisions made before it */
    struct run *run;           /* the one under way */
    struct strategy *strategy; /* who decides in it */
    struct analysis_context context;
    struct choice choice;   /* the state at hand, */
    uint32_t moved_blocked; /* and in it the task that moved last: see analysis.h */
    enum outcome outcome;   /* RUNNING, or why it stopped */
    uint32_t steps;
    bool branched; /* more than one option was met: what comes before is initialisation */
    bool over;     /* a finding ends the execution after this step */
    bool saving;   /* everything was stopped: the state at hand may be saved */
    struct checkpoints checkpoints;
    /* a strategy that remembers states: */
    bool remembers;                 /* it decides in this run */
    bool chooses;                   /* steps have choices in them: so every state is saved */
    uint32_t repeated_to;           /* so many decisions are made again, without asking */
    uint32_t step_from;             /* decisions before the step under way */
    struct fingerprint fingerprint; /* of the state at hand */
    struct shelf shelf;
    struct image *unshelved; /* of the state after the prefix, or NULL */
    uint32_t strata_noted;
    struct lane lanes[MEMBERS_MAX]; /* those that are not in use now */
    uint32_t lane;                  /* the one that is */
    uint64_t seen[SEEN_MAX];        /* signatures of what was reported or tried */
    uint32_t seen_count;
    struct visited finals; /* --final-states */
};

/* host.c */
extern const struct host_ops explorer_host_ops;

/* decide.c */

/* The strategy's answer; after a restart, first the answers that it has given already. */
uint32_t explorer_ask(struct explorer *self, const struct choice *choice);
/* The state at hand; the analyses know of it what there is to know. */
void explorer_look(struct explorer *self);
/* Who moves next, if self->outcome, that of the system, is RUNNING; NO_TASK, and self->outcome says why, if
 * nobody does. */
uint32_t explorer_decide(struct explorer *self);
/* A decision was made, before the next event. */
void explorer_record(struct explorer *self, uint32_t chosen, uint32_t count, enum choice_tag tag);

/* states.c */

bool explorer_can_save(const struct explorer *self);
/* False if the analysis judges shared memory, and the tasks of the system have none at present. */
bool explorer_takes_part(const struct explorer *self, const struct analysis *analysis);
/* The state at hand as the latest checkpoint; NULL if it cannot be saved. */
struct checkpoint *explorer_save_state(struct explorer *self);
void explorer_load_state(struct explorer *self, struct image *image);
/* A choice within a step was put aside. */
void explorer_shelve_choice(struct explorer *self);
/* The strategy has picked, and nobody has moved yet. */
void explorer_keep_state(struct explorer *self);
/* The strategy was here before. */
bool explorer_knows_state(const struct explorer *self);
/* A state that is new to the strategy has a fingerprint; NULL if it is not, or if the system cannot. */
const struct fingerprint *explorer_recognise(struct explorer *self);

/* start.c */

/* At the beginning, or behind it, in a state that was saved. */
void explorer_start(struct explorer *self);
void explorer_save_checkpoint(struct explorer *self);

/* run.c */

/* One execution, as `strategy` decides, again and again until it need not start anew. `evidence`: with
 * the stacks of its events. */
enum outcome explorer_run(struct explorer *self, struct run *run, struct strategy *strategy,
                          bool evidence);

/* lanes.c */

/* A new one, for a strategy of that nature. */
void explorer_open_lane(struct explorer *self, const struct strategy_ops *ops);
/* Another member decides: what it knows of its last execution comes back. */
void explorer_change_lane(struct explorer *self, uint32_t to);
/* All saved states: they belong to another process, or to another layout of memory. */
void explorer_forget_states(struct explorer *self);
/* What the member in use has done since the last time; and what it should know of the program. */
void explorer_count_member(struct explorer *self);

/* search.c */

void explorer_create_search(struct explorer *self);
/* The next execution of the search, or its end. */
void explorer_search(struct explorer *self);
/* One execution of the search is over, by itself or with its process. */
void explorer_finish_search(struct explorer *self, enum outcome outcome, const struct choice *last);

/* confirm.c */

/* Of what the last execution of the search has found, only what is new stays. */
void explorer_drop_known(struct explorer *self);
/* Whether it was published before. */
bool explorer_is_known(const struct explorer *self, const struct finding *finding);
/* That execution once more. */
void explorer_confirm(struct explorer *self);
/* Compares the repetition with the original. */
void explorer_finish_confirming(struct explorer *self);
/* MODE_REPLAY: the recorded execution is the original. Whatever the repetition shows is published,
 * and its caller compares. */
void explorer_replay(struct explorer *self);
/* All that the repetition has found. */
void explorer_publish_repeated(struct explorer *self);
/* The same decisions have not given the same execution: it differs at this event of `a`. */
void explorer_diverged(struct explorer *self, int64_t at, const struct execution *a);

/* simulate.c */

/* MODE_SIMULATE: the next execution that the user wants. */
void explorer_simulate(struct explorer *self);
/* It is over, by itself or with its process; `last` is its last state, NULL if there is none to be seen. */
void explorer_finish_simulation(struct explorer *self, enum outcome outcome,
                                const struct choice *last);

#endif
