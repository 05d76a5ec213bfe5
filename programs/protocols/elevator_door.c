/* elevator_door.c - the door of an elevator, its close timer and its users, after the first example
 * of "P: safe asynchronous event-driven programming" (PLDI 2013).
 *
 * The door stands open until a timer fires. Then the door is ready to close, and it closes when a
 * user presses "close" or when the timer fires again. If a user presses "open" in the meantime, the
 * timer is stopped and started again, or the moving door is stopped and opened. A timer that is to
 * be stopped may have fired already. A door that is to be stopped may be shut already, or may have
 * met an object. So answers and commands cross each other. The participants are users, who press
 * PRESSES buttons each. The door meets an object OBJECTS times at most.
 *
 * correct: 1 2 3
 * bug 1 unhandled-event at 1: an elevator that is stopping the door does not expect that the door
 *     meets an object. A user presses "open" while the door closes, and the door halts by itself
 *     before it gets the command.
 * bug 2 unhandled-event at 1: if it is too late to stop the timer, the elevator does not wait for
 *     its FIRED. This FIRED is then taken for that of the next timer, whose own FIRED comes when
 *     the door closes.
 * bug 3 assertion at 1: a door that shuts before it can be stopped stays shut, as in the paper. A
 *     press on "open" that came just before is forgotten. */
#include "protocol.h"

enum { USERS_MAX = 8, PRESSES = 2, OBJECTS = 1 };

EVENT(PRESS_OPEN); /* from users to the elevator */
EVENT(PRESS_CLOSE);
EVENT(OPEN); /* from the elevator to the door */
EVENT(CLOSE);
EVENT(STOP);
EVENT(OPENED); /* from the door to the elevator */
EVENT(CLOSED);
EVENT(HALTED);
EVENT(OBJECT);
/* From the door to itself: it has reached its end, unless something is in the way. */
EVENT(MOVED);
EVENT(START_TIMER);  /* from the elevator to the timer */
EVENT(CANCEL_TIMER); /* answered by CANCELLED or TOO_LATE */
EVENT(CANCELLED);    /* the timer will not fire */
EVENT(TOO_LATE);     /* the timer has fired already */
EVENT(FIRED);
EVENT(TICK);          /* from the timer to itself: the time is over */
EVENT(TIMER_STOPPED); /* from the elevator to itself: the timer is stopped */

/* --- the door, whose motor takes time ------------------------------------------------------- */

struct door {
    machine_id elevator;
    uint8_t objects; /* how many objects may still come */
};
DECLARE_MACHINE(Door, struct door);

static void start_motor(struct door *me) {
    (void)me;
    machine_send(machine_self(), MOVED);
}

static void fully_open(struct door *me, const void *nothing) {
    (void)nothing;
    machine_send(me->elevator, OPENED);
}

static void closed_or_not(struct door *me, const void *nothing) {
    (void)nothing;
    if (me->objects > 0 && heddle_choose(2) == 1) {
        me->objects--;
        machine_send(me->elevator, OBJECT);
        machine_goto("Halted");
    } else {
        machine_send(me->elevator, CLOSED);
        machine_goto("Closed");
    }
}

static void tell_halted(struct door *me, const void *nothing) {
    (void)nothing;
    machine_send(me->elevator, HALTED);
}

/* A STOP that comes too late is ignored, because the elevator is told what has happened instead. */
MACHINE(Door, START("Closed", GOTO(OPEN, "Opening"), IGNORE(STOP)),
        STATE("Opening", ENTRY(start_motor), ON_GOTO(MOVED, fully_open, "Open")),
        STATE("Open", GOTO(CLOSE, "Closing")),
        STATE("Closing", ENTRY(start_motor), ON(MOVED, closed_or_not), GOTO(STOP, "Braking")),
        STATE("Braking", ON_GOTO(MOVED, tell_halted, "Halted")),
        STATE("Halted", GOTO(OPEN, "Opening"), IGNORE(STOP)));

/* --- the timer ------------------------------------------------------------------------------ */

struct timer {
    machine_id elevator;
};
DECLARE_MACHINE(Timer, struct timer);

static void start_clock(struct timer *me) {
    (void)me;
    machine_send(machine_self(), TICK);
}

static void fire(struct timer *me, const void *nothing) {
    (void)nothing;
    machine_send(me->elevator, FIRED);
}

static void cancelled(struct timer *me, const void *nothing) {
    (void)nothing;
    machine_send(me->elevator, CANCELLED);
}

static void too_late(struct timer *me, const void *nothing) {
    (void)nothing;
    machine_send(me->elevator, TOO_LATE);
}

/* The elevator must not start the timer while it runs. */
MACHINE(Timer, START("Idle", GOTO(START_TIMER, "Running"), ON(CANCEL_TIMER, too_late)),
        STATE("Running", ENTRY(start_clock), ON_GOTO(TICK, fire, "Idle"),
              ON_GOTO(CANCEL_TIMER, cancelled, "Cancelled")),
        STATE("Cancelled", GOTO(TICK, "Idle"), DEFER(START_TIMER)));

/* --- the elevator --------------------------------------------------------------------------- */

struct elevator {
    machine_id door, timer;
};
DECLARE_MACHINE(Elevator, struct elevator);

static void build_elevator(struct elevator *me) {
    me->door = machine_create(Door, .elevator = machine_self(), .objects = OBJECTS);
    me->timer = machine_create(Timer, .elevator = machine_self());
    machine_goto("Closed");
}

static void command_open(struct elevator *me) {
    machine_send(me->door, OPEN);
}

