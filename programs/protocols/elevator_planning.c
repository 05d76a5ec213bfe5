/* elevator_planning.c - which cabin fetches which passenger: a planner, cabins that travel between
 * floors, and passengers.
 *
 * A passenger calls at a floor. The planner gives the call to the nearest cabin, as far as it knows
 * where the cabins are. A cabin goes on in its direction as long as there is a stop ahead, and
 * opens its doors at each stop. Then the planner lets in all passengers who wait there, even if
 * another cabin was to fetch them, and has the doors shut. Each passenger who enters says where to
 * go. Calls also come while cabins move, so a cabin that has just left a floor may have to come
 * back. With two cabins or more, the first one may break down between two floors, once. Then its
 * passengers are stuck, and the planner gives its calls to other cabins, including calls that are
 * still on their way to it.
 *
 * The participants are cabins. There are PASSENGERS passengers, who call at any of FLOORS floors.
 *
 * correct: 1 2
 * bug 1 unhandled-event at 1: a cabin that has just left a floor is called back there, and opens at
 *     once, because it believes that it is still there. Then its motor reaches the next floor.
 * bug 2 assertion at 2: when a cabin breaks down, the planner uses the list of stops that the cabin
 *     reports. A call that is still on its way to the cabin is in no list, and the passenger waits
 *     forever.
 * bug 3 assertion at 1: doors shut by themselves, without a command of the planner. The planner
 *     lets a passenger in when the cabin has left.
 * bug 4 assertion at 2: a cabin that has broken down ignores all messages. A passenger who entered
 *     at the last stop and has not yet said where to go is never told that the cabin is stuck. */
#include "protocol.h"

enum { CABINS_MAX = 4, FLOORS = 3, PASSENGERS = 3 };

struct call {
    uint8_t floor, passenger;
};
struct stop {
    uint8_t floor;
};
struct opened {
    uint8_t floor, cabin;
};
struct boarding {
    machine_id cabin;
    uint8_t floor, number; /* the floor and the number of the cabin */
};
struct breakdown {
    uint8_t cabin, stops; /* stops: one bit for each floor */
};
struct cabin_number {
    uint8_t cabin;
};
EVENT(CALL, struct call);      /* from a passenger to the planner */
EVENT(ASSIGN, struct stop);    /* from the planner to a cabin */
EVENT(OPENED, struct opened);  /* from a cabin to the planner, which answers with SHUT */
EVENT(BOARD, struct boarding); /* from the planner to a passenger */
EVENT(SHUT);                   /* from the planner to a cabin */
/* From a passenger to a cabin, which answers with one of the next events. */
EVENT(GO, struct call);
EVENT(ARRIVED, struct stop);
EVENT(STUCK);
EVENT(BROKEN, struct breakdown); /* from a cabin to the planner */
/* From a cabin to itself: the motor has reached the next floor. */
EVENT(NEXT_FLOOR, struct cabin_number);

/* --- a cabin -------------------------------------------------------------------------------- */

struct cabin {
    machine_id planner;
    /* The passengers in the cabin; 0 for each one who is not in it. */
    machine_id riders[PASSENGERS];
    uint8_t targets[PASSENGERS]; /* the floors to which they go */
    uint8_t number, floor;
    uint8_t stops; /* one bit for each floor */
    bool down;     /* true if the cabin goes down */
    bool may_break;
};
DECLARE_MACHINE(Cabin, struct cabin);

static bool stops_at(const struct cabin *me, uint8_t floor) {
    return (me->stops >> floor & 1) != 0;
}

static bool stops_ahead(const struct cabin *me) {
    uint8_t below = (uint8_t)((1u << me->floor) - 1);
    return (me->stops & (me->down ? below : ~(below << 1 | 1))) != 0;
}

static void let_out(struct cabin *me) {
    for (int i = 0; i < PASSENGERS; i++)
        if (me->riders[i] != 0 && me->targets[i] == me->floor) {
            machine_send(me->riders[i], ARRIVED, .floor = me->floor);
            me->riders[i] = 0;
            me->targets[i] = 0;
        }
}

static void open_doors(struct cabin *me) {
    me->stops &= (uint8_t) ~(1u << me->floor);
    machine_send(me->planner, OPENED, .floor = me->floor, .cabin = me->number);
    let_out(me);
    if (bug == 3)
        machine_send(machine_self(), SHUT);
    machine_goto("Open");
}

