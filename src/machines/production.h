/* production.h - machines without the tool: each machine is a thread with a queue of its own.
 *
 * These are the calls of heddle/machine.h as libheddle-machines offers them (public/). A program
 * that was made by `heddle cc` and is started without `heddle run` uses them too. */
#ifndef MACHINES_PRODUCTION_H
#define MACHINES_PRODUCTION_H

#include <heddle/machine.h>

#include "machines/reaction.h"

void production_watch(const struct machine_type *type, const void *memory);
int production_start(const struct machine_type *type, const void *memory);
machine_id production_create(const struct machine_type *type, const void *memory);
void production_send(const struct machine_channel *channel, machine_id to,
                     const struct machine_event *event, const void *payload, size_t size);
void production_announce(const struct machine_event *event, const void *payload, size_t size);
void production_raise(const struct machine_event *event, const void *payload, size_t size);
void production_move(enum machine_then how, const char *state);
const struct machine_message *production_receive(const struct machine_event *const *events);
machine_id production_self(void);
machine_id production_sender(void);
machine_id production_receiver(void);

#endif
