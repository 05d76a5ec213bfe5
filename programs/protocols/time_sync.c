/* time_sync.c - time synchronisation after the Berkeley protocol (TSP): PARTICIPANTS clocks, of a
 * master and its slaves.
 *
 * In each round the master asks for the slaves' clocks (POLL, CLOCK). It takes the average of these
 * and its own, without clocks that are far off, and tells each slave by how much to correct its
 * clock (ADJUST). If a slave does not answer, a timer ends the round. A slave is corrected at most
 * once in a round, and only by the round that it has answered last, because a correction belongs to
 * the clock value that the slave has reported.
 *
 * A clock is modelled by its distance from the true time, in ticks. Slaves drift by one tick in
 * each round, forwards or backwards. The value that the master reads is up to ERROR ticks too
 * large, which is a choice. So a clock that is corrected in a round is within ERROR of the master's
 * time in that round.
 *
 * The environment: the timer fires at any time. The last slave's clock is broken, or not. A
 * correction of the first round may come late. A correction of the last round may come twice.
 *
 * correct: 2 3
 * bug 1 assertion at 2: a slave does not check the round of a correction. The correction of round 1
 *     comes late, after the slave has reported its clock in round 2; then the correction of round 2
 *     comes, too. The clock is corrected twice.
 * bug 2 assertion at 2: a correction that comes twice is applied twice.
 * bug 3 assertion at 2: a clock that is far off counts like the others, and the master follows it.
 * bug 4 assertion at 3: the master does not check the round of a reported clock. A slave's answer
 *     comes after the timeout and is taken for an answer to round 2, but the clock has drifted
 *     since.
 * bug 5 unhandled-event at 2: after its last round the master does not expect answers. The timer
 *     was faster than a slave. */
#include "protocol.h"

enum { SLAVES_MAX = 4, ROUNDS = 2, ERROR = 1, FAR_OFF = 8, BROKEN = 20 };

struct poll {
    uint8_t round;
};
EVENT(POLL, struct poll);
struct clock {
    uint8_t round;
    uint8_t slave;
    int8_t ticks;
};
EVENT(CLOCK, struct clock);
struct adjust {
    uint8_t round;
    int8_t ticks; /* the ticks to add to the clock */
};
EVENT(ADJUST, struct adjust);
struct timeout {
    uint8_t round;
};
EVENT(TIMEOUT, struct timeout);

static int slaves(void) {
    return participants - 1;
}

/* For the monitor: the time of a round, and a corrected clock. */
EVENT(AVERAGE, struct clock);
EVENT(CORRECTED, struct clock);

/* --- a slave -------------------------------------------------------------------------------- */

struct slave {
    uint8_t number;
    uint8_t round;     /* the round that it has answered last, or 0 */
    uint8_t corrected; /* the round in which it was corrected last, or 0 */
    int8_t ticks;
};
DECLARE_MACHINE(Slave, struct slave);

static void tell_clock(struct slave *me, const struct poll *poll) {
    if (poll->round == 1)
        heddle_hint("initialised");
    me->ticks += me->number % 2 == 0 ? 1 : -1;
    me->round = poll->round;
    machine_send(machine_sender(), CLOCK, .round = poll->round, .slave = me->number,
                 .ticks = (int8_t)(me->ticks + heddle_choose(ERROR + 1)));
}

static void correct(struct slave *me, const struct adjust *adjust) {
    if (adjust->round != me->round && bug != 1)
        return;
    if (adjust->round <= me->corrected && bug != 2)
        return;
    me->corrected = adjust->round;
    me->ticks += adjust->ticks;
    machine_announce(CORRECTED, .round = adjust->round, .slave = me->number, .ticks = me->ticks);
}

MACHINE(Slave, START("Running", ON(POLL, tell_clock), ON(ADJUST, correct)));

/* --- a timer, and a packet that comes late -------------------------------------------------- */

struct timer {
    machine_id owner;
    uint32_t round;
};
DECLARE_MACHINE(Timer, struct timer);

static void fire(struct timer *me) {
    machine_send(me->owner, TIMEOUT, .round = (uint8_t)me->round);
    machine_halt();
}

MACHINE(Timer, START("Running", ENTRY(fire)));

struct packet {
    machine_id to;
    int16_t round, ticks;
};
DECLARE_MACHINE(Packet, struct packet);

static void arrive(struct packet *me) {
    machine_send(me->to, ADJUST, .round = (uint8_t)me->round, .ticks = (int8_t)me->ticks);
    machine_halt();
}

MACHINE(Packet, START("Detour", ENTRY(arrive)));

