/* osr_driver.c - the driver of a learning device on a bus: switches, a bar graph that shows them,
 * an LED, and a timer that waits until the switches have come to rest. After the OSR USB-FX2 driver
 * of the P papers.
 *
 * While the device has power (state D0), the driver shows each change of the switches on the bar
 * graph by a control transfer, sets the LED to "unstable", and starts the debounce timer. When the
 * timer fires, the driver sets the LED to "stable" and completes all requests that wait for a
 * change. Another change in the meantime starts the timer again. A loss of power (state Dx) stops
 * the timer. If the switches were not at rest then, the driver waits for them again when power
 * comes back. A timer that is to be stopped may have fired already. Requests come and are cancelled
 * at any time. The state Present, at the bottom of the driver's stack, handles them for all other
 * states.
 *
 * The participants are applications. Each one has one request, which it may cancel. The switches
 * change CHANGES times, to any value. Power comes and goes ROUNDS times at most, then the device is
 * removed. FAILURES transfers fail, and are tried again.
 *
 * correct: 1 2
 * bug 1 unhandled-event at 1: a FIRED while the timer is being stopped counts as the answer. The
 *     real answer, TOO_LATE, comes when the driver does not expect it any more.
 * bug 2 unhandled-event at 1: power goes while the timer runs, and the driver does not stop the
 *     timer. FIRED comes without power, or after power is back.
 * bug 3 unhandled-event at 1: the driver reports a request as cancelled although it has been
 *     completed. The application cancels while the completion is on its way.
 * bug 4 assertion at 1: if the timer fires while it is being stopped, the driver believes that the
 *     switches are at rest. But it was stopping the timer because of a change, which is then not
 *     shown.
 * bug 5 assertion at 1: the driver forgets that the switches were not at rest when power went.
 *     Power goes after a change and comes back, and the LED says "unstable" forever. */
#include "protocol.h"

enum { APPLICATIONS_MAX = 4, CHANGES = 2, ROUNDS = 2, FAILURES = 1 };

struct switches {
    uint8_t value;
};
struct led {
    bool stable;
};
struct request {
    uint8_t application;
};
/* D0_ENTRY and D0_EXIT: from the power manager to the driver, which answers POWER_DONE. */
EVENT(D0_ENTRY);
EVENT(D0_EXIT);
EVENT(POWER_DONE);
EVENT(REMOVE); /* not answered */
EVENT(SWITCHES, struct switches);
/* From the driver to the device, which answers with one of the next events. */
EVENT(SHOW_BAR, struct switches);
EVENT(SET_LED, struct led);
EVENT(TRANSFER_OK);
EVENT(TRANSFER_FAILED);
EVENT(START_TIMER);
EVENT(CANCEL_TIMER);    /* answered by TIMER_CANCELLED or TOO_LATE */
EVENT(TIMER_CANCELLED); /* the timer will not fire */
EVENT(TOO_LATE);        /* the timer has fired already */
EVENT(FIRED);
EVENT(TICK);                   /* from the timer to itself: the time is over */
EVENT(TIMER_STOPPED);          /* from the driver to itself */
EVENT(WAIT, struct request);   /* from an application to the driver: report the next change */
EVENT(CANCEL, struct request); /* from an application to the driver: do not report it */
EVENT(COMPLETED);
EVENT(REQUEST_CANCELLED);

/* --- the device: switches, bar graph and LED ------------------------------------------------ */

struct knobs {
    machine_id driver;
};
DECLARE_MACHINE(Knobs, struct knobs);

static void play(struct knobs *me) {
    for (int i = 0; i < CHANGES; i++)
        machine_send(me->driver, SWITCHES, .value = (uint8_t)heddle_choose(2));
    machine_halt();
}

MACHINE(Knobs, START("Playing", ENTRY(play)));

struct panel {
    machine_id driver;
    uint8_t failures; /* how many failures may still come */
};
DECLARE_MACHINE(Panel, struct panel);

static void show_bar(struct panel *me, const struct switches *switches) {
    (void)switches;
    if (me->failures > 0 && heddle_choose(2) == 1) {
        me->failures--;
        machine_send(me->driver, TRANSFER_FAILED);
    } else {
        machine_send(me->driver, TRANSFER_OK);
    }
}

