/* race_sequence.h - release sequences that continue after a store.
 *
 * C11 5.1.2.4p10: a release sequence consists of its head, a release, and of the writes that follow
 * it in the modification order of the location, as long as each is a store of the same thread or a
 * read-modify-write of any thread. In C++20, only a read-modify-write continues a sequence. Under
 * the first rule, several tasks can have heads in force at one location, and a store leaves those
 * of its own task. Under the second rule, any store ends them all.
 *
 * The last head of a task stands for all of its heads, since it knows what the earlier ones knew.
 * If the location has a releaser, the heads of that task have the location's clock. The heads of
 * other tasks are kept beside it, in PART_HEADS; they are in force as long as the location has had
 * no other store since. A write after a release fence heads a sequence as well. It needs no record,
 * because every later write of its task knows the fence. */
#ifndef ANALYSES_RACE_SEQUENCE_H
#define ANALYSES_RACE_SEQUENCE_H

#include "analyses/race_atomics.h"

/* Called before a read-modify-write changes the location's clock: puts aside the heads of its
 * releaser. Returns the location, which may have moved. */
struct race_object *sequence_put_aside(struct order *order, struct race_object *location);

/* A read-modify-write of the task that releases and does not acquire becomes a head. Returns the
 * location, which may have moved. */
struct race_object *sequence_add_head(struct order *order, struct race_object *location,
                                      uint32_t task);

/* Called for a store that does not release. Returns true if heads of its task are in force and know
 * more than the task's last release fence. Then their clock is the location's clock from now on. */
bool sequence_continue(struct order *order, struct race_object *location, uint32_t task);

/* Adds the clock of a read-modify-write to the location's clock. Both rules agree here. */
void sequence_join_narrow(struct order *order, const struct race_object *location,
                          const struct clock *released);

/* Called if the location is `continued`. Returns whether its clock says more than the task knows,
 * and more than it would say under the rule of C++20. */
bool sequence_matters(const struct order *order, const struct race_object *location,
                      const struct clock *known);

/* Save and restore the heads around a read-modify-write that may turn out to be idle. */
void sequence_remember(struct order *order, struct order_undo *undo, const struct event *event);
void sequence_undo(struct order *order, const struct order_undo *undo);

#endif
