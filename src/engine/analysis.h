/* analysis.h - who judges. An analysis sees events (and accesses, if it wants) and reports findings. */
#ifndef ENGINE_ANALYSIS_H
#define ENGINE_ANALYSIS_H

#include "base/pool.h"
#include "engine/coverage.h"
#include "engine/options.h"
#include "engine/system.h"

/* What an analysis may ask for and say. */
struct analysis_context {
    struct pool *pool;
    const struct options *options;
    struct system *system;
    struct host *host;
    struct execution *execution; /* the one under way */
    struct coverage *coverage;   /* NULL: not wanted */
    bool *unordered;             /* session->unordered: set it */
    bool *continued;             /* session->continued: set it */
    bool *annotated;             /* session->annotated: set it */
};

struct analysis;
struct analysis_ops {
    const char *name;
    /* It judges the way by which a state was reached. Of no use where a state is explored once, whatever
     * way led there: then it is not created. */
    bool by_history;
    /* It judges accesses of memory that tasks share. Where they share none it is not asked. */
    bool of_shared_memory;
    /* NULL: the options switch it off. The context is borrowed, and kept up to date. */
    struct analysis *(*create)(const struct analysis_context *context);
    void (*begin)(struct analysis *self);
    /* What it knows at this point of the execution; load() stands for begin(). */
    void (*save)(struct analysis *self, struct image *image);
    void (*load)(struct analysis *self, struct image *image);
    /* NULL: it does not care. */
    void (*event)(struct analysis *self, const struct event *event);
    /* The last event was idle: whatever it has ordered counts as not ordered. NULL: it does not care. */
    void (*idle)(struct analysis *self, const struct event *event);
    /* NULL: not interested. */
    void (*access)(struct analysis *self, uint32_t task, uint64_t address, uint32_t size,
                   enum plain_access what, uint64_t pc);
    /* A state in which somebody can move, before anybody does. `blocked`: where the task that moved last
     * stands in choice->pending if it cannot; else choice->live. NULL: not interested. */
    void (*state)(struct analysis *self, const struct choice *choice, uint32_t blocked);
    void (*end)(struct analysis *self, enum outcome outcome, const struct choice *last);
};
struct analysis {
    const struct analysis_ops *ops;
};

#endif