static void set_led(struct panel *me, const struct led *led) {
    (void)led;
    machine_send(me->driver, TRANSFER_OK);
}

MACHINE(Panel, START("Ready", ON(SHOW_BAR, show_bar), ON(SET_LED, set_led)));

/* --- the timer ------------------------------------------------------------------------------ */

struct timer {
    machine_id driver;
};
DECLARE_MACHINE(Timer, struct timer);

static void start_clock(struct timer *me) {
    (void)me;
    machine_send(machine_self(), TICK);
}

static void fire(struct timer *me, const void *nothing) {
    (void)nothing;
    machine_send(me->driver, FIRED);
}

static void cancelled(struct timer *me, const void *nothing) {
    (void)nothing;
    machine_send(me->driver, TIMER_CANCELLED);
}

static void too_late(struct timer *me, const void *nothing) {
    (void)nothing;
    machine_send(me->driver, TOO_LATE);
}

MACHINE(Timer, START("Idle", GOTO(START_TIMER, "Running"), ON(CANCEL_TIMER, too_late)),
        STATE("Running", ENTRY(start_clock), ON_GOTO(TICK, fire, "Idle"),
              ON_GOTO(CANCEL_TIMER, cancelled, "Cancelled")),
        STATE("Cancelled", GOTO(TICK, "Idle"), DEFER(START_TIMER)));

/* --- the driver ----------------------------------------------------------------------------- */

struct driver {
    machine_id power, panel, timer;
    machine_id waiting[APPLICATIONS_MAX]; /* the applications whose requests are pending, or 0 */
    uint8_t read;                         /* the value that was read from the switches */
    uint8_t shown;
    bool unsettled; /* a change was shown, but not yet reported as stable */
    bool fired;     /* the timer fired before it could be stopped */
};
DECLARE_MACHINE(Driver, struct driver);

static void attach(struct driver *me) {
    me->panel = machine_create(Panel, .driver = machine_self(), .failures = FAILURES);
    me->timer = machine_create(Timer, .driver = machine_self());
    machine_push("Dx");
}

static void keep_request(struct driver *me, const struct request *request) {
    me->waiting[request->application] = machine_sender();
}

static void refuse_request(struct driver *me, const struct request *request) {
    (void)me, (void)request;
    machine_send(machine_sender(), COMPLETED);
}

static void cancel_request(struct driver *me, const struct request *request) {
    if (me->waiting[request->application] == 0 && bug != 3)
        return; /* the request was completed, and the completion crossed the cancellation */
    me->waiting[request->application] = 0;
    machine_send(machine_sender(), REQUEST_CANCELLED);
}

static void complete_requests(struct driver *me) {
    for (int i = 0; i < participants; i++) {
        if (me->waiting[i] != 0)
            machine_send(me->waiting[i], COMPLETED);
        me->waiting[i] = 0;
    }
}

static void enter_d0(struct driver *me, const void *nothing) {
    (void)nothing;
    machine_send(me->power, POWER_DONE);
    machine_goto(me->unsettled && bug != 5 ? "Debouncing" : "Waiting");
}

static void exit_d0(struct driver *me, const void *nothing) {
    (void)nothing;
    machine_send(me->power, POWER_DONE);
}

static void exit_debouncing(struct driver *me, const void *nothing) {
    if (bug == 2) {
        exit_d0(me, nothing);
        machine_goto("Dx");
    } else {
        machine_goto("StoppingOnExit");
    }
}

static void removed(struct driver *me, const void *nothing) {
    (void)nothing;
    complete_requests(me);
}

static void look_for_change(struct driver *me, const void *nothing) {
    (void)nothing;
    if (bug == 4 && me->fired)
        machine_goto("MarkingStable");
    else if (me->read != me->shown)
        machine_goto("ShowingBar");
    else if (me->unsettled)
        machine_goto("Debouncing");
}

static void switches_changed(struct driver *me, const struct switches *switches) {
    me->read = switches->value;
    look_for_change(me, NULL);
}

static void switches_bounce(struct driver *me, const struct switches *switches) {
    me->read = switches->value;
}