/* Decides where to go, for a cabin at rest. */
static void decide(struct cabin *me) {
    if (stops_at(me, me->floor)) {
        open_doors(me);
    } else if (me->stops == 0) {
        machine_goto("Idle");
    } else {
        if (!stops_ahead(me))
            me->down = !me->down;
        machine_send(machine_self(), NEXT_FLOOR, .cabin = me->number);
        machine_goto("Moving");
    }
}

static void shut_doors(struct cabin *me, const void *nothing) {
    (void)nothing;
    decide(me);
}

static void break_down(struct cabin *me) {
    machine_send(me->planner, BROKEN, .cabin = me->number, .stops = me->stops);
    for (int i = 0; i < PASSENGERS; i++)
        if (me->riders[i] != 0)
            machine_send(me->riders[i], STUCK);
    me->stops = 0;
    machine_goto("Broken");
}

static void next_floor(struct cabin *me, const struct cabin_number *number) {
    (void)number;
    if (me->may_break && heddle_choose(2) == 1) {
        break_down(me);
        return;
    }
    heddle_assert(me->down ? me->floor > 0 : me->floor < FLOORS - 1);
    me->floor = (uint8_t)(me->down ? me->floor - 1 : me->floor + 1);
    decide(me);
}

static void add_stop(struct cabin *me, uint8_t floor) {
    me->stops |= (uint8_t)(1u << floor);
}

static void assigned_at_rest(struct cabin *me, const struct stop *stop) {
    add_stop(me, stop->floor);
    decide(me);
}

static void assigned(struct cabin *me, const struct stop *stop) {
    add_stop(me, stop->floor);
    if (bug == 1 && stops_at(me, me->floor))
        open_doors(me);
}

/* The doors are open, and the planner takes care of the passengers who wait here. */
static void assigned_when_open(struct cabin *me, const struct stop *stop) {
    if (stop->floor != me->floor)
        add_stop(me, stop->floor);
}

static void take_rider(struct cabin *me, const struct call *call) {
    me->riders[call->passenger] = machine_sender();
    me->targets[call->passenger] = call->floor;
    add_stop(me, call->floor);
}

static void rider_at_rest(struct cabin *me, const struct call *call) {
    take_rider(me, call);
    decide(me);
}

static void rider_is_stuck(struct cabin *me, const struct call *call) {
    (void)me, (void)call;
    if (bug != 4)
        machine_send(machine_sender(), STUCK);
}

/* A passenger who wants to go to this floor while the doors are open leaves at the next opening,
 * which follows at once. */
MACHINE(Cabin, START("Idle", ON(ASSIGN, assigned_at_rest), ON(GO, rider_at_rest)),
        STATE("Moving", ON(NEXT_FLOOR, next_floor), ON(ASSIGN, assigned), ON(GO, take_rider)),
        STATE("Open", ON(SHUT, shut_doors), ON(ASSIGN, assigned_when_open), ON(GO, take_rider)),
        STATE("Broken", IGNORE(ASSIGN), ON(GO, rider_is_stuck)));

/* --- passengers ----------------------------------------------------------------------------- */

struct passenger {
    machine_id planner;
    uint8_t number, target;
};
DECLARE_MACHINE(Passenger, struct passenger);

static void call(struct passenger *me) {
    uint8_t floor = (uint8_t)heddle_choose(FLOORS);
    me->target = floor == 0 ? FLOORS - 1 : 0;
    machine_send(me->planner, CALL, .floor = floor, .passenger = me->number);
}

static void enter(struct passenger *me, const struct boarding *boarding) {
    machine_send(boarding->cabin, GO, .floor = me->target, .passenger = me->number);
}

static void get_out(struct passenger *me, const struct stop *stop) {
    heddle_assert(stop->floor == me->target);
    machine_halt();
}

MACHINE(Passenger, START("Waiting", ENTRY(call), ON_GOTO(BOARD, enter, "Riding")),
        STATE("Riding", ON(ARRIVED, get_out), GOTO(STUCK, "Stuck")), STATE("Stuck"));

/* --- the planner ---------------------------------------------------------------------------- */

struct planner {
    machine_id cabins[CABINS_MAX];
    machine_id passengers[PASSENGERS];
    uint8_t waiting[FLOORS]; /* for each floor, one bit for each passenger who waits there */
    /* For each floor, the cabin that fetches the passengers, from 1; 0 means none. */
    uint8_t assigned[FLOORS];
    uint8_t last[CABINS_MAX]; /* for each cabin, the floor where it was last */
    bool broken[CABINS_MAX];
};
DECLARE_MACHINE(Planner, struct planner);

