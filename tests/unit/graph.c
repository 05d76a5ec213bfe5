/* graph.c - see graph.h. */
#include "unit/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "event/event.h"

/* A host that answers choices from a list, and counts how many it has answered. */
struct driver {
    struct host host;
    uint32_t answers[16], counts[16];
    uint32_t asked;
    struct event event;
    bool failed;
};

static uint32_t driver_choose(struct host *host, enum choice_tag tag, uint32_t task,
                              uint32_t count) {
    struct driver *driver = (struct driver *)host;
    (void)tag, (void)task;
    CHECK(driver->asked < 16);
    driver->counts[driver->asked] = count;
    return driver->answers[driver->asked++];
}

static struct event *driver_event(struct host *host, uint32_t task, const struct op *op) {
    struct driver *driver = (struct driver *)host;
    driver->event = (struct event){.op = *op, .task = task};
    return &driver->event;
}

static void driver_happened(struct host *host, struct event *event) {
    (void)host, (void)event;
}

static void driver_found(struct host *host, const struct finding *finding) {
    (void)finding;
    ((struct driver *)host)->failed = true;
}

static void driver_access(struct host *host, uint32_t task, uint64_t address, uint32_t size,
                          enum plain_access what, uint64_t pc) {
    (void)host, (void)task, (void)address, (void)size, (void)what, (void)pc;
}

static const struct host_ops driver_ops = {
    .choose = driver_choose,
    .event = driver_event,
    .happened = driver_happened,
    .access = driver_access,
    .found = driver_found,
};

static bool known(const struct graph *graph, const struct script_state *state) {
    for (uint32_t i = 0; i < graph->count; i++)
        if (memcmp(&graph->states[i], state, sizeof *state) == 0)
            return true;
    return false;
}

static void add(struct graph *graph, const struct script_state *state, bool branched) {
    if (graph->count == graph->capacity) {
        graph->capacity = graph->capacity ? 2 * graph->capacity : 256;
        graph->states = realloc(graph->states, graph->capacity * sizeof *graph->states);
        graph->branched = realloc(graph->branched, graph->capacity * sizeof *graph->branched);
        CHECK(graph->states != NULL && graph->branched != NULL);
    }
    graph->states[graph->count] = *state;
    graph->branched[graph->count++] = branched;
    graph->counted += branched;
}

static uint32_t enabled_in(const struct scripted *system) {
    uint32_t count = 0;
    for (uint32_t task = 0; task < system->script->task_count; task++)
        count += scripted_enabled(system, task);
    return count;
}

/* True if no task can move, and this is a complete execution: no task was stopped by an
 * assumption. */
static bool is_complete(const struct scripted *system) {
    for (uint32_t task = 0; task < system->script->task_count; task++)
        if (system->state.tasks[task].phase == PHASE_STOPPED &&
            system->state.outcome == OUTCOME_RUNNING)
            return false;
    return system->state.outcome != OUTCOME_RUNNING || enabled_in(system) == 0;
}

/* Takes one transition from the current state of the system. */
static void follow(struct graph *graph, struct scripted *system, struct driver *driver,
                   uint32_t task, bool branched) {
    driver->asked = 0;
    driver->failed = false;
    scripted_step(system, task);
    branched |= driver->asked > 0;
    graph->transitions += branched;
    uint32_t outcome = system->state.outcome;
    if (driver->failed || outcome == OUTCOME_DROPPED) {
        graph->complete += driver->failed;
        return;
    }
    bool running = outcome == OUTCOME_RUNNING;
    graph->complete += is_complete(system);
    if (!known(graph, &system->state))
        add(graph, &system->state, branched || (running && enabled_in(system) > 1));
}

/* Goes to the next combination of answers to the choices that were asked for. False after the last
 * one. */
static bool other_answers(struct driver *driver) {
    while (driver->asked > 0) {
        uint32_t last = driver->asked - 1;
        if (++driver->answers[last] < driver->counts[last])
            return true;
        driver->answers[last] = 0;
        driver->asked--;
    }
    return false;
}

static void expand(struct graph *graph, struct scripted *system, struct driver *driver,
                   uint32_t number) {
    struct script_state state = graph->states[number];
    bool branched = graph->branched[number];
    for (uint32_t task = 0; task < system->script->task_count; task++) {
        memset(driver->answers, 0, sizeof driver->answers);
        do {
            system->state = state;
            scripted_restored(system);
            if (state.outcome == OUTCOME_RUNNING && scripted_enabled(system, task))
                follow(graph, system, driver, task, branched);
            else
                driver->asked = 0;
        } while (other_answers(driver));
    }
}

bool explore_graph(const struct script *script, uint32_t most, struct graph *graph) {
    struct driver driver = {.host = {.ops = &driver_ops}};
    struct scripted system;
    memset(graph, 0, sizeof *graph);
    scripted_init(&system, script);
    system.base.ops->start(&system.base, &driver.host);
    bool running = system.state.outcome == OUTCOME_RUNNING;
    graph->complete = driver.failed || (running && is_complete(&system));
    add(graph, &system.state, running && enabled_in(&system) > 1);
    for (uint32_t i = 0; i < graph->count && graph->count <= most; i++)
        expand(graph, &system, &driver, i);
    return graph->count <= most;
}

void free_graph(struct graph *graph) {
    free(graph->states);
    free(graph->branched);
}