static void start_showing(struct driver *me) {
    machine_send(me->panel, SHOW_BAR, .value = me->read);
}

static void bar_shown(struct driver *me, const void *nothing) {
    (void)nothing;
    me->shown = me->read;
    me->unsettled = true;
}

static void mark_unstable(struct driver *me) {
    machine_send(me->panel, SET_LED, .stable = false);
}

static void mark_stable(struct driver *me) {
    machine_send(me->panel, SET_LED, .stable = true);
}

static void settled(struct driver *me, const void *nothing) {
    (void)nothing;
    me->unsettled = false;
    complete_requests(me);
}

static void start_timer(struct driver *me) {
    machine_send(me->timer, START_TIMER);
}

static void stop_timer(struct driver *me) {
    (void)me;
    machine_push("StoppingTimer");
}

static void cancel_timer(struct driver *me) {
    me->fired = false;
    machine_send(me->timer, CANCEL_TIMER);
}

static void fired_meanwhile(struct driver *me, const void *nothing) {
    (void)nothing;
    me->fired = true;
    machine_goto(bug == 1 ? "TimerStopped" : "AwaitingAnswer");
}

static void timer_stopped(struct driver *me) {
    (void)me;
    machine_raise(TIMER_STOPPED);
}

/* Present is always at the bottom of the stack. StoppingTimer and the states after it stand on the
 * state that pushed them. That state defers events for them, and knows what to do at
 * TIMER_STOPPED. */
MACHINE(Driver, START("Present", ENTRY(attach), ON(WAIT, keep_request), ON(CANCEL, cancel_request)),
        STATE("Dx", ON(D0_ENTRY, enter_d0), ON_GOTO(REMOVE, removed, "Removed"), DEFER(SWITCHES)),
        STATE("Removed", ON(WAIT, refuse_request), IGNORE(SWITCHES)),
        STATE("Waiting", ON(SWITCHES, switches_changed), ON_GOTO(D0_EXIT, exit_d0, "Dx")),
        STATE("ShowingBar", ENTRY(start_showing),
              ON_GOTO(TRANSFER_OK, bar_shown, "MarkingUnstable"),
              GOTO(TRANSFER_FAILED, "ShowingBar"), DEFER(D0_EXIT), DEFER(SWITCHES)),
        STATE("MarkingUnstable", ENTRY(mark_unstable), GOTO(TRANSFER_OK, "Debouncing"),
              DEFER(D0_EXIT), DEFER(SWITCHES)),
        STATE("Debouncing", ENTRY(start_timer), GOTO(FIRED, "MarkingStable"),
              ON_GOTO(SWITCHES, switches_bounce, "StoppingOnChange"), ON(D0_EXIT, exit_debouncing)),
        STATE("MarkingStable", ENTRY(mark_stable), ON_GOTO(TRANSFER_OK, settled, "Waiting"),
              DEFER(D0_EXIT), DEFER(SWITCHES)),
        STATE("StoppingOnChange", ENTRY(stop_timer), ON(TIMER_STOPPED, look_for_change),
              DEFER(D0_EXIT), DEFER(SWITCHES)),
        STATE("StoppingOnExit", ENTRY(stop_timer), ON_GOTO(TIMER_STOPPED, exit_d0, "Dx"),
              DEFER(SWITCHES)),
        STATE("StoppingTimer", ENTRY(cancel_timer), GOTO(TIMER_CANCELLED, "TimerStopped"),
              ON(FIRED, fired_meanwhile)),
        STATE("AwaitingAnswer", GOTO(TOO_LATE, "TimerStopped")),
        STATE("TimerStopped", ENTRY(timer_stopped)));

/* --- applications --------------------------------------------------------------------------- */

struct application {
    machine_id driver;
    uint8_t number;
};
DECLARE_MACHINE(Application, struct application);

static void ask(struct application *me) {
    machine_send(me->driver, WAIT, .application = me->number);
    if (heddle_choose(2) == 1)
        machine_send(me->driver, CANCEL, .application = me->number);
}

/* An application gets one answer, not two. */
MACHINE(Application,
        START("Waiting", ENTRY(ask), GOTO(COMPLETED, "Done"), GOTO(REQUEST_CANCELLED, "Done")),
        STATE("Done"));

