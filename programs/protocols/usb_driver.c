/* usb_driver.c - the driver of a USB hub: a state machine for each port. It enumerates each device
 * that is plugged in, resets it when the plug-and-play manager asks for that, and cleans up when it
 * is pulled out.
 *
 * A device that has been reset listens to address 0 until it gets its own address. Only one such
 * device may be on the bus. So a port reserves the bus (LOCK) before it resets its device, and
 * gives it back when the address is set. A transfer may fail. Then the port starts again with a
 * reset, RETRIES times, and at last disables the device. A device may be pulled out at any time:
 * while its port waits for the bus, resets the device, or has told the manager of it. A socket
 * reports nothing more until the driver has cleared the change (CLEAR), as real hubs do, and drops
 * messages to a device that is gone.
 *
 * The participants are ports, with one device each. PULLS devices are pulled out, at any time, and
 * another one is plugged in each time. ERRORS of the transfers at a port may fail. The manager asks
 * for one reset of a device, or for none.
 *
 * correct: 1 2
 * bug 1 assertion at 2: a port gives the bus back when its device is reset, not when it has its
 *     address. Two devices listen to address 0.
 * bug 2 assertion at 1: a device goes while its port waits for the bus. When the bus is granted,
 *     the port does not give it back. The next device waits forever.
 * bug 3 unhandled-event at 1: a request for a reset crosses the message that the device has gone.
 *     The port does not expect the request any more.
 * bug 4 assertion at 1: the manager has asked for a reset, and the device goes during it. The port
 *     takes the device for one that was never announced. The manager hears of the next device while
 *     it waits for that reset.
 * bug 5 assertion at 2: after the last failure a port gives the bus back before the device is
 *     disabled. This device listens to address 0 when the other one is reset. */
#include "protocol.h"

enum { PORTS_MAX = 4, PULLS = 2, ERRORS = 2, RETRIES = 1 };

struct port_number {
    uint8_t port;
};
EVENT(CONNECTED, struct port_number); /* from a socket to its port */
/* From a socket to its port; the socket sends nothing more until CLEAR. */
EVENT(DISCONNECTED, struct port_number);
EVENT(CLEAR);   /* from a port to its socket: the change is noted */
EVENT(RESET);   /* from a port to its socket, which answers RESET_DONE */
EVENT(DISABLE); /* from a port to its socket, which answers DISABLED */
/* From a port to its socket, which answers TRANSFERRED or FAILED. */
EVENT(SET_ADDRESS);
EVENT(DESCRIBE);
EVENT(RESET_DONE, struct port_number);
EVENT(DISABLED, struct port_number);
EVENT(TRANSFERRED, struct port_number);
EVENT(FAILED);
EVENT(LOCK); /* from a port to the bus */
EVENT(GRANTED);
EVENT(UNLOCK);
EVENT(ARRIVED, struct port_number); /* from a port to the manager */
EVENT(GONE, struct port_number);    /* from a port to the manager, which answers REMOVE */
EVENT(REMOVE);
EVENT(ASK_RESET); /* from the manager to a port, which answers RESET_ANSWER */
EVENT(RESET_ANSWER, struct port_number);
EVENT(PULL); /* from the environment to a socket */

/* --- a socket of the hub, with the devices that are plugged into it ------------------------- */

struct socket {
    machine_id port;
    uint8_t number, errors;
};
DECLARE_MACHINE(Socket, struct socket);

static void plug_in(struct socket *me) {
    machine_send(me->port, CONNECTED, .port = me->number);
}

static void pull_out(struct socket *me, const void *nothing) {
    (void)nothing;
    machine_send(me->port, DISCONNECTED, .port = me->number);
}

static void reset_device(struct socket *me, const void *nothing) {
    (void)nothing;
    machine_send(me->port, RESET_DONE, .port = me->number);
}

static void disable_device(struct socket *me, const void *nothing) {
    (void)nothing;
    machine_send(me->port, DISABLED, .port = me->number);
}

