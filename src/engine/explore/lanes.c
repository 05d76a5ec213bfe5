/* lanes.c - what is kept from one execution of the search to the next: the execution itself, its
 * checkpoints, and the shelf. A strategy that is made of several (a portfolio) has a lane for each of
 * them; the one in use stands in the explorer itself. */
#include <string.h>

#include "engine/explore/explorer.h"

void explorer_open_lane(struct explorer *self, const struct strategy_ops *ops) {
    struct pool *pool = self->session->pool;
    memset(&self->explored.execution, 0, sizeof self->explored.execution);
    execution_init(&self->explored.execution, pool);
    checkpoints_init(&self->checkpoints, pool,
                     ops->remembers_states ? UINT32_MAX : CHECKPOINTS_MAX);
    shelf_init(&self->shelf, pool, IMAGE_LIMIT);
}

void explorer_change_lane(struct explorer *self, uint32_t to) {
    struct lane *old = &self->lanes[self->lane], *next = &self->lanes[to];
    if (to == self->lane)
        return;
    *old = (struct lane){true, self->explored.execution, self->checkpoints, self->shelf};
    self->lane = to;
    if (next->used) {
        self->explored.execution = next->execution;
        self->checkpoints = next->checkpoints;
        self->shelf = next->shelf;
        next->used = false;
    } else {
        explorer_open_lane(self, self->search->ops);
    }
}

void explorer_forget_states(struct explorer *self) {
    checkpoints_forget(&self->checkpoints);
    shelf_forget_images(&self->shelf);
    for (uint32_t i = 0; i < MEMBERS_MAX; i++)
        if (self->lanes[i].used) {
            checkpoints_forget(&self->lanes[i].checkpoints);
            shelf_forget_images(&self->lanes[i].shelf);
        }
}

void explorer_count_member(struct explorer *self) {
    const struct session_counters *counters = &self->session->counters;
    struct members *members = &self->session->members;
    if (members->count == 0)
        return;
    members->rows[self->lane].executions += counters->executions - members->executions;
    members->rows[self->lane].steps += counters->steps - members->steps;
    members->executions = counters->executions;
    members->steps = counters->steps;
    self->search->private_memory = self->system->ops->private_memory;
    self->search->stateless |= self->system->ops->fingerprint == NULL;
}
