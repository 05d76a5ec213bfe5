/* clocked.c - a clocked transition system: Fischer's mutual exclusion, with time in ticks.
 *
 * Time stands still while processes move. When each process has done what is due, time goes on by
 * one tick for all of them together. A process that wants to enter reads x. If x is 0, it writes
 * its number there, which takes at most WRITE_TICKS. Then it waits longer than that, and enters if
 * its number is still there. By then every other process that has read 0 before has overwritten the
 * number. Without time there would be no mutual exclusion.
 *
 * The clock makes TICKS ticks. Each process chooses when it begins, how long its write takes, and
 * how long it stays in its critical section.
 *
 * correct: 2 3
 * bug 1 assertion at 2: a process waits exactly as long as a write may take, not longer. Both read
 *     0. One writes, waits and enters. Then the other one writes, at the last moment.
 * bug 2 assertion at 2: time may go on during a write, so that the write takes longer than it may.
 *     The other process has waited and entered by then.
 * bug 3 assertion at 2: a process that finds its number overwritten sets x back to 0. Both write in
 *     the same tick. The second one enters; the first one clears x, tries again and enters too. */
#include "protocol.h"

enum { PROCESSES_MAX = 6, WRITE_TICKS = 1, TICKS = 6 };

EVENT(TICK); /* from the clock: one tick has passed */
EVENT(TOCK); /* to the clock: the process has done what is due */
EVENT(READ);
struct value {
    uint8_t value;
};
EVENT(VALUE, struct value);
EVENT(WRITE, struct value);
EVENT(STORED);
EVENT(ENTERED);
EVENT(LEFT);

/* --- x -------------------------------------------------------------------------------------- */

struct memory {
    uint8_t x;
};
DECLARE_MACHINE(Memory, struct memory);

static void load(struct memory *me, const void *nothing) {
    (void)nothing;
    machine_send(machine_sender(), VALUE, .value = me->x);
}

static void store(struct memory *me, const struct value *value) {
    me->x = value->value;
    machine_send(machine_sender(), STORED);
}

MACHINE(Memory, START("Ready", ON(READ, load), ON(WRITE, store)));

/* --- a process ------------------------------------------------------------------------------ */

struct process {
    machine_id memory, clock;
    uint8_t number; /* from 1, because 0 in x means no process */
    uint8_t ticks;  /* ticks since its read, or since its write */
};
DECLARE_MACHINE(Process, struct process);

static void done(struct process *me, const char *state) {
    machine_send(me->clock, TOCK);
    machine_goto(state);
}

static void look(struct process *me, const void *nothing) {
    (void)nothing;
    if (heddle_choose(2) == 0) {
        done(me, "Resting");
        return;
    }
    machine_send(me->memory, READ);
    machine_goto("Looking");
}

static void write_x(struct process *me, uint8_t value) {
    me->ticks = 0;
    if (bug == 2)
        machine_send(me->clock, TOCK);
    machine_send(me->memory, WRITE, .value = value);
    machine_goto(value == 0 ? "Clearing" : "Writing");
}

static void looked(struct process *me, const struct value *x) {
    if (x->value != 0)
        done(me, "Resting");
    else if (heddle_choose(2) == 0)
        write_x(me, me->number);
    else
        done(me, "Hesitating");
}

static void hesitate(struct process *me, const void *nothing) {
    (void)nothing;
    if (++me->ticks == WRITE_TICKS || heddle_choose(2) == 0)
        write_x(me, me->number);
    else
        done(me, "Hesitating");
}

static void stored(struct process *me, const void *nothing) {
    (void)nothing;
    if (bug != 2)
        machine_send(me->clock, TOCK);
}

static void wait(struct process *me, const void *nothing) {
    (void)nothing;
    if (++me->ticks <= WRITE_TICKS && !(bug == 1 && me->ticks == WRITE_TICKS)) {
        done(me, "Waiting");
        return;
    }
    me->ticks = 0;
    machine_send(me->memory, READ);
    machine_goto("Checking");
}

static void checked(struct process *me, const struct value *x) {
    if (x->value == me->number) {
        machine_announce(ENTERED);
        done(me, "Critical");
    } else if (bug == 3)
        write_x(me, 0);
    else
        done(me, "Resting");
}

static void stay_or_leave(struct process *me, const void *nothing) {
    (void)nothing;
    if (heddle_choose(2) == 1) {
        done(me, "Critical");
        return;
    }
    machine_announce(LEFT);
    write_x(me, 0);
}

MACHINE(Process, START("Resting", ON(TICK, look)), STATE("Looking", ON(VALUE, looked)),
        STATE("Hesitating", ON(TICK, hesitate)),
        STATE("Writing", ON_GOTO(STORED, stored, "Waiting"), DEFER(TICK)),
        STATE("Waiting", ON(TICK, wait)), STATE("Checking", ON(VALUE, checked)),
        STATE("Critical", ON(TICK, stay_or_leave)),
        STATE("Clearing", ON_GOTO(STORED, stored, "Resting"), DEFER(TICK)));

/* --- the clock ------------------------------------------------------------------------------ */

struct clock {
    machine_id processes[PROCESSES_MAX];
    uint8_t ticks, ready;
};
DECLARE_MACHINE(Clock, struct clock);

static void tick(struct clock *me) {
    me->ready = 0;
    if (me->ticks++ == TICKS)
        machine_halt();
    else
        for (int i = 0; i < participants; i++)
            machine_send(me->processes[i], TICK);
}

static void begin(struct clock *me) {
    machine_id memory = machine_create(Memory);
    for (int i = 0; i < participants; i++)
        me->processes[i] = machine_create(Process, .memory = memory, .clock = machine_self(),
                                          .number = (uint8_t)(i + 1));
    tick(me);
    machine_goto("Ticking");
}

static void tock(struct clock *me, const void *nothing) {
    (void)nothing;
    if (++me->ready == participants)
        tick(me);
}

MACHINE(Clock, START("Off", ENTRY(begin)), STATE("Ticking", ON(TOCK, tock)));

/* --- monitor: at most one process is in its critical section -------------------------------- */

struct exclusion {
    uint8_t inside;
};
DECLARE_MACHINE(Exclusion, struct exclusion);

static void entered(struct exclusion *me, const void *nothing) {
    (void)nothing;
    heddle_assert(++me->inside == 1);
}

static void left(struct exclusion *me, const void *nothing) {
    (void)nothing;
    me->inside--;
}

MONITOR(Exclusion, START("Watching", ON(ENTERED, entered), ON(LEFT, left)));

int main(int argc, char **argv) {
    protocol_arguments(argc, argv, 2, PROCESSES_MAX, 3);
    machine_watch(Exclusion);
    return machine_start(Clock);
}
