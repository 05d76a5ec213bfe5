/* monitor.c - monitors: machines without a queue, which see events when they are sent. They have
 * slots like machines, behind those of all tasks, and are part of the state. A monitor runs within
 * the step of the machine that sends. When all machines wait for events and no event is on its way,
 * the execution has ended, and AT_END is called. */
#include "execution/finding.h"
#include "substrates/native/machines/machine.h"

static uint32_t count;
static const struct machine_table *tables[MACHINE_MONITORS_MAX]; /* of the monitors */

uint32_t monitors_count(void) {
    return count;
}

uint32_t monitor_id(uint32_t number) {
    return SESSION_TASKS_MAX + number;
}

static struct slot *monitor(uint32_t number) {
    return slot_of(monitor_id(number));
}

void monitors_reset(void) {
    count = 0;
}

/* Runs a monitor in the name of main, or later of the machine that sends. */
static void run(struct slot *slot, const struct machine_event *event, const void *payload,
                uint32_t sender, uint32_t receiver, machine_entry *at_end) {
    struct reaction reaction, *outer = reacting;
    slot_touch(slot); /* first, because the reaction may fail half-way */
    machine_react_from(slot, &reaction);
    reaction.sender = sender;
    reaction.receiver = receiver;
    if (at_end != NULL)
        at_end(slot->memory);
    else if (event != NULL)
        reaction_to(&reaction, event, payload);
    else
        reaction_start(&reaction);
    reacting = outer;
}

void monitors_add(const struct machine_table *table, const void *memory, uint64_t pc) {
    if (count == MACHINE_MONITORS_MAX)
        machine_wrong(FINDING_MACHINE, pc, "more than %d monitors", MACHINE_MONITORS_MAX);
    slot_begin(monitor(count), table, memory);
    tables[count] = table;
    count++;
}

/* When machines begin. The first reactions of monitors belong to the first step. */
void monitors_start(void) {
    for (uint32_t i = 0; i < count; i++)
        run(monitor(i), NULL, NULL, 0, 0, NULL);
}

uint64_t monitors_of(const struct machine_event *event) {
    for (uint32_t i = 0; i < count; i++)
        if (machine_table_mentions(tables[i], event))
            return (uint64_t)monitor(0);
    return 0;
}

void monitors_see(const struct machine_event *event, const void *payload, uint32_t sender,
                  uint32_t receiver) {
    for (uint32_t i = 0; i < count; i++)
        if (machine_table_mentions(tables[i], event) && !monitor(i)->machine.halted)
            run(monitor(i), event, payload, sender, receiver, NULL);
}

void monitors_end(void) {
    for (uint32_t i = 0; i < count; i++)
        if (tables[i]->at_end != NULL && !monitor(i)->machine.halted)
            run(monitor(i), NULL, NULL, 0, 0, tables[i]->at_end);
}
