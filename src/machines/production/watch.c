/* watch.c - see watch.h. The set of monitors does not change while machines run, so it is read
 * without the lock. */
#include "machines/production/watch.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "machines/production/runner.h"
#include "machines/production/tables.h"

struct monitor {
    struct machine machine;
    struct runner runner;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct monitor monitors[MACHINE_MONITORS_MAX];
static uint32_t monitor_count;

void watch_add(const struct machine_type *type, const void *memory) {
    if (!type->monitor)
        production_wrong("machine_watch of %s, which is not a monitor", type->name);
    if (monitor_count == MACHINE_MONITORS_MAX)
        production_wrong("more than %d monitors: %s", MACHINE_MONITORS_MAX, type->name);
    struct monitor *monitor = &monitors[monitor_count++];
    monitor->machine = (struct machine){.table = table_of(type)};
    void *copy = memcpy(production_allocate(type->size), memory, type->size);
    runner_init(&monitor->runner, &monitor->machine, copy);
}

void watch_start(void) {
    for (uint32_t i = 0; i < monitor_count; i++) {
        runner_switch(&monitors[i].runner);
        reaction_start(&monitors[i].runner.reaction);
    }
    runner_switch(NULL);
}

static bool sees(const struct monitor *monitor, const struct machine_event *event) {
    return machine_table_mentions(monitor->machine.table, event);
}

static bool anybody_sees(const struct machine_event *event) {
    for (uint32_t i = 0; i < monitor_count; i++)
        if (sees(&monitors[i], event))
            return true;
    return false;
}

/* Shows the event to a monitor, in the name of the machine that sends. */
static void show(struct monitor *monitor, const struct machine_message *message,
                 machine_id receiver) {
    if (monitor->machine.halted || !sees(monitor, message->event))
        return;
    struct runner *sender = runner_switch(&monitor->runner);
    monitor->runner.id = sender->id;
    runner_react(&monitor->runner, message, receiver);
    runner_switch(sender);
}

void watch_see(const struct machine_message *message, machine_id receiver) {
    if (!anybody_sees(message->event))
        return;
    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < monitor_count; i++)
        show(&monitors[i], message, receiver);
    pthread_mutex_unlock(&lock);
}

static void end(struct monitor *monitor) {
    machine_entry *at_end = monitor->machine.table->at_end;
    struct reaction *reaction = &monitor->runner.reaction;
    if (at_end != NULL && !monitor->machine.halted) {
        runner_switch(&monitor->runner);
        monitor->runner.id = reaction->sender = reaction->receiver = 0;
        at_end(reaction->memory);
        if (reaction->then != THEN_NOTHING)
            production_wrong("it moves or raises at the end");
        runner_switch(NULL);
    }
    free(reaction->memory);
}

void watch_end(void) {
    for (uint32_t i = 0; i < monitor_count; i++)
        end(&monitors[i]);
    monitor_count = 0;
}
