/* search.h - a search in strata: visits every state of the program once, the cheapest first. A
 * struct cost_ops says what costs something, and in which order the options of a state are
 * taken. */
#ifndef STRATEGIES_STRATA_SEARCH_H
#define STRATEGIES_STRATA_SEARCH_H

#include "base/visited.h"
#include "engine/options.h"
#include "engine/strata.h"
#include "strategies/delaying.h"
#include "strategies/strata/ends.h"
#include "strategies/strategies.h"

enum { COST_STATE_MAX = 640 };

struct search;

/* A cost may keep data of its own for each state with options. The functions get it as `own`: plain
 * data, zeros at the start, copied from a state to those that follow it. */
struct cost_ops {
    enum bound_kind bound; /* the bound that limits this cost, or BOUND_NONE */
    /* Called before the first execution. NULL: nothing to do. */
    void (*begin)(struct search *self, void *own);
    /* Called at a new state. Returns false if the user has made a mistake (self->base.mistake).
     * NULL: nothing to do. */
    bool (*enter)(struct search *self, void *own, const struct choice *choice);
    /* Returns what is remembered of a state, if more than the state matters. NULL: the state. */
    struct fingerprint (*key)(const struct search *self, const void *own,
                              const struct choice *choice);
    bool counts_keys; /* a key is counted as a state */
    /* Returns the option of a schedule that comes after `taken` others, or PICK_MISTAKEN. */
    uint32_t (*option)(struct search *self, void *own, const struct choice *choice, uint32_t taken);
    /* The option was taken from the state at hand. NULL: not known. */
    bool (*is_taken)(const void *own, uint32_t option);
    /* Returns how much more that option costs than the one before it; for the first option, more
     * than coming to the state. 0 or 1. */
    uint32_t (*more)(const struct choice *choice, uint32_t taken);
    /* Returns how many bytes of `own` are in use. NULL: none. */
    size_t (*size)(const void *own);
    /* Changes a number of events in `own` by that many, because the execution has more or fewer of
     * them recorded. NULL: there is no such number. */
    void (*shift)(void *own, int64_t events);
};

/* What is kept of a state with options left, as a frame or on the shelf. Only the part in use is
 * copied. */
struct pause {
    uint32_t taken;      /* number of options taken */
    uint32_t count : 31; /* number of all options */
    uint32_t within : 1; /* the choice is within a step, so options are values */
    _Alignas(8) char own[COST_STATE_MAX];
};

struct frame {
    uint32_t decisions; /* number of decisions that lead to the state */
    uint32_t cost;      /* cost of the execution with the last option that was taken */
    uint32_t at, size;  /* place and size of its struct pause in self->pauses */
};

struct search {
    struct strategy base;
    const struct cost_ops *cost;
    struct pool *pool;             /* borrowed */
    const struct options *options; /* a copy */
    const void *context;           /* data of the cost, such as its explorer; borrowed */
    struct strata *strata;         /* borrowed */
    struct visited visited;
    struct ends ends;
    uint32_t level; /* number of decisions up to the last state of the execution */
    /* the execution ended in a state that was seen before, and from which no end is known */
    bool leads_on;
    struct fingerprint seen;
    struct pause now;     /* the state at hand */
    struct pause shelved; /* the state that is handed over to the engine for the shelf */
    struct keep *keep;    /* what becomes of the state at hand; borrowed during pick() */
    bool goes_back;       /* the execution has not come back yet to the state where it goes on */
    /* what is kept of that state, if it is a frame; NULL: the state is on the shelf. Borrowed */
    const void *from;
    uint32_t from_size;
    bool wants_state; /* the engine is to say which state that is */
    struct frame *frames;
    uint32_t depth, frame_capacity;
    char *pauses; /* the struct pause of each frame, one after the other */
    uint32_t pause_used, pause_capacity;
    uint32_t paid;                /* cost of the execution up to the state at hand */
    uint32_t bound, bound_before; /* bounds of this stratum, and of the one before */
    uint32_t bound_last, step;
    uint64_t frontier;      /* number of states on the shelf that belong to this stratum */
    uint64_t frontier_next; /* number of states on the shelf that belong to the next stratum */
    bool started, branched;
    char mistake[MISTAKE_TEXT];
};

/* `step` is the difference between the bounds of two strata. The first stratum has the bound 0,
 * unless the caller changes self->bound. */
struct search *search_create(const struct strategy_context *context,
                             const struct strategy_info *info, const struct cost_ops *cost,
                             uint32_t step);
void search_init(struct search *self, const struct strategy_context *context,
                 const struct cost_ops *cost, uint32_t step);

/* Returns true if there is no more memory for visited states, or none for states put aside. */
bool search_is_full(const struct search *self);

/* Makes a kept state the state at hand. */
void search_read(struct search *self, const void *bytes, size_t size);

extern const struct strategy_ops search_ops;

/* The functions of search_ops, for a strategy that replaces some of them. */
bool search_begin(struct strategy *base, struct plan *plan);
uint32_t search_pick(struct strategy *base, const struct choice *choice, struct keep *keep);
void search_end(struct strategy *base, enum outcome outcome, const struct choice *last,
                struct report *report);

#endif
