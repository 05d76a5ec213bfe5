/* elevator_door.c - the door of an elevator, its close timer and its users, after the first example of
 * "P: safe asynchronous event-driven programming" (PLDI 2013).
 *
 * The door stands open until a timer fires; then it is ready to close, and closes when a user says so
 * or the timer fires again. Who presses "open" meanwhile gets it back: the timer is stopped and started anew,
 * or the moving door is stopped and opened. A timer that is to be stopped may have fired already, and a
 * door that is to be stopped may be shut already, or have met an object: the answers cross the
 * commands. Participants are users, who press PRESSES buttons each. The door meets an object OBJECTS times
 * at most.
 *
 * correct: 1 2 3
 * bug 1 unhandled-event at 1: an elevator that is stopping the door does not expect it to meet an object. A
 *     user presses "open" while the door closes, and the door halts by itself before it is told to.
 * bug 2 unhandled-event at 1: when it is too late to stop the timer, its FIRED is not waited for. It is
 *     taken for that of the timer that is started next, whose own FIRED comes when the door closes.
 * bug 3 assertion at 1: a door that shuts although it was to be stopped stays shut, as in the paper. The
 *     press on "open" that came while the last gap closed is forgotten.
 */
#include "protocol.h"

enum { USERS_MAX = 8, PRESSES = 2, OBJECTS = 1 };

EVENT(PRESS_OPEN); /* users to elevator */
EVENT(PRESS_CLOSE);
EVENT(OPEN); /* elevator to door */
EVENT(CLOSE);
EVENT(STOP);
EVENT(OPENED); /* door to elevator */
EVENT(CLOSED);
EVENT(HALTED);
EVENT(OBJECT);
EVENT(MOVED);        /* door to itself: it has reached its end, unless something is in the way */
EVENT(START_TIMER);  /* elevator to timer */
EVENT(CANCEL_TIMER); /* answered by one of: */
EVENT(CANCELLED);    /* it will not fire; */
EVENT(TOO_LATE);     /* it has fired */
EVENT(FIRED);
EVENT(TICK);          /* timer to itself: the time is over */
EVENT(TIMER_STOPPED); /* elevator to itself: back from stopping the timer */

/* --- the door, whose motor takes time ------------------------------------------------------- */

struct door {
    machine_id elevator;
    uint8_t objects; /* that may still come */
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

/* A STOP that comes too late is of no interest: the elevator hears what has happened instead. */
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

/* Nobody may start it while it runs. */
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

/* StoppingTimer and what follows it are pushed, and return by TIMER_STOPPED to the state below, which knows
 * what to do then. */
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

/* --- who presses "open" finds the door open; nothing is crushed ----------------------------- */

struct safe_door {
    bool waited_for; /* somebody has pressed, and the door has not been open since */
    bool open;
    bool object; /* in the way */
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
