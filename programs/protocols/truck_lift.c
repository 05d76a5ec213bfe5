/* truck_lift.c - lifts that raise a truck together, one at each wheel, each with its own controls.
 * After the system that Groote, Pang and Wouters analysed (CWI, 2001), without its numbering phase.
 *
 * The lifts share a bus. Each lift hears all frames on the bus in the same order, including its
 * own. When a user presses a button, that lift asks for the others (REQUEST). The first request on
 * the bus wins: its lift is the master, and the others are reserved. They answer READY, or REFUSED
 * if they are blocked. When all are ready, the master sends SYNC, and each lift moves one step.
 * When all have answered MOVED, the master sends SYNC again, STEPS times at most, until the button
 * is released. STOP frees all lifts. An emergency button blocks its lift for good: the lift sends
 * STOP, and does not move even if a SYNC is on its way.
 *
 * Requests can cross each other, and the STOP of the request before. A lift whose request has lost
 * finds its request on the bus when all lifts are free again. It must then be the master, or send
 * STOP. Answers to an earlier request can come during the next one.
 *
 * The participants are lifts. At lift 0 a user presses "up" PRESSES times. At lift 1 a user presses
 * "down" once, or the last lift is blocked.
 *
 * correct: 2 3
 * bug 1 assertion at 2: the master waits for all lifts but one, which it believes to be itself. It
 *     gets two steps ahead of a lift.
 * bug 2 assertion at 3: a reserved lift also answers the request of another lift, and obeys that
 *     one from now on. The master moves without it, and waits for it forever.
 * bug 3 assertion at 2: a READY counts for the current request, even if it answers an earlier one.
 *     Button 0 is pressed, released and pressed again; lift 1 was ready the first time, and refuses
 *     the second time.
 * bug 4 assertion at 2: a lift whose request has lost forgets it. The request comes to the bus when
 *     all lifts are free again, and they are reserved forever. */
#include "protocol.h"

enum { LIFTS_MAX = 5, PRESSES = 2, STEPS = 2, HEIGHT = 10 };

struct button {
    bool up;
};
struct frame {
    machine_id id; /* the machine of the lift that sends this frame */
    uint8_t from;  /* the number of that lift */
    uint8_t round; /* the number of its request that this frame belongs to */
    uint8_t to;    /* the receiver, from 1; 0 while the frame is on its way to the bus */
    bool up;
};
struct answer {
    uint8_t lift, height; /* the number and the height of the lift that answers */
    uint8_t master, round;
};
EVENT(PRESS, struct button); /* from a user to a lift */
EVENT(RELEASE);
EVENT(EMERGENCY);
EVENT(REQUEST, struct frame); /* from a lift to the bus, and from the bus to all lifts */
EVENT(SYNC, struct frame);
EVENT(STOP, struct frame);
EVENT(READY, struct answer); /* from a lift to the master */
EVENT(REFUSED, struct answer);
EVENT(MOVED, struct answer);

/* --- a lift --------------------------------------------------------------------------------- */

struct lift {
    machine_id bus, master_id;
    uint8_t number, height;
    /* The lift that it obeys (perhaps itself), and the number of that lift's request. */
    uint8_t master, round;
    uint8_t requests;     /* how many requests it has made */
    uint8_t ready, moved; /* for the master: how many lifts are ready, and how many have moved */
    uint8_t steps;
    bool held; /* its button is pressed */
    bool up;   /* the direction of the current master, or of its own button */
};
DECLARE_MACHINE(Lift, struct lift);

static bool is_own(const struct lift *me, const struct frame *frame) {
    return frame->from == me->number;
}

static bool is_mine_to_obey(const struct lift *me, const struct frame *frame) {
    return frame->from == me->master && frame->round == me->round;
}

static void obey(struct lift *me, const struct frame *request) {
    me->master_id = request->id;
    me->master = request->from;
    me->round = request->round;
    me->up = request->up;
}

static void move_one_step(struct lift *me) {
    me->height = (uint8_t)(me->up ? me->height + 1 : me->height - 1);
}

/* --- buttons --- */

static void press(struct lift *me, const struct button *button) {
    me->held = true;
    machine_send(me->bus, REQUEST, .id = machine_self(), .from = me->number,
                 .round = ++me->requests, .up = button->up);
}

static void say_stop(struct lift *me) {
    machine_send(me->bus, STOP, .id = machine_self(), .from = me->number, .round = me->round);
}

static void release(struct lift *me, const void *nothing) {
    (void)nothing;
    me->held = false;
}

static void release_and_stop(struct lift *me, const void *nothing) {
    (void)nothing;
    me->held = false;
    say_stop(me);
}

static void block(struct lift *me, const void *nothing) {
    (void)nothing;
    say_stop(me);
}

/* --- requests --- */

static void reserve(struct lift *me, const struct frame *request) {
    obey(me, request);
    machine_send(request->id, READY, .lift = me->number, .height = me->height,
                 .master = request->from, .round = request->round);
}