/* --- the power manager ---------------------------------------------------------------------- */

struct power {
    machine_id driver;
    uint8_t rounds;
};
DECLARE_MACHINE(Power, struct power);

static void begin(struct power *me) {
    me->driver = machine_create(Driver, .power = machine_self());
    machine_create(Knobs, .driver = me->driver);
    for (int i = 0; i < participants; i++)
        machine_create(Application, .driver = me->driver, .number = (uint8_t)i);
    machine_goto("PowerUp");
}

static void power_up(struct power *me) {
    machine_send(me->driver, D0_ENTRY);
}

static void power_down(struct power *me) {
    machine_send(me->driver, D0_EXIT);
}

static void is_up(struct power *me, const void *nothing) {
    (void)me, (void)nothing;
    machine_goto(heddle_choose(2) == 1 ? "PowerDown" : "Up");
}

static void is_down(struct power *me, const void *nothing) {
    (void)nothing;
    if (++me->rounds < ROUNDS) {
        machine_goto("PowerUp");
    } else {
        machine_send(me->driver, REMOVE);
        machine_halt();
    }
}

MACHINE(Power, START("Starting", ENTRY(begin)),
        STATE("PowerUp", ENTRY(power_up), ON(POWER_DONE, is_up)),
        STATE("PowerDown", ENTRY(power_down), ON(POWER_DONE, is_down)), STATE("Up"));

/* --- monitor: no transfer without power, and in the end the device shows its switches ------- */

struct device_state {
    bool powered, leaving; /* leaving: D0_EXIT was sent and is not answered yet */
    uint8_t switches, bar, transfer;
    bool unstable;
};
DECLARE_MACHINE(DeviceState, struct device_state);

static void d0_entry(struct device_state *me, const void *nothing) {
    (void)nothing;
    me->powered = true;
}

static void d0_exit(struct device_state *me, const void *nothing) {
    (void)nothing;
    me->leaving = true;
}

static void power_done(struct device_state *me, const void *nothing) {
    (void)nothing;
    if (me->leaving)
        me->powered = false;
    me->leaving = false;
}

static void now_switches(struct device_state *me, const struct switches *switches) {
    me->switches = switches->value;
}

static void transfer_bar(struct device_state *me, const struct switches *switches) {
    heddle_assert(me->powered);
    me->transfer = switches->value;
}

static void transfer_led(struct device_state *me, const struct led *led) {
    heddle_assert(me->powered);
    me->unstable = !led->stable;
}

static void transferred(struct device_state *me, const void *nothing) {
    (void)nothing;
    me->bar = me->transfer;
}

static void shows_what_is(struct device_state *me) {
    heddle_assert(!me->powered || me->bar == me->switches);
    heddle_assert(!me->powered || !me->unstable);
}

MONITOR(DeviceState, AT_END(shows_what_is),
        START("Watching", ON(D0_ENTRY, d0_entry), ON(D0_EXIT, d0_exit), ON(POWER_DONE, power_done),
              ON(SWITCHES, now_switches), ON(SHOW_BAR, transfer_bar), ON(SET_LED, transfer_led),
              ON(TRANSFER_OK, transferred)));

/* --- monitor: no request is left when the device is removed --------------------------------- */

struct requests {
    uint8_t open;
    bool removed;
};
DECLARE_MACHINE(Requests, struct requests);

static void opened(struct requests *me, const struct request *request) {
    (void)request;
    me->open++;
}

static void answered(struct requests *me, const void *nothing) {
    (void)nothing;
    me->open--;
}

static void device_removed(struct requests *me, const void *nothing) {
    (void)nothing;
    me->removed = true;
}

static void none_left(struct requests *me) {
    heddle_assert(!me->removed || me->open == 0);
}

MONITOR(Requests, AT_END(none_left),
        START("Watching", ON(WAIT, opened), ON(COMPLETED, answered),
              ON(REQUEST_CANCELLED, answered), ON(REMOVE, device_removed)));

int main(int argc, char **argv) {
    protocol_arguments(argc, argv, 1, APPLICATIONS_MAX, 5);
    machine_watch(DeviceState);
    machine_watch(Requests);
    return machine_start(Power);
}
