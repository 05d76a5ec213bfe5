/* production.c - see production.h. Each call first checks who makes it.
 *
 * The machines are in production/crew.c; a send is here. The program has come to rest when no
 * machine is busy (production/census.h). A machine that blocks by other means, such as a lock of
 * its own, counts as busy. Nothing is lost or doubled. */
#include "machines/production.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "machines/production/census.h"
#include "machines/production/crew.h"
#include "machines/production/runner.h"
#include "machines/production/tables.h"
#include "machines/production/watch.h"

static atomic_bool running; /* machine_start is under way */

/* --- who calls ------------------------------------------------------------------------------ */

static struct runner *anybody(const char *call) {
    struct runner *runner = runner_here();
    if (runner == NULL)
        production_wrong("%s outside of a machine", call);
    return runner;
}

static struct runner *machine_only(const char *call) {
    struct runner *runner = anybody(call);
    if (runner->member == NULL)
        production_wrong("%s by a monitor, which only looks on", call);
    return runner;
}

static void main_only(const char *call, bool already_running) {
    if (runner_here() != NULL || already_running)
        production_wrong("%s while machines run", call);
}

machine_id production_self(void) {
    return runner_here() != NULL ? runner_here()->id : 0;
}

machine_id production_sender(void) {
    return runner_here() != NULL ? runner_here()->reaction.sender : 0;
}

machine_id production_receiver(void) {
    return runner_here() != NULL ? runner_here()->reaction.receiver : 0;
}

/* --- main ----------------------------------------------------------------------------------- */

static void check_type(const char *call, const struct machine_type *type) {
    if (type->monitor)
        production_wrong("%s of %s, which is a monitor", call, type->name);
}

void production_watch(const struct machine_type *type, const void *memory) {
    main_only("machine_watch", atomic_load(&running));
    watch_add(type, memory);
}

int production_start(const struct machine_type *type, const void *memory) {
    main_only("machine_start", atomic_exchange(&running, true));
    check_type("machine_start", type);
    watch_start();
    crew_create(type, memory);
    census_wait();
    crew_dismiss();
    watch_end();
    tables_forget();
    atomic_store(&running, false);
    return 0;
}

/* --- machines ------------------------------------------------------------------------------- */

machine_id production_create(const struct machine_type *type, const void *memory) {
    machine_only("machine_create");
    check_type("machine_create", type);
    return crew_create(type, memory);
}

/* The channel for this receiver: no more events wait than the receiver's own bound allows. */
static struct machine_channel narrow(const struct machine_channel *channel,
                                     const struct member *to) {
    uint32_t own = to->machine.table->queue_bound;
    if (channel == NULL || channel->bound > own)
        return (struct machine_channel){.bound = own, .full = MACHINE_FULL_FAILS};
    uint32_t bound = channel->bound != 0 ? channel->bound : own;
    return (struct machine_channel){.bound = bound, .full = channel->full};
}

/* Monitors look while the inbox is locked. So they see the events for one machine in the order
 * in which these wait there, and before they are taken. */
void production_send(const struct machine_channel *channel, machine_id to,
                     const struct machine_event *event, const void *payload, size_t size) {
    struct runner *self = machine_only("machine_send");
    reaction_check_payload(&self->reaction, event, size);
    struct member *receiver = crew_find(to);
    if (receiver == NULL)
        production_wrong("it sends %s to machine %u, which does not exist", event->name, to);
    struct machine_channel by = narrow(channel, receiver);
    enum inbox_room room = inbox_lock(&receiver->inbox, by.bound, by.full == MACHINE_FULL_BLOCKS);
    if (room == INBOX_FULL && by.full == MACHINE_FULL_FAILS)
        production_wrong("it sends %s to %s %u, where %u events wait already", event->name,
                         receiver->machine.table->type->name, to, by.bound);
    if (room != INBOX_OVER)
        watch_see(&(struct machine_message){event, self->id, payload}, to);
    if (room == INBOX_ROOM)
        inbox_put(&receiver->inbox, event, self->id, payload);
    inbox_unlock(&receiver->inbox);
    if (room == INBOX_OVER)
        crew_leave();
}

void production_announce(const struct machine_event *event, const void *payload, size_t size) {
    struct runner *self = machine_only("machine_announce");
    reaction_check_payload(&self->reaction, event, size);
    watch_see(&(struct machine_message){event, self->id, payload}, 0);
}

void production_raise(const struct machine_event *event, const void *payload, size_t size) {
    reaction_raise(&anybody("machine_raise")->reaction, event, payload, size);
}

void production_move(enum machine_then how, const char *state) {
    static const char *const calls[] = {[THEN_GOTO] = "machine_goto",
                                        [THEN_PUSH] = "machine_push",
                                        [THEN_POP] = "machine_pop",
                                        [THEN_HALT] = "machine_halt"};
    reaction_move(&anybody(calls[how])->reaction, how, state);
}

static bool is_one_of(const void *events, const struct machine_event *event) {
    const struct machine_event *const *one = events;
    while (*one != NULL && *one != event)
        one++;
    return *one != NULL;
}

const struct machine_message *production_receive(const struct machine_event *const *events) {
    struct member *self = machine_only("machine_receive")->member;
    free(self->received);
    self->received = NULL; /* in case the machine leaves while it waits */
    self->received = inbox_take(&self->inbox, is_one_of, events);
    if (self->received == NULL)
        crew_leave();
    return &self->received->content;
}
