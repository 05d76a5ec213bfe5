/* analysis.h - the interface of an analysis. An analysis is told of events (and of plain accesses,
 * if it wants), and reports findings. */
#ifndef ENGINE_ANALYSIS_H
#define ENGINE_ANALYSIS_H

#include "engine/system.h"

struct coverage;
struct event;
struct options;
struct pool;

/* The parts of the search that an analysis may read, and may report to. */
struct analysis_context {
    struct pool *pool;
    const struct options *options;
    struct system *system;
    struct host *host;
    struct execution *execution; /* the execution under way */
    struct coverage *coverage;   /* NULL: the options do not ask for coverage */
    bool *unordered;             /* session->result.observed.unordered: the analysis sets it */
    bool *continued;             /* session->result.observed.continued: the analysis sets it */
    bool *annotated;             /* session->result.observed.annotated: the analysis sets it */
};

struct analysis;
struct analysis_ops {
    const char *name;
    /* The analysis judges the way by which a state was reached. A search that remembers states
     * explores each state once, by one of its ways. So the analysis would be of no use there, and
     * takes no part. */
    bool by_history;
    /* by_history: a search by states loses nothing without the analysis. Another one finds the same
     * there, or the analysis finds nothing at all. Otherwise such a search verifies nothing. */
    bool not_missed;
    /* The analysis judges accesses to memory that tasks share. It is not asked where tasks share no
     * memory. */
    bool of_shared_memory;
    /* Returns NULL if the options switch the analysis off. The context is borrowed, and kept up to
     * date. */
    struct analysis *(*create)(const struct analysis_context *context);
    void (*begin)(struct analysis *self);
    /* Writes what the analysis knows at this point of the execution. load() is called instead of
     * begin(). */
    void (*save)(struct analysis *self, struct image *image);
    void (*load)(struct analysis *self, struct image *image);
    /* NULL: the analysis needs no events. */
    void (*event)(struct analysis *self, const struct event *event);
    /* The last event was idle: all that the event has ordered counts as not ordered. NULL: the
     * analysis does not need to know. */
    void (*idle)(struct analysis *self, const struct event *event);
    /* NULL: the analysis needs no plain accesses. */
    void (*access)(struct analysis *self, uint32_t task, uint64_t address, uint32_t size,
                   enum plain_access what, uint64_t pc);
    /* A state in which a task can move, before any task moves. If the task that moved last is
     * blocked, `blocked` is its index in choice->pending; otherwise it is choice->live. NULL: the
     * analysis needs no states. */
    void (*state)(struct analysis *self, const struct choice *choice, uint32_t blocked);
    void (*end)(struct analysis *self, enum outcome outcome, const struct choice *last);
};
struct analysis {
    const struct analysis_ops *ops;
};

#endif
