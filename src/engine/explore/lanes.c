/* lanes.c - what is kept from one execution of the search to the next: the execution itself, its
 * checkpoints, and the shelf. A strategy that has several members (a portfolio) has a lane for each
 * of them. The lane in use is in the explorer itself. */
#include <string.h>

#include "engine/explore/explorer.h"

void explorer_open_lane(struct explorer *self, bool by_states) {
    struct pool *pool = self->session->pool;
    memset(&self->explored.execution, 0, sizeof self->explored.execution);
    execution_init(&self->explored.execution, pool);
    checkpoints_init(&self->checkpoints, pool, by_states ? UINT32_MAX : CHECKPOINTS_MAX);
    shelf_init(&self->shelf, pool, IMAGE_LIMIT);
}

void explorer_change_lane(struct explorer *self, const struct plan *plan) {
    struct lane *old = &self->lanes[self->lane], *next = &self->lanes[plan->lane];
    if (plan->lane == self->lane)
        return;
    *old = (struct lane){true, self->explored.execution, self->checkpoints, self->shelf};
    self->lane = plan->lane;
    if (next->used) {
        self->explored.execution = next->execution;
        self->checkpoints = next->checkpoints;
        self->shelf = next->shelf;
        next->used = false;
    } else {
        explorer_open_lane(self, plan->by_states);
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
    const struct counters *counters = &self->session->result.counters;
    struct members *members = &self->session->result.reached.members;
    if (members->count == 0)
        return;
    members->rows[self->lane].executions += counters->executions - members->executions;
    members->rows[self->lane].steps += counters->steps - members->steps;
    members->executions = counters->executions;
    members->steps = counters->steps;
}