static int nearest_cabin(const struct planner *me, int floor) {
    int best = -1;
    for (int i = 0; i < participants; i++)
        if (!me->broken[i] && (best < 0 || abs(me->last[i] - floor) < abs(me->last[best] - floor)))
            best = i;
    return best;
}

static void assign(struct planner *me, int floor) {
    int cabin = nearest_cabin(me, floor);
    me->assigned[floor] = (uint8_t)(cabin + 1);
    machine_send(me->cabins[cabin], ASSIGN, .floor = (uint8_t)floor);
}

static void called(struct planner *me, const struct call *call) {
    me->passengers[call->passenger] = machine_sender();
    me->waiting[call->floor] |= (uint8_t)(1u << call->passenger);
    if (me->assigned[call->floor] == 0)
        assign(me, call->floor);
}

static void board(struct planner *me, const struct opened *opened) {
    for (int i = 0; i < PASSENGERS; i++)
        if ((me->waiting[opened->floor] >> i & 1) != 0)
            machine_send(me->passengers[i], BOARD, .cabin = machine_sender(),
                         .floor = opened->floor, .number = opened->cabin);
    me->waiting[opened->floor] = 0;
}

static void cabin_opened(struct planner *me, const struct opened *opened) {
    me->last[opened->cabin] = opened->floor;
    me->assigned[opened->floor] = 0;
    board(me, opened);
    if (bug != 3)
        machine_send(machine_sender(), SHUT);
}

static void cabin_broken(struct planner *me, const struct breakdown *breakdown) {
    me->broken[breakdown->cabin] = true;
    for (int i = 0; i < FLOORS; i++) {
        bool told = (breakdown->stops >> i & 1) != 0;
        if (me->assigned[i] == breakdown->cabin + 1 && (told || bug != 2))
            assign(me, i);
    }
}

static void build(struct planner *me) {
    for (int i = 0; i < participants; i++) {
        me->last[i] = (uint8_t)(i % FLOORS);
        me->cabins[i] =
            machine_create(Cabin, .planner = machine_self(), .number = (uint8_t)i,
                           .floor = me->last[i], .may_break = i == 0 && participants > 1);
    }
    for (int i = 0; i < PASSENGERS; i++)
        machine_create(Passenger, .planner = machine_self(), .number = (uint8_t)i);
}

MACHINE(Planner, START("Planning", ENTRY(build), ON(CALL, called), ON(OPENED, cabin_opened),
                       ON(BROKEN, cabin_broken)));

/* --- monitor: passengers enter only where a cabin is, and each one gets somewhere ----------- */

struct service {
    /* For each cabin, the floor where it is open, from 1; 0 means that it has left. */
    uint8_t cabins[CABINS_MAX];
    uint8_t waiting, riding;
};
DECLARE_MACHINE(Service, struct service);

static void one_waits(struct service *me, const struct call *call) {
    (void)call;
    me->waiting++;
}

static void one_opens(struct service *me, const struct opened *opened) {
    me->cabins[opened->cabin] = (uint8_t)(opened->floor + 1);
}

static void one_leaves(struct service *me, const struct cabin_number *number) {
    me->cabins[number->cabin] = 0;
}

static void one_boards(struct service *me, const struct boarding *boarding) {
    heddle_assert(me->cabins[boarding->number] == boarding->floor + 1);
    me->waiting--;
    me->riding++;
}

static void one_arrives(struct service *me, const struct stop *stop) {
    (void)stop;
    me->riding--;
}

static void one_is_stuck(struct service *me, const void *nothing) {
    (void)nothing;
    me->riding--;
}

static void nobody_waits(struct service *me) {
    heddle_assert(me->waiting == 0);
    heddle_assert(me->riding == 0);
}

MONITOR(Service, AT_END(nobody_waits),
        START("Watching", ON(CALL, one_waits), ON(OPENED, one_opens), ON(NEXT_FLOOR, one_leaves),
              ON(BOARD, one_boards), ON(ARRIVED, one_arrives), ON(STUCK, one_is_stuck)));

int main(int argc, char **argv) {
    protocol_arguments(argc, argv, 1, CABINS_MAX, 4);
    machine_watch(Service);
    return machine_start(Planner);
}