static void command_close(struct elevator *me) {
    machine_send(me->door, CLOSE);
}

static void command_stop(struct elevator *me) {
    machine_send(me->door, STOP);
}

static void start_timer(struct elevator *me) {
    machine_send(me->timer, START_TIMER);
}

static void cancel_timer(struct elevator *me) {
    machine_send(me->timer, CANCEL_TIMER);
}

static void timer_stopped(struct elevator *me) {
    (void)me;
    machine_raise(TIMER_STOPPED);
}

static void stop_door(struct elevator *me, const void *nothing) {
    (void)me, (void)nothing;
    machine_goto(bug == 1 ? "StoppingBareDoor" : "StoppingDoor");
}

static void shut_too_early(struct elevator *me, const void *nothing) {
    (void)me, (void)nothing;
    machine_goto(bug == 3 ? "Closed" : "Opening");
}

static void timer_was_faster(struct elevator *me, const void *nothing) {
    (void)me, (void)nothing;
    machine_goto(bug == 2 ? "TimerStopped" : "Flushing");
}

/* StoppingTimer and the states after it are pushed. TIMER_STOPPED pops back to the state below,
 * which knows what to do next. */
MACHINE(Elevator, START("Building", ENTRY(build_elevator)),
        STATE("Closed", GOTO(PRESS_OPEN, "Opening"), IGNORE(PRESS_CLOSE)),
        STATE("Opening", ENTRY(command_open), GOTO(OPENED, "Opened"), IGNORE(PRESS_OPEN),
              DEFER(PRESS_CLOSE)),
        STATE("Opened", ENTRY(start_timer), GOTO(FIRED, "OkToClose"),
              PUSH(PRESS_OPEN, "StoppingTimer"), GOTO(TIMER_STOPPED, "Opened"), DEFER(PRESS_CLOSE)),
        STATE("OkToClose", ENTRY(start_timer), GOTO(FIRED, "Closing"),
              PUSH(PRESS_CLOSE, "StoppingTimer"), GOTO(TIMER_STOPPED, "Closing"),
              DEFER(PRESS_OPEN)),
        STATE("Closing", ENTRY(command_close), GOTO(CLOSED, "Closed"), GOTO(OBJECT, "Opening"),
              ON(PRESS_OPEN, stop_door), DEFER(PRESS_CLOSE)),
        STATE("StoppingDoor", ENTRY(command_stop), GOTO(HALTED, "Opening"),
              ON(CLOSED, shut_too_early), GOTO(OBJECT, "Opening"), IGNORE(PRESS_OPEN),
              DEFER(PRESS_CLOSE)),
        STATE("StoppingBareDoor", /* bug 1 */
              ENTRY(command_stop), GOTO(HALTED, "Opening"), ON(CLOSED, shut_too_early),
              IGNORE(PRESS_OPEN), DEFER(PRESS_CLOSE)),
        STATE("StoppingTimer", ENTRY(cancel_timer), GOTO(CANCELLED, "TimerStopped"),
              ON(TOO_LATE, timer_was_faster), DEFER(FIRED), DEFER(PRESS_OPEN), DEFER(PRESS_CLOSE)),
        STATE("Flushing", GOTO(FIRED, "TimerStopped"), DEFER(PRESS_OPEN), DEFER(PRESS_CLOSE)),
        STATE("TimerStopped", ENTRY(timer_stopped)));

/* --- users ---------------------------------------------------------------------------------- */

struct user {
    machine_id elevator;
};
DECLARE_MACHINE(User, struct user);

static void press(struct user *me) {
    for (int i = 0; i < PRESSES; i++)
        if (heddle_choose(2) == 0)
            machine_send(me->elevator, PRESS_OPEN);
        else
            machine_send(me->elevator, PRESS_CLOSE);
    machine_halt();
}

MACHINE(User, START("Pressing", ENTRY(press)));

struct building {
    uint8_t nothing;
};
DECLARE_MACHINE(Building, struct building);

static void build(struct building *me) {
    (void)me;
    machine_id elevator = machine_create(Elevator);
    for (int i = 0; i < participants; i++)
        machine_create(User, .elevator = elevator);
    machine_halt();
}

MACHINE(Building, START("Building", ENTRY(build)));

/* --- monitor: the door opens after a press on "open", and crushes nothing ------------------- */

struct safe_door {
    bool waited_for; /* a user has pressed "open", and the door has not been open since */
    bool open;
    bool object; /* an object is in the way */
};
DECLARE_MACHINE(SafeDoor, struct safe_door);

static void pressed(struct safe_door *me, const void *nothing) {
    (void)nothing;
    me->waited_for |= !me->open;
}

static void opened(struct safe_door *me, const void *nothing) {
    (void)nothing;
    me->waited_for = false;
    me->open = true;
    me->object = false;
}

static void object_in_the_way(struct safe_door *me, const void *nothing) {
    (void)nothing;
    me->object = true;
}

static void closes(struct safe_door *me, const void *nothing) {
    (void)nothing;
    heddle_assert(!me->object);
    me->open = false;
}

static void nobody_waits(struct safe_door *me) {
    heddle_assert(!me->waited_for);
}

MONITOR(SafeDoor, AT_END(nobody_waits),
        START("Watching", ON(PRESS_OPEN, pressed), ON(OPENED, opened),
              ON(OBJECT, object_in_the_way), ON(CLOSE, closes)));

int main(int argc, char **argv) {
    protocol_arguments(argc, argv, 1, USERS_MAX, 3);
    machine_watch(SafeDoor);
    return machine_start(Building);
}