static void transfer(struct socket *me, const void *nothing) {
    (void)nothing;
    if (me->errors < ERRORS && heddle_choose(2) == 1) {
        me->errors++;
        machine_send(me->port, FAILED);
    } else {
        machine_send(me->port, TRANSFERRED, .port = me->number);
    }
}

MACHINE(Socket,
        START("Plugged", ENTRY(plug_in), ON(RESET, reset_device), ON(DISABLE, disable_device),
              ON(SET_ADDRESS, transfer), ON(DESCRIBE, transfer), ON_GOTO(PULL, pull_out, "Pulled")),
        STATE("Pulled", GOTO(CLEAR, "Plugged"), IGNORE(RESET), IGNORE(DISABLE), IGNORE(SET_ADDRESS),
              IGNORE(DESCRIBE), IGNORE(PULL)));

/* --- the bus: address 0 belongs to one port at a time --------------------------------------- */

struct bus {
    uint8_t nothing;
};
DECLARE_MACHINE(Bus, struct bus);

static void grant(struct bus *me, const void *nothing) {
    (void)me, (void)nothing;
    machine_send(machine_sender(), GRANTED);
}

MACHINE(Bus, START("Free", ON_GOTO(LOCK, grant, "Held")),
        STATE("Held", GOTO(UNLOCK, "Free"), DEFER(LOCK)));

/* --- a port of the driver ------------------------------------------------------------------- */

struct port {
    machine_id socket, bus, manager;
    uint8_t number, retries;
    bool has_bus;
    bool announced; /* the manager knows the device */
    bool asked;     /* the manager waits for a reset of the device */
};
DECLARE_MACHINE(Port, struct port);

static void give_back_bus(struct port *me) {
    if (me->has_bus)
        machine_send(me->bus, UNLOCK);
    me->has_bus = false;
}

static void answer_reset(struct port *me) {
    if (me->asked)
        machine_send(me->manager, RESET_ANSWER, .port = me->number);
    me->asked = false;
}

/* --- enumeration: from LOCK to ARRIVED, or to RESET_ANSWER for a known device --------------- */

static void want_bus(struct port *me) {
    machine_send(me->bus, LOCK);
}

static void connected(struct port *me, const struct port_number *from) {
    (void)from;
    me->socket = machine_sender();
    me->retries = RETRIES;
}

static void asked_for_reset(struct port *me, const void *nothing) {
    (void)nothing;
    me->asked = true;
    me->retries = RETRIES;
}

static void bus_granted(struct port *me, const void *nothing) {
    (void)nothing;
    me->has_bus = true;
}

static void reset(struct port *me) {
    machine_send(me->socket, RESET);
}

static void set_address(struct port *me, const struct port_number *from) {
    (void)from;
    if (bug == 1)
        give_back_bus(me);
    machine_send(me->socket, SET_ADDRESS);
}

static void describe(struct port *me, const struct port_number *from) {
    (void)from;
    give_back_bus(me);
    machine_send(me->socket, DESCRIBE);
}

static void enumerated(struct port *me, const struct port_number *from) {
    (void)from;
    answer_reset(me);
    if (!me->announced)
        machine_send(me->manager, ARRIVED, .port = me->number);
    me->announced = true;
}

/* --- failure: try again, or give up --------------------------------------------------------- */

static void transfer_failed(struct port *me, const void *nothing) {
    (void)nothing;
    if (me->retries > 0) {
        me->retries--;
        machine_goto(me->has_bus ? "Resetting" : "WaitingForBus");
    } else {
        machine_goto("Disabling");
    }
}

static void disable(struct port *me) {
    if (bug == 5)
        give_back_bus(me);
    machine_send(me->socket, DISABLE);
}

static void is_disabled(struct port *me, const struct port_number *from) {
    (void)from;
    give_back_bus(me);
    answer_reset(me);
    if (me->announced) {
        machine_send(me->manager, GONE, .port = me->number);
        machine_goto("Failing");
    } else {
        machine_goto("Dead");
    }
}

/* --- removal --- */

static void clear(struct port *me, const void *nothing) {
    (void)nothing;
    me->announced = false;
    machine_send(me->socket, CLEAR);
}

