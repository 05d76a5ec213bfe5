/* clocked.c - a clocked transition system: Fischer's mutual exclusion, with time in ticks.
 *
 * Time stands still while processes move, and goes on for all of them together, by one tick, when
 * each has done what is due. Who wants to enter looks whether x is 0; writes its number there,
 * which takes it WRITE_TICKS at most; waits for more than that; and enters if its number is still
 * there. For whoever has read 0 before the number was written has written over it by then. Without
 * time there would be no mutual exclusion.
 *
 * The clock makes TICKS ticks. When a process begins, how long it takes to write, and how long it
 * stays in its critical section, is its own choice.
 *
 * correct: 2 3
 * bug 1 assertion at 2: it waits as long as a write may take, and not longer. Both read 0; one
 *     writes, waits and enters; then the other writes, at the last moment.
 * bug 2 assertion at 2: time may go on while the write is under way, which is then later than it
 *     may be: the other has waited and entered.
 * bug 3 assertion at 2: who finds that it was overwritten puts x back to 0. Both write in the same
 *     tick; the second one enters, the first one clears x behind its back, tries again and enters
 *     too.
 */
#include "protocol.h"

enum { PROCESSES_MAX = 6, WRITE_TICKS = 1, TICKS = 6 };

EVENT(TICK); /* this much time has gone by */
EVENT(TOCK); /* it may go on */
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
    uint8_t number; /* not 0 */
    uint8_t ticks;  /* since it read, or wrote */
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

/* --- one in its critical section ------------------------------------------------------------ */

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
