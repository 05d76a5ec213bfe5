/* stack.h - the stack of DPOR: a frame for each step of the execution under way, with the moves still to be
 * explored from the state before it, and those that sleep there. */
#ifndef STRATEGIES_DPOR_STACK_H
#define STRATEGIES_DPOR_STACK_H

#include "engine/strategy.h"
#include "strategies/dpor/observe.h"
#include "strategies/dpor/within.h"

enum { CHOICES_MAX = 64, LEFT_OUT_MAX = 1024 };

enum dpor_kind { DPOR_CLASSIC, DPOR_SOURCE, DPOR_OPTIMAL, DPOR_OBSERVERS };

/* A sequence of one move that was not planned, since a leaf of the tree leads there; if that was tried in vain, it
 * will be. */
struct spare {
    struct spare *next;
    const struct move *leaf;
    struct event event;
};

struct frame {
    struct move *tree;  /* the first is the one under way */
    struct move *done;  /* newest first */
    struct move *cover; /* a leaf of the tree behind the first that covered a sequence, or NULL */
    struct spare *spares;
    uint32_t sleeper_first; /* those from above; they end where those of the next frame begin */
    uint32_t choice_first;  /* what was chosen within its step, likewise */
    uint32_t decision;      /* how many were made before it */
    uint32_t event_first;   /* where its events begin in the execution */
    uint32_t spent;         /* of the bound, before it */
    bool planned;           /* its state was met on the way of a sequence, not after its end */
};

/* A step whose frame does not exist yet: see tail.h. */
struct put_off {
    struct op op;
    uint32_t task;
    uint32_t decision, event_first; /* as in its frame */
};

struct dpor {
    struct strategy base;
    struct pool *pool; /* borrowed */
    struct history history;
    struct sequence sequence;
    struct within within;
    struct observe observe; /* with DPOR_OBSERVERS */
    struct frame *frames;
    struct move **sleepers; /* borrowed from the frames that have done them */
    struct chosen *choices;
    struct put_off *tail; /* steps that come after those of the frames */
    uint32_t depth, frame_capacity;
    uint32_t tail_count, tail_capacity;
    uint32_t sleeper_count, sleeper_capacity;
    uint32_t choice_count, choice_capacity;
    uint32_t fixed;                  /* so many steps repeat the execution before */
    uint32_t old_races;              /* so many are between those */
    uint32_t at;                     /* steps picked in this execution */
    uint32_t decisions;              /* made in this execution */
    uint32_t repeated;               /* choices repeated within the step under way */
    uint32_t left_out[LEFT_OUT_MAX]; /* scratch: steps that a sequence must do without */
    uint32_t left_out_count;
    uint32_t *others; /* scratch: steps that do not happen after the step `others_of` */
    uint32_t others_count, others_capacity;
    uint32_t others_of;
    uint32_t *rest_from; /* scratch of cover.c */
    uint32_t rest_capacity;
    uint32_t *floor; /* scratch: see find_floor() */
    uint32_t floor_capacity;
    bool floor_known; /* for this execution */
    uint32_t tried;   /* frames below this one follow what was planned for this execution */
    bool in_vain;     /* that was only to wait */
    bool waits;       /* so was some step of some execution */
    int32_t bound;    /* of divergences; -1: none */
    enum dpor_kind kind;
    bool started;
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

/* The move that made a step stands first in the tree of its frame. */
static inline const struct move *move_of(const struct dpor *self, uint32_t step) {
    return self->frames[step].tree;
}

void push_frame(struct dpor *self);
void pop_frame(struct dpor *self);

/* Every move that sleeps in the state of a frame: from above, then those done there. */
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

/* Does every move of the task that begins with these choices sleep? choices[] has room for more. */
bool asleep(const struct dpor *self, uint32_t frame, uint32_t task, struct chosen *choices,
            uint32_t count);
bool task_asleep(const struct dpor *self, uint32_t frame, uint32_t task);

/* What sleeps before a step and is independent of it sleeps after it. */
void inherit(struct dpor *self, uint32_t frame);

/* A sequence is not planned since this move of the frame's tree leads there. What is left of it without the
 * move: nothing, this one event, or (NULL) more. */
void count_on(struct dpor *self, struct frame *frame, struct move *move, bool nothing,
              const struct event *rest);

/* Those of a leaf, out of the frame; all of them for NULL. The caller frees them. */
struct spare *take_spares(struct frame *frame, const struct move *leaf);
void free_spares(struct dpor *self, struct spare *spares);

/* A move that was planned for its task alone may have fallen asleep since. */
void drop_sleeping(struct dpor *self, uint32_t index);

#endif
