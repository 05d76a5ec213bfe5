/* stack.h - the stack of DPOR: a frame for each step of the execution under way. A frame has the
 * moves still to be explored from the state before the step, and the moves that sleep there. */
#ifndef STRATEGIES_DPOR_STACK_H
#define STRATEGIES_DPOR_STACK_H

#include "engine/branches.h"
#include "engine/strategy.h"
#include "strategies/dpor/observe.h"
#include "strategies/dpor/sections.h"
#include "strategies/dpor/within.h"

enum { CHOICES_MAX = 64, LEFT_OUT_MAX = 1024 };

enum dpor_kind { DPOR_CLASSIC, DPOR_SOURCE, DPOR_OPTIMAL, DPOR_OBSERVERS };

/* A sequence of one move that was not planned, because a leaf of the tree leads to it. If that leaf
 * was tried in vain, the sequence is planned after all. */
struct spare {
    struct spare *next;
    const struct move *leaf;
    struct event event;
};

struct frame {
    struct move *tree; /* moves to be explored; the first is under way */
    struct move *done; /* moves that were explored, newest first */
    /* a leaf of the tree, but not of its first move, that has covered a sequence; or NULL */
    struct move *cover;
    struct spare *spares;
    /* the first move that sleeps from above; they end where the next frame's begin */
    uint32_t sleeper_first;
    /* the first choice within its step; they end where the next frame's begin */
    uint32_t choice_first;
    uint32_t decision;    /* number of decisions made before this step */
    uint32_t event_first; /* index in the execution of the first event of this step */
    uint32_t spent;       /* how much of the bound was used before this step */
    bool planned;         /* the state lies on the way of a planned sequence, not behind its end */
};

/* A step that has no frame yet: see tail.h. */
struct put_off {
    struct op op;
    uint32_t task;
    uint32_t decision, event_first; /* as in struct frame */
};

/* The turns of tasks where nothing is planned: see fair.h. */
struct fair {
    uint32_t from;  /* steps of an execution before its tasks take turns */
    uint32_t turns; /* of this execution that are over */
    uint32_t used;  /* free choices since then */
};

struct dpor {
    struct strategy base;
    struct pool *pool;         /* borrowed */
    struct branches *branches; /* borrowed; NULL: races are not recorded */
    struct history history;
    struct sequence sequence;
    struct within within;
    struct fair fair;
    struct sections sections;
    struct observe observe; /* only with DPOR_OBSERVERS */
    struct frame *frames;
    /* moves that sleep from above, borrowed from the frames where they are done */
    struct move **sleepers;
    struct chosen *choices;
    struct put_off *tail; /* steps behind those of the frames */
    uint32_t depth, frame_capacity;
    uint32_t tail_count, tail_capacity;
    bool tail_knows; /* all steps of the history happen before the last step of the tail */
    uint32_t sleeper_count, sleeper_capacity;
    uint32_t choice_count, choice_capacity;
    uint32_t fixed;                  /* number of steps that repeat the last execution */
    uint32_t old_races;              /* number of races between repeated steps */
    uint32_t at;                     /* number of steps picked in this execution */
    uint32_t decisions;              /* number of decisions made in this execution */
    uint32_t repeated;               /* number of choices repeated in the step under way */
    uint32_t left_out[LEFT_OUT_MAX]; /* scratch: steps that a sequence must do without */
    uint32_t left_out_count;
    uint32_t *others; /* scratch: steps that do not happen after step `others_of` */
    uint32_t others_count, others_capacity;
    uint32_t others_of;
    uint32_t *rest_from; /* scratch of cover.c */
    uint32_t rest_capacity;
    uint32_t *floor; /* scratch: result of find_floor() */
    uint32_t floor_capacity;
    bool floor_known; /* `floor` holds for this execution */
    uint32_t tried;   /* number of frames that repeat steps or follow the plan of this execution */
    bool in_vain;     /* the planned sequence ended in a round of a waiting loop */
    bool waits;       /* some execution so far contained such a round */
    int32_t bound;    /* the most divergences allowed; -1: no bound */
    enum dpor_kind kind;
    bool started;
    bool first; /* the execution is the first one of a search */
    bool anew;  /* the next execution is the first one of another search */
};

static inline bool is_idle(const struct dpor *self, uint32_t step) {
    return self->history.steps[step].event.flags & EVENT_IDLE;
}

static inline struct frame *top_of(struct dpor *self) {
    return &self->frames[self->depth - 1];
}

static inline uint32_t sleepers_end(const struct dpor *self, uint32_t frame) {
    return frame + 1 < self->depth ? self->frames[frame + 1].sleeper_first : self->sleeper_count;
}

static inline uint32_t choices_end(const struct dpor *self, uint32_t frame) {
    return frame + 1 < self->depth ? self->frames[frame + 1].choice_first : self->choice_count;
}

/* Returns the move that made a step: the first one in the tree of its frame. */
static inline const struct move *move_of(const struct dpor *self, uint32_t step) {
    return self->frames[step].tree;
}

void push_frame(struct dpor *self);
void pop_frame(struct dpor *self);

/* All moves that sleep in the state of a frame: those that sleep from above, then those done
 * there. */
struct sleepers {
    const struct dpor *dpor;
    uint32_t next, end;
    const struct move *done;
};

static inline struct sleepers sleepers_of(const struct dpor *self, uint32_t frame) {
    return (struct sleepers){self, self->frames[frame].sleeper_first, sleepers_end(self, frame),
                             self->frames[frame].done};
}

static inline const struct move *next_sleeper(struct sleepers *sleepers) {
    if (sleepers->next < sleepers->end)
        return sleepers->dpor->sleepers[sleepers->next++];
    const struct move *move = sleepers->done;
    if (move != NULL) {
        sleepers->done = move->next;
        __builtin_prefetch(move->next);
    }
    return move;
}

bool begins(const struct move *move, const struct chosen *choices, uint32_t count);

/* Returns true if every move of the task that begins with these choices sleeps. The array choices[]
 * has room for more than `count`. */
bool asleep(const struct dpor *self, uint32_t frame, uint32_t task, struct chosen *choices,
            uint32_t count);
bool task_asleep(const struct dpor *self, uint32_t frame, uint32_t task);

/* Lets the moves that sleep before a step, and are independent of it, sleep after it. */
void inherit(struct dpor *self, uint32_t frame);

/* Notes that a sequence is not planned because `move`, in the frame's tree, leads to the same.
 * `nothing` says that nothing is left of the sequence without the move. `rest` is what is left if
 * that is one event, else NULL. */
void count_on(struct dpor *self, struct frame *frame, struct move *move, bool nothing,
              const struct event *rest);

/* Takes the spares of a leaf out of the frame, or all spares if `leaf` is NULL. The caller frees
 * them. */
struct spare *take_spares(struct frame *frame, const struct move *leaf);
void free_spares(struct dpor *self, struct spare *spares);

/* Drops moves at the front of the tree that were planned alone and have fallen asleep since. */
void drop_sleeping(struct dpor *self, uint32_t index);

#endif
