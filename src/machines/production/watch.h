/* watch.h - monitors: they look at events that are sent, one after the other under one lock. */
#ifndef MACHINES_PRODUCTION_WATCH_H
#define MACHINES_PRODUCTION_WATCH_H

#include <heddle/machine.h>

/* Before the first machine runs. */
void watch_add(const struct machine_type *type, const void *memory);

/* The first machine is about to run: monitors enter their first states. */
void watch_start(void);

/* All monitors whose tables mention the event react to it. */
void watch_see(const struct machine_message *message, machine_id receiver);

/* No machine moves any more: runs AT_END, and removes the monitors. */
void watch_end(void);

#endif