/* The lift's own request came to the bus when all lifts were free, so they are reserved for it. */
static void lead(struct lift *me, const struct frame *request) {
    obey(me, request);
    me->ready = me->moved = me->steps = 0;
    if (me->held) {
        machine_goto("Gathering");
    } else {
        say_stop(me);
        machine_goto("Stopping");
    }
}

static void request_when_free(struct lift *me, const struct frame *request) {
    if (!is_own(me, request)) {
        reserve(me, request);
        machine_goto("Reserved");
    } else if (bug != 4) {
        lead(me, request);
    }
}

static void request_when_asking(struct lift *me, const struct frame *request) {
    if (is_own(me, request)) {
        lead(me, request);
    } else {
        reserve(me, request);
        machine_goto("Reserved");
    }
}

static void request_when_reserved(struct lift *me, const struct frame *request) {
    if (bug == 2 && !is_own(me, request))
        reserve(me, request);
}

static void request_when_blocked(struct lift *me, const struct frame *request) {
    if (is_own(me, request))
        say_stop(me);
    else
        machine_send(request->id, REFUSED, .lift = me->number, .height = me->height,
                     .master = request->from, .round = request->round);
}

/* --- moving --- */

static void say_sync(struct lift *me) {
    machine_send(me->bus, SYNC, .id = machine_self(), .from = me->number, .round = me->round);
}

static void one_ready(struct lift *me, const struct answer *answer) {
    if (answer->round != me->round && bug != 3)
        return;
    if (++me->ready == participants - 1) {
        say_sync(me);
        machine_goto("Moving");
    }
}

static void one_refused(struct lift *me, const struct answer *answer) {
    if (answer->round != me->round)
        return;
    say_stop(me);
    machine_goto("Stopping");
}

static void count_moved(struct lift *me) {
    if (++me->moved < (bug == 1 ? participants - 1 : participants))
        return;
    me->moved = 0;
    if (++me->steps < STEPS && me->held) {
        say_sync(me);
    } else {
        say_stop(me);
        machine_goto("Stopping");
    }
}

static void one_moved(struct lift *me, const struct answer *answer) {
    if (answer->round == me->round)
        count_moved(me);
}

static void announce_height(struct lift *me) {
    machine_announce(MOVED, .lift = me->number, .height = me->height, .master = me->number,
                     .round = me->round);
}

static void sync_as_master(struct lift *me, const struct frame *sync) {
    if (!is_mine_to_obey(me, sync))
        return;
    move_one_step(me);
    announce_height(me);
    count_moved(me);
}

/* The lift has sent STOP, but a SYNC that it has sent before still holds for all lifts. */
static void sync_when_stopping(struct lift *me, const struct frame *sync) {
    if (!is_mine_to_obey(me, sync))
        return;
    move_one_step(me);
    announce_height(me);
}

static void sync_when_reserved(struct lift *me, const struct frame *sync) {
    if (!is_mine_to_obey(me, sync))
        return;
    move_one_step(me);
    machine_send(me->master_id, MOVED, .lift = me->number, .height = me->height,
                 .master = me->master, .round = me->round);
}

#define IGNORE_ANSWERS IGNORE(READY), IGNORE(REFUSED), IGNORE(MOVED)

/* A button that is pressed while another lift is the master has no effect. */
MACHINE(Lift,
        START("Free", ON_GOTO(PRESS, press, "Asking"), ON(RELEASE, release),
              ON_GOTO(EMERGENCY, block, "Blocked"), ON(REQUEST, request_when_free), IGNORE(SYNC),
              IGNORE(STOP), IGNORE_ANSWERS),
        STATE("Asking", IGNORE(PRESS), ON(RELEASE, release), ON_GOTO(EMERGENCY, block, "Blocked"),
              ON(REQUEST, request_when_asking), IGNORE(SYNC), IGNORE(STOP), IGNORE_ANSWERS),
        STATE("Reserved", IGNORE(PRESS), ON(RELEASE, release), ON_GOTO(EMERGENCY, block, "Blocked"),
              ON(REQUEST, request_when_reserved), ON(SYNC, sync_when_reserved), GOTO(STOP, "Free"),
              IGNORE_ANSWERS),
        STATE("Gathering", IGNORE(PRESS), ON_GOTO(RELEASE, release_and_stop, "Stopping"),
              ON_GOTO(EMERGENCY, block, "Blocked"), IGNORE(REQUEST), IGNORE(SYNC),
              GOTO(STOP, "Free"), ON(READY, one_ready), ON(REFUSED, one_refused), IGNORE(MOVED)),
        STATE("Moving", IGNORE(PRESS), ON(RELEASE, release), ON_GOTO(EMERGENCY, block, "Blocked"),
              IGNORE(REQUEST), ON(SYNC, sync_as_master), GOTO(STOP, "Free"), IGNORE(READY),
              IGNORE(REFUSED), ON(MOVED, one_moved)),
        STATE("Stopping", IGNORE(PRESS), ON(RELEASE, release), ON_GOTO(EMERGENCY, block, "Blocked"),
              IGNORE(REQUEST), ON(SYNC, sync_when_stopping), GOTO(STOP, "Free"), IGNORE_ANSWERS),
        STATE("Blocked", IGNORE(PRESS), IGNORE(RELEASE), IGNORE(EMERGENCY),
              ON(REQUEST, request_when_blocked), IGNORE(SYNC), IGNORE(STOP), IGNORE_ANSWERS));