/* --- the master ----------------------------------------------------------------------------- */

struct master {
    machine_id slaves[SLAVES_MAX];
    uint8_t round;
    uint8_t answers; /* the set of slaves that have answered */
    int8_t ticks;
    int8_t clocks[SLAVES_MAX]; /* the clocks that the slaves have reported */
};
DECLARE_MACHINE(Master, struct master);
DECLARE_MACHINE(ForgetfulMaster, struct master);

static void begin_round(struct master *me) {
    me->round++;
    me->answers = 0;
    machine_create(Timer, .owner = machine_self(), .round = me->round);
    for (int i = 0; i < slaves(); i++)
        machine_send(me->slaves[i], POLL, .round = me->round);
}

static void begin(struct master *me) {
    for (int i = 0; i < slaves(); i++) {
        bool broken = i == slaves() - 1 && heddle_choose(2) == 1;
        int8_t ticks = broken ? BROKEN : i % 2 == 0 ? 4 : -5;
        me->slaves[i] = machine_create(Slave, .number = (uint8_t)i, .ticks = ticks);
    }
    begin_round(me);
}

static bool has_answered(const struct master *me, int slave) {
    return (me->answers >> slave & 1) == 1;
}

static int8_t average(const struct master *me) {
    int sum = me->ticks, count = 1;
    for (int i = 0; i < slaves(); i++)
        if (has_answered(me, i) && (abs(me->clocks[i] - me->ticks) < FAR_OFF || bug == 3)) {
            sum += me->clocks[i];
            count++;
        }
    return (int8_t)(sum / count);
}

static void send_adjust(struct master *me, int slave, int8_t ticks) {
    struct machine_channel channel = {.doubles = me->round == ROUNDS && slave == 0};
    if (me->round < ROUNDS && slave == 0 && heddle_choose(2) == 1)
        machine_create(Packet, .to = me->slaves[slave], .round = me->round, .ticks = ticks);
    else
        machine_send_over(&channel, me->slaves[slave], ADJUST, .round = me->round, .ticks = ticks);
}

static void end_round(struct master *me) {
    int8_t now = average(me);
    me->ticks = now;
    machine_announce(AVERAGE, .round = me->round, .ticks = now);
    for (int i = 0; i < slaves(); i++)
        if (has_answered(me, i))
            send_adjust(me, i, (int8_t)(now - me->clocks[i]));
    if (me->round == ROUNDS)
        machine_goto("Idle");
    else
        begin_round(me);
}

static void hear_clock(struct master *me, const struct clock *clock) {
    if (clock->round != me->round && bug != 4)
        return;
    me->answers |= (uint8_t)(1 << clock->slave);
    me->clocks[clock->slave] = clock->ticks;
    if (me->answers == (1 << slaves()) - 1)
        end_round(me);
}

static void time_out(struct master *me, const struct timeout *timeout) {
    if (timeout->round == me->round)
        end_round(me);
}

MACHINE(Master, START("Polling", ENTRY(begin), ON(CLOCK, hear_clock), ON(TIMEOUT, time_out)),
        STATE("Idle", IGNORE(CLOCK), IGNORE(TIMEOUT)));
MACHINE(ForgetfulMaster, /* bug 5 */
        START("Polling", ENTRY(begin), ON(CLOCK, hear_clock), ON(TIMEOUT, time_out)),
        STATE("Idle", IGNORE(TIMEOUT)));

struct nothing {};
DECLARE_MACHINE(Network, struct nothing);

static void build(struct nothing *me) {
    if (bug == 5)
        machine_create(ForgetfulMaster);
    else
        machine_create(Master);
    machine_halt();
}

MACHINE(Network, START("Building", ENTRY(build)));

/* --- monitor: all clocks are near the master's time ----------------------------------------- */

struct bounded {
    int8_t averages[ROUNDS + 1];
};
DECLARE_MACHINE(Bounded, struct bounded);

static void see_average(struct bounded *me, const struct clock *average) {
    me->averages[average->round] = average->ticks;
    heddle_assert(abs(average->ticks - me->averages[average->round - 1]) < FAR_OFF);
}

static void see_corrected(struct bounded *me, const struct clock *clock) {
    heddle_assert(abs(clock->ticks - me->averages[clock->round]) <= ERROR);
}

MONITOR(Bounded, START("Watching", ON(AVERAGE, see_average), ON(CORRECTED, see_corrected)));

int main(int argc, char **argv) {
    protocol_arguments(argc, argv, 2, SLAVES_MAX + 1, 5);
    machine_watch(Bounded);
    return machine_start(Network);
}
