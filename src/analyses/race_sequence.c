/* race_sequence.c - see race_sequence.h. Nothing here is called with --release-sequences=c++20. */
#include "analyses/race_sequence.h"

#define NEVER_IN_FORCE UINT32_MAX /* a number of stores at which no heads are in force */

static struct race_object *location_again(const struct order *order, uint64_t address) {
    return race_objects_find(&order->objects, address, PART_MAIN);
}

static void set_heads(struct order *order, const struct race_object *location, uint32_t task,
                      const struct clock *clock, uint32_t released_at) {
    uint32_t stores = location->stores;
    struct race_object *heads =
        race_objects_get(&order->objects, location->address, PART_HEADS(task));
    heads->released_at = released_at;
    heads->stores = stores;
    clock_copy(&heads->clock, order->pool, clock);
}

struct race_object *sequence_put_aside(struct order *order, struct race_object *location) {
    uint64_t address = location->address;
    if (location->releaser == NO_RELEASER)
        return location;
    /* Makes room first, because a clock must not move while it is copied. */
    race_objects_get(&order->objects, address, PART_HEADS(location->releaser));
    location = location_again(order, address);
    set_heads(order, location, location->releaser, &location->clock, location->released_at);
    return location;
}

struct race_object *sequence_add_head(struct order *order, struct race_object *location,
                                      uint32_t task) {
    uint64_t address = location->address;
    const struct order_task *who = order_task(order, task);
    set_heads(order, location, task, &who->clock, who->own);
    return location_again(order, address);
}

/* The clock under the rule of C++20 is that of the task's last release fence. */
static struct race_object *narrow_to_fence(struct order *order, uint64_t address, uint32_t task) {
    struct race_object *narrow = race_objects_get(&order->objects, address, PART_NARROW);
    clock_copy(&narrow->clock, order->pool, &order_task(order, task)->fenced);
    return location_again(order, address);
}

bool sequence_continue(struct order *order, struct race_object *location, uint32_t task) {
    const struct race_object *heads = location;
    if (location->releaser != task)
        heads = race_objects_find(&order->objects, location->address, PART_HEADS(task));
    if (heads == NULL || (heads != location && heads->stores != location->stores) ||
        clock_get(&order_task(order, task)->fenced, task) >= heads->released_at)
        return false;
    if (heads != location)
        clock_copy(&location->clock, order->pool, &heads->clock);
    location->releaser = task;
    location->released_at = heads->released_at;
    location->stores++;
    narrow_to_fence(order, location->address, task)->continued = true;
    return true;
}

void sequence_join_narrow(struct order *order, const struct race_object *location,
                          const struct clock *released) {
    struct race_object *narrow = race_objects_find(&order->objects, location->address, PART_NARROW);
    clock_join(&narrow->clock, order->pool, released);
}

bool sequence_matters(const struct order *order, const struct race_object *location,
                      const struct clock *known) {
    const struct race_object *narrow =
        race_objects_find(&order->objects, location->address, PART_NARROW);
    for (uint32_t i = 0; i < location->clock.count; i++)
        if (clock_get(&location->clock, i) > clock_get(known, i) &&
            clock_get(&location->clock, i) > clock_get(&narrow->clock, i))
            return true;
    return false;
}

void sequence_remember(struct order *order, struct order_undo *undo, const struct event *event) {
    const struct race_object *heads =
        race_objects_find(&order->objects, event->op.object, PART_HEADS(event->task));
    undo->heads_stores = NEVER_IN_FORCE;
    if (heads == NULL)
        return;
    undo->heads_stores = heads->stores;
    undo->heads_at = heads->released_at;
    clock_copy(&undo->heads, order->pool, &heads->clock);
}

void sequence_undo(struct order *order, const struct order_undo *undo) {
    struct race_object *heads =
        race_objects_find(&order->objects, undo->address, PART_HEADS(undo->task));
    if (heads == NULL)
        return;
    heads->stores = undo->heads_stores;
    if (undo->heads_stores == NEVER_IN_FORCE)
        return;
    heads->released_at = undo->heads_at;
    clock_copy(&heads->clock, order->pool, &undo->heads);
}