/* --- users ---------------------------------------------------------------------------------- */

struct user {
    machine_id lift;
    uint8_t presses;
    bool up;
    machine_id emergency; /* the lift that may be blocked instead, or 0 */
};
DECLARE_MACHINE(User, struct user);

static void play(struct user *me) {
    if (me->emergency != 0 && heddle_choose(2) == 1) {
        machine_send(me->emergency, EMERGENCY);
    } else {
        for (int i = 0; i < me->presses; i++) {
            machine_send(me->lift, PRESS, .up = me->up);
            machine_send(me->lift, RELEASE);
        }
    }
    machine_halt();
}

MACHINE(User, START("Playing", ENTRY(play)));

/* --- the bus -------------------------------------------------------------------------------- */

struct bus {
    machine_id lifts[LIFTS_MAX];
};
DECLARE_MACHINE(Bus, struct bus);

static void build(struct bus *me) {
    for (int i = 0; i < participants; i++)
        me->lifts[i] =
            machine_create(Lift, .bus = machine_self(), .number = (uint8_t)i, .height = HEIGHT);
    machine_create(User, .lift = me->lifts[0], .presses = PRESSES, .up = true);
    machine_create(User, .lift = me->lifts[1], .presses = 1,
                   .emergency = me->lifts[participants - 1]);
}

static void pass_on(struct bus *me, const struct machine_event *event, const struct frame *frame) {
    struct frame copy = *frame;
    for (int i = 0; i < participants; i++) {
        copy.to = (uint8_t)(i + 1);
        machine_send_at(NULL, me->lifts[i], event, &copy, sizeof copy);
    }
}

static void pass_on_request(struct bus *me, const struct frame *frame) {
    pass_on(me, &REQUEST, frame);
}

static void pass_on_sync(struct bus *me, const struct frame *frame) {
    pass_on(me, &SYNC, frame);
}

static void pass_on_stop(struct bus *me, const struct frame *frame) {
    pass_on(me, &STOP, frame);
}

MACHINE(Bus, START("Passing", ENTRY(build), ON(REQUEST, pass_on_request), ON(SYNC, pass_on_sync),
                   ON(STOP, pass_on_stop)));

/* --- monitor: the truck stays level --------------------------------------------------------- */

struct level {
    uint8_t heights[LIFTS_MAX]; /* the height of each lift above its start, modulo 256 */
    /* One bit for each lift that has heard a request and no STOP since. */
    uint8_t reserved;
    uint8_t refused[LIFTS_MAX]; /* the last request of each lift that another lift has refused */
    uint8_t synced[LIFTS_MAX];  /* the last request of each lift for which it has sent SYNC */
    bool emergency;
};
DECLARE_MACHINE(Level, struct level);

static void moved(struct level *me, const struct answer *answer) {
    me->heights[answer->lift] = (uint8_t)(answer->height - HEIGHT);
    for (int i = 0; i < participants; i++)
        heddle_assert(abs((int8_t)me->heights[i] - (int8_t)me->heights[answer->lift]) <= 1);
}

static void requested(struct level *me, const struct frame *frame) {
    if (frame->to != 0)
        me->reserved |= (uint8_t)(1u << (frame->to - 1));
}

static void stopped(struct level *me, const struct frame *frame) {
    if (frame->to != 0)
        me->reserved &= (uint8_t) ~(1u << (frame->to - 1));
}

static void synced(struct level *me, const struct frame *frame) {
    me->synced[frame->from] = frame->round;
    heddle_assert(me->refused[frame->from] != frame->round);
}

static void refused(struct level *me, const struct answer *answer) {
    me->refused[answer->master] = answer->round;
    heddle_assert(me->synced[answer->master] != answer->round);
}

static void blocked(struct level *me, const void *nothing) {
    (void)nothing;
    me->emergency = true;
}

static void all_level_and_free(struct level *me) {
    heddle_assert(me->reserved == 0);
    for (int i = 1; i < participants; i++)
        heddle_assert(me->heights[i] == me->heights[0] || me->emergency);
}

MONITOR(Level, AT_END(all_level_and_free),
        START("Watching", ON(MOVED, moved), ON(REQUEST, requested), ON(STOP, stopped),
              ON(SYNC, synced), ON(REFUSED, refused), ON(EMERGENCY, blocked)));

int main(int argc, char **argv) {
    protocol_arguments(argc, argv, 2, LIFTS_MAX, 4);
    machine_watch(Level);
    return machine_start(Bus);
}
