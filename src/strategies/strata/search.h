/* search.h - a search in strata: every state of the program once, what costs least first. What costs
 * something, and in which order the options of a state are taken, is a matter of a struct cost_ops. */
#ifndef STRATEGIES_STRATA_SEARCH_H
#define STRATEGIES_STRATA_SEARCH_H

#include "base/visited.h"
#include "strategies/strata/ends.h"
#include "strategies/strategies.h"

enum { COST_STATE_MAX = 640 };

struct search;

/* Where a function gets `own`, that is the cost's own part of a state with options: plain data, zeros at
 * the start, copied from a state to those that follow it. */
struct cost_ops {
    const struct strategy_ops *strategy;
    enum bound_kind bound; /* that the options may have; BOUND_NONE */
    /* Before the first execution. NULL: nothing to do. */
    void (*begin)(struct search *self, void *own);
    /* A new state. False: self->error says why not. NULL: nothing to do. */
    bool (*enter)(struct search *self, void *own, const struct choice *choice);
    /* What is remembered of a state, if it is more than the state. NULL: the state. */
    struct fingerprint (*key)(const struct search *self, const void *own,
                              const struct choice *choice);
    bool counts_keys; /* a key is counted as a state */
    /* The option of a schedule that comes after so many. PICK_NOTHING: self->error says why. */
    uint32_t (*option)(struct search *self, void *own, const struct choice *choice, uint32_t taken);
    /* What it costs more than the one before it; of the first one, than to come here. 0 or 1. */
    uint32_t (*more)(const struct choice *choice, uint32_t taken);
    /* How many bytes of `own` are in use. NULL: none. */
    size_t (*size)(const void *own);
    /* So many events more, or less, are recorded of the execution. NULL: it keeps no number of one. */
    void (*shift)(void *own, int64_t events);
};

/* What is kept of a state with options left: as a frame, or on the shelf; only so much of it as is in
 * use. */
struct pause {
    uint32_t taken;      /* options; */
    uint32_t count : 31; /* there are so many */
    uint32_t within : 1; /* a step: they are values */
    _Alignas(8) char own[COST_STATE_MAX];
};

struct frame {
    uint32_t decisions; /* that lead to it */
    uint32_t cost;      /* with the last option that was taken */
    uint32_t at, size;  /* of its struct pause, in self->pauses */
};

struct search {
    struct strategy base;
    const struct cost_ops *cost;
    struct pool *pool;             /* borrowed */
    const struct options *options; /* a copy */
    const void *context;           /* of the cost; borrowed */
    struct visited visited;
    struct ends ends;
    uint32_t level; /* of the last state of the execution under way: decisions up to it */
    bool leads_on;  /* the execution ended in a state that was seen, from which no end is known: */
    struct fingerprint seen;
    struct pause now;     /* the state at hand */
    struct pause shelved; /* handed over to the engine */
    struct frame *frames;
    uint32_t depth, frame_capacity;
    char *pauses; /* those of the frames, one after the other */
    uint32_t pause_used, pause_capacity;
    uint32_t paid;                /* by the execution, up to the state at hand */
    uint32_t bound, bound_before; /* of this stratum, and of the one before it */
    uint32_t bound_last, step;
    uint64_t frontier;      /* states on the shelf that belong to this stratum, */
    uint64_t frontier_next; /* and to the next */
    bool started, branched;
};

/* `step` is from one stratum to the next; the first has the bound 0, or what is put into it then. */
struct search *search_create(struct pool *pool, const struct options *options,
                             const struct cost_ops *cost, uint32_t step);
void search_init(struct search *self, struct pool *pool, const struct options *options,
                 const struct cost_ops *cost, uint32_t step);

/* There is no more memory, be it for states that were visited or for those put aside. */
bool search_is_full(const struct search *self);

/* What was kept of a state becomes the state at hand. */
void search_read(struct search *self, const void *bytes, size_t size);

/* The rest of struct strategy_ops. */
bool search_begin(struct strategy *base);
uint32_t search_pick(struct strategy *base, const struct choice *choice);
void search_expect(struct strategy *base, const struct fingerprint *fingerprint);
void search_end(struct strategy *base, enum outcome outcome, const struct choice *last);

#endif