static void forget(struct port *me, const void *nothing) {
    (void)nothing;
    me->announced = false;
}

static void clear_dead(struct port *me, const struct port_number *from) {
    (void)from;
    clear(me, NULL);
}

/* The device is gone, whatever the port was doing with it. */
static void disconnected(struct port *me, const struct port_number *from) {
    (void)from;
    give_back_bus(me);
    if (me->announced && !(bug == 4 && me->asked)) {
        answer_reset(me);
        machine_send(me->manager, GONE, .port = me->number);
        machine_goto(bug == 3 ? "GoingForSure" : "Going");
    } else {
        clear(me, NULL);
        machine_goto("Empty");
    }
}

static void granted_too_late(struct port *me, const void *nothing) {
    (void)nothing;
    me->has_bus = bug != 2;
    disconnected(me, NULL);
}

static void nothing_to_reset(struct port *me, const void *nothing) {
    (void)nothing;
    me->asked = true;
    answer_reset(me);
}

MACHINE(Port, START("Empty", ON_GOTO(CONNECTED, connected, "WaitingForBus")),
        STATE("WaitingForBus", ENTRY(want_bus), ON_GOTO(GRANTED, bus_granted, "Resetting"),
              GOTO(DISCONNECTED, "LeavingQueue")),
        STATE("LeavingQueue", ON(GRANTED, granted_too_late)),
        STATE("Resetting", ENTRY(reset), ON_GOTO(RESET_DONE, set_address, "Addressing"),
              ON(DISCONNECTED, disconnected)),
        STATE("Addressing", ON_GOTO(TRANSFERRED, describe, "Describing"),
              ON(FAILED, transfer_failed), ON(DISCONNECTED, disconnected)),
        STATE("Describing", ON_GOTO(TRANSFERRED, enumerated, "Working"),
              ON(FAILED, transfer_failed), ON(DISCONNECTED, disconnected)),
        STATE("Working", ON_GOTO(ASK_RESET, asked_for_reset, "WaitingForBus"),
              ON(DISCONNECTED, disconnected)),
        STATE("Disabling", ENTRY(disable), ON(DISABLED, is_disabled),
              ON(DISCONNECTED, disconnected)),
        STATE("Failing", ON_GOTO(REMOVE, forget, "Dead"), DEFER(DISCONNECTED)),
        STATE("Dead", ON_GOTO(DISCONNECTED, clear_dead, "Empty")),
        STATE("Going", ON_GOTO(REMOVE, clear, "Empty"), ON(ASK_RESET, nothing_to_reset)),
        STATE("GoingForSure", ON_GOTO(REMOVE, clear, "Empty"))); /* bug 3 */

/* --- the plug-and-play manager, with a function driver for each device ---------------------- */

enum device { ABSENT, PRESENT, IN_RESET, GONE_IN_RESET };
struct manager {
    uint8_t devices[PORTS_MAX];
};
DECLARE_MACHINE(Manager, struct manager);

static void arrived(struct manager *me, const struct port_number *from) {
    heddle_assert(me->devices[from->port] == ABSENT);
    me->devices[from->port] = PRESENT;
    if (heddle_choose(2) == 1) {
        me->devices[from->port] = IN_RESET;
        machine_send(machine_sender(), ASK_RESET);
    }
}

/* A request for a reset is always answered, so the manager must wait for that answer. */
static void gone(struct manager *me, const struct port_number *from) {
    heddle_assert(me->devices[from->port] == PRESENT || me->devices[from->port] == IN_RESET);
    if (me->devices[from->port] == PRESENT) {
        me->devices[from->port] = ABSENT;
        machine_send(machine_sender(), REMOVE);
    } else {
        me->devices[from->port] = GONE_IN_RESET;
    }
}

static void reset_answered(struct manager *me, const struct port_number *from) {
    heddle_assert(me->devices[from->port] == IN_RESET || me->devices[from->port] == GONE_IN_RESET);
    if (me->devices[from->port] == GONE_IN_RESET) {
        me->devices[from->port] = ABSENT;
        machine_send(machine_sender(), REMOVE);
    } else {
        me->devices[from->port] = PRESENT;
    }
}

