/* race_sequence.h - release sequences that go on behind a store.
 *
 * C11 5.1.2.4p10: a release sequence consists of its head, a release, and of what follows it in the modification order of
 * the location as long as that is a store of the same thread or anybody's read-modify-write. In C++20 only a
 * read-modify-write goes on. By the first rule several tasks can have heads in force at one location, and a store leaves
 * those of its own task. By the second any store ends them all.
 *
 * The heads of one task are told by the last of them, since it knows what the earlier ones knew. If the location has a
 * releaser, the heads of that task have the location's clock. Those of other tasks stand beside it, in PART_HEADS; they are in
 * force as long as the location has had no other store since. A write behind a release fence heads a sequence too;
 * it needs no record, since the fence is known to every later write of its task. */
#ifndef ANALYSES_RACE_SEQUENCE_H
#define ANALYSES_RACE_SEQUENCE_H

#include "analyses/race_order.h"

/* Before a read-modify-write changes the location's clock: the heads of its releaser are put aside. The location, which
 * may have moved. */
struct race_object *sequence_put_aside(struct order *order, struct race_object *location);

/* The task's read-modify-write, which releases and does not acquire, is a head. The location, likewise. */
struct race_object *sequence_add_head(struct order *order, struct race_object *location,
                                      uint32_t task);

/* A store that does not release: true if heads of its task are in force, know more than its last release fence, and so
 * are the location's clock from now on. */
bool sequence_continue(struct order *order, struct race_object *location, uint32_t task);

/* The read-modify-write adds this to the location's clock, by either rule. */
void sequence_join_narrow(struct order *order, const struct race_object *location,
                          const struct clock *released);

/* The location is `continued`: does its clock say more than the task knows and than it would say by the rule of C++20? */
bool sequence_matters(const struct order *order, const struct race_object *location,
                      const struct clock *known);

/* Around a read-modify-write that may turn out to be idle. */
void sequence_remember(struct order *order, struct order_undo *undo, const struct event *event);
void sequence_undo(struct order *order, const struct order_undo *undo);

#endif