MACHINE(Manager,
        START("Working", ON(ARRIVED, arrived), ON(GONE, gone), ON(RESET_ANSWER, reset_answered)));

/* --- the hub, and the environment ----------------------------------------------------------- */

struct hub {
    machine_id sockets[PORTS_MAX];
};
DECLARE_MACHINE(Hub, struct hub);

static void build(struct hub *me) {
    machine_id manager = machine_create(Manager), bus = machine_create(Bus);
    for (int i = 0; i < participants; i++) {
        uint8_t number = (uint8_t)i;
        machine_id port = machine_create(Port, .bus = bus, .manager = manager, .number = number);
        me->sockets[i] = machine_create(Socket, .port = port, .number = number);
    }
}

/* All ports are alike, so the first device that is pulled may be that of port 0. */
static void play(struct hub *me) {
    build(me);
    machine_send(me->sockets[0], PULL);
    for (int i = 1; i < PULLS; i++)
        machine_send(me->sockets[heddle_choose(participants)], PULL);
    machine_halt();
}

MACHINE(Hub, START("Playing", ENTRY(play)));

/* --- monitor: at most one device listens to address 0 --------------------------------------- */

struct address_zero {
    uint8_t listening; /* one bit for each port */
};
DECLARE_MACHINE(AddressZero, struct address_zero);

static void listens(struct address_zero *me, const struct port_number *from) {
    me->listening |= (uint8_t)(1u << from->port);
    heddle_assert((me->listening & (me->listening - 1)) == 0);
}

static void listens_no_more(struct address_zero *me, const struct port_number *from) {
    me->listening &= (uint8_t) ~(1u << from->port);
}

MONITOR(AddressZero, START("Watching", ON(RESET_DONE, listens), ON(TRANSFERRED, listens_no_more),
                           ON(DISABLED, listens_no_more), ON(DISCONNECTED, listens_no_more)));

/* --- monitor: in the end each device is known or disabled, and each reset is answered ------- */

struct all_known {
    uint8_t plugged, known, disabled; /* one bit for each port */
    uint8_t resets;                   /* how many resets were asked for and not answered */
};
DECLARE_MACHINE(AllKnown, struct all_known);

static void now_plugged(struct all_known *me, const struct port_number *from) {
    me->plugged |= (uint8_t)(1u << from->port);
}

static void now_pulled(struct all_known *me, const struct port_number *from) {
    me->plugged &= (uint8_t) ~(1u << from->port);
    me->disabled &= (uint8_t) ~(1u << from->port);
}

static void now_disabled(struct all_known *me, const struct port_number *from) {
    me->disabled |= (uint8_t)(1u << from->port);
}

static void now_known(struct all_known *me, const struct port_number *from) {
    me->known |= (uint8_t)(1u << from->port);
}

static void now_unknown(struct all_known *me, const struct port_number *from) {
    me->known &= (uint8_t) ~(1u << from->port);
}

static void now_asked(struct all_known *me, const void *nothing) {
    (void)nothing;
    me->resets++;
}

static void now_answered(struct all_known *me, const struct port_number *from) {
    (void)from;
    me->resets--;
}

static void all_is_known(struct all_known *me) {
    heddle_assert(me->plugged == (me->known | me->disabled));
    heddle_assert(me->resets == 0);
}

MONITOR(AllKnown, AT_END(all_is_known),
        START("Watching", ON(CONNECTED, now_plugged), ON(DISCONNECTED, now_pulled),
              ON(DISABLED, now_disabled), ON(ARRIVED, now_known), ON(GONE, now_unknown),
              ON(ASK_RESET, now_asked), ON(RESET_ANSWER, now_answered)));

int main(int argc, char **argv) {
    protocol_arguments(argc, argv, 1, PORTS_MAX, 5);
    machine_watch(AddressZero);
    machine_watch(AllKnown);
    return machine_start(Hub);
}
