/* paxos.c - single-decree Paxos: two proposers, PARTICIPANTS acceptors, a learner.
 *
 * A proposer asks a quorum of acceptors to promise a ballot (PREPARE, PROMISE). When they have
 * promised, it asks them to accept a value (ACCEPT): the value of the highest ballot that the
 * promises report, or its own value if they report none. Acceptors tell the learner (ACCEPTED). The
 * learner knows that a value is chosen when a quorum has accepted it in one ballot, and tells the
 * proposers (DECIDED). Proposer 0 has ballots 1 and 3, proposer 1 has ballot 2.
 *
 * The environment: the quorum of each ballot is a choice. Each ACCEPT of ballot 1 may get lost. A
 * timer sends proposer 0 to ballot 3 at any time. Acceptor 0 may restart after each message, with
 * what is on its disk, and then reports again what it has accepted. Left out: acceptors that say
 * no, because the timer makes them unnecessary.
 *
 * correct: 2 3
 * bug 1 assertion at 2: an acceptor does not remember what it promised, only what it accepted. Both
 *     proposers have their promises before the first value is accepted.
 * bug 2 assertion at 3: of the values that the promises report, a proposer takes the last one, not
 *     that of the highest ballot. Acceptor 0 accepts in ballot 1, acceptors 1 and 2 accept in
 *     ballot 2; in ballot 3 the promise of acceptor 0 arrives last.
 * bug 3 assertion at 2: the learner counts messages, not acceptors. Acceptor 0 accepts, restarts
 *     and reports it again.
 * bug 4 assertion at 2: a promise of the old ballot is counted in the new one. The promise
 *     waits in the queue behind the timeout while ballot 2 is decided.
 * bug 5 assertion at 3: a promise is written to the disk only when a value is accepted. Acceptor 0
 *     restarts after it has promised ballot 2, and accepts in ballot 1.
 * bug 6 unhandled-event at 2: a proposer that knows the decision does not expect its timer any
 *     more. */
#include "protocol.h"

enum { ACCEPTORS_MAX = 5, PROPOSERS = 2, BALLOTS = 3 };

struct ballot {
    uint8_t ballot;
};
EVENT(PREPARE, struct ballot);

struct promise {
    uint8_t ballot;
    uint8_t acceptor;
    uint8_t accepted; /* the ballot in which the acceptor has accepted, or 0 */
    uint8_t value;    /* the value that it has accepted */
};
EVENT(PROMISE, struct promise);

struct vote {
    uint8_t ballot;
    uint8_t value;
    uint8_t acceptor; /* the acceptor that voted; unused in ACCEPT */
};
EVENT(ACCEPT, struct vote);
EVENT(ACCEPTED, struct vote);

struct value {
    uint8_t value;
};
EVENT(DECIDED, struct value);
EVENT(LEARNED, struct value); /* for the monitor */

struct group {
    machine_id acceptors[ACCEPTORS_MAX];
};
struct task {
    struct group group;
};
EVENT(PROPOSE, struct task);
EVENT(TIMEOUT);

static int quorum(void) {
    return participants / 2 + 1;
}

static bool is_quorum(uint8_t set) {
    return __builtin_popcount(set) >= quorum();
}

/* --- an acceptor ---------------------------------------------------------------------------- */

struct disk {
    uint8_t promised; /* the promised ballot; lower ballots get no answer */
    uint8_t accepted; /* the ballot of the accepted value, or 0 */
    uint8_t value;
};
struct acceptor {
    machine_id learner;
    uint8_t number;
    struct disk now, disk;
};
DECLARE_MACHINE(Acceptor, struct acceptor);

static void say_accepted(const struct acceptor *me) {
    machine_send(me->learner, ACCEPTED, .ballot = me->now.accepted, .value = me->now.value,
                 .acceptor = me->number);
}

static void perhaps_restart(struct acceptor *me) {
    if (me->number != 0 || heddle_choose(2) == 0)
        return;
    me->now = me->disk;
    if (me->now.accepted != 0)
        say_accepted(me); /* it cannot know whether it has reported this before */
}

static void promise(struct acceptor *me, const struct ballot *prepare) {
    if (prepare->ballot < me->now.promised)
        return;
    if (bug != 1)
        me->now.promised = prepare->ballot;
    if (bug != 5)
        me->disk = me->now;
    machine_send(machine_sender(), PROMISE, .ballot = prepare->ballot, .acceptor = me->number,
                 .accepted = me->now.accepted, .value = me->now.value);
    perhaps_restart(me);
}

static void accept(struct acceptor *me, const struct vote *vote) {
    if (vote->ballot < me->now.promised)
        return;
    me->now =
        (struct disk){.promised = vote->ballot, .accepted = vote->ballot, .value = vote->value};
    me->disk = me->now;
    say_accepted(me);
    perhaps_restart(me);
}

MACHINE(Acceptor, START("Up", ON(PREPARE, promise), ON(ACCEPT, accept)));

/* --- a proposer, and its timer -------------------------------------------------------------- */

struct timer {
    machine_id owner;
};
DECLARE_MACHINE(Timer, struct timer);

static void fire(struct timer *me) {
    machine_send(me->owner, TIMEOUT);
    machine_halt();
}

MACHINE(Timer, START("Running", ENTRY(fire)));

struct proposer {
    struct group group;
    uint8_t number;
    uint8_t ballot;
    /* The first acceptor of this ballot's quorum; the others follow on the ring. */
    uint8_t first;
    uint8_t promises; /* the set of acceptors that have promised */
    uint8_t best;     /* the highest ballot in which the acceptors in `promises` accepted */
    uint8_t value;    /* the value of that ballot, or the proposer's own value */
};
DECLARE_MACHINE(Proposer, struct proposer);
DECLARE_MACHINE(ForgetfulProposer, struct proposer);

/* A quorum is a row of neighbours on a ring. With up to 4 acceptors these are all quorums. By
 * symmetry two quorums are enough for ballot 1: one with acceptor 0 and one without. */
static uint8_t choose_quorum(uint8_t ballot) {
    if (quorum() == participants)
        return 0;
    return (uint8_t)heddle_choose(ballot == 1 ? 2 : participants);
}

static machine_id quorum_member(const struct proposer *me, int i) {
    return me->group.acceptors[(me->first + i) % participants];
}

static void begin_ballot(struct proposer *me, uint8_t ballot) {
    me->ballot = ballot;
    me->first = choose_quorum(ballot);
    me->promises = 0;
    me->best = 0;
    me->value = (uint8_t)(me->number + 1);
    for (int i = 0; i < quorum(); i++)
        machine_send(quorum_member(me, i), PREPARE, .ballot = ballot);
    if (ballot + PROPOSERS <= BALLOTS)
        machine_create(Timer, .owner = machine_self());
}

static void propose(struct proposer *me, const struct task *task) {
    me->group = task->group;
    heddle_hint("initialised");
    begin_ballot(me, (uint8_t)(me->number + 1));
}

static void try_again(struct proposer *me, const void *nothing) {
    begin_ballot(me, me->ballot + PROPOSERS);
}

static void send_accepts(struct proposer *me) {
    struct machine_channel channel = {.loses = me->ballot == 1};
    for (int i = 0; i < quorum(); i++)
        machine_send_over(&channel, quorum_member(me, i), ACCEPT, .ballot = me->ballot,
                          .value = me->value);
}

static void promised(struct proposer *me, const struct promise *promise) {
    if (promise->ballot != me->ballot && bug != 4)
        return;
    me->promises |= (uint8_t)(1 << promise->acceptor);
    if (promise->accepted > me->best || (bug == 2 && promise->accepted > 0)) {
        me->best = promise->accepted;
        me->value = promise->value;
    }
    if (is_quorum(me->promises)) {
        send_accepts(me);
        machine_goto("Accepting");
    }
}

/* The states that both kinds of proposer have in common. */
#define PROPOSER_STATES \
    START("Idle", ON_GOTO(PROPOSE, propose, "Preparing"), DEFER(DECIDED)), \
        STATE("Preparing", ON(PROMISE, promised), ON_GOTO(TIMEOUT, try_again, "Preparing"), \
              GOTO(DECIDED, "Done")), \
        STATE("Accepting", IGNORE(PROMISE), ON_GOTO(TIMEOUT, try_again, "Preparing"), \
              GOTO(DECIDED, "Done"))

MACHINE(Proposer, PROPOSER_STATES, STATE("Done", IGNORE(PROMISE), IGNORE(TIMEOUT)));
MACHINE(ForgetfulProposer, PROPOSER_STATES, STATE("Done", IGNORE(PROMISE))); /* bug 6 */

/* --- the learner ---------------------------------------------------------------------------- */

struct learner {
    machine_id proposers[PROPOSERS];
    uint8_t accepted[BALLOTS + 1]; /* the set of acceptors for each ballot */
    uint8_t messages[BALLOTS + 1]; /* ACCEPTED messages for each ballot; counted only with bug 3 */
};
DECLARE_MACHINE(Learner, struct learner);

static void learn(struct learner *me, const struct vote *vote) {
    me->accepted[vote->ballot] |= (uint8_t)(1 << vote->acceptor);
    bool chosen = is_quorum(me->accepted[vote->ballot]);
    if (bug == 3)
        chosen = ++me->messages[vote->ballot] == quorum();
    if (!chosen)
        return;
    machine_announce(LEARNED, .value = vote->value);
    for (int i = 0; i < PROPOSERS; i++)
        machine_send(me->proposers[i], DECIDED, .value = vote->value);
    machine_goto("Decided");
}

MACHINE(Learner, START("Learning", ON(ACCEPTED, learn)), STATE("Decided", IGNORE(ACCEPTED)));

/* --- the cluster ---------------------------------------------------------------------------- */

struct nothing {};
DECLARE_MACHINE(Cluster, struct nothing);

static void build(struct nothing *me) {
    struct group group = {0};
    machine_id proposers[PROPOSERS];
    for (int i = 0; i < PROPOSERS; i++)
        proposers[i] = bug == 6 ? machine_create(ForgetfulProposer, .number = (uint8_t)i)
                                : machine_create(Proposer, .number = (uint8_t)i);
    machine_id learner = machine_create(Learner, .proposers = {proposers[0], proposers[1]});
    for (int i = 0; i < participants; i++)
        group.acceptors[i] = machine_create(Acceptor, .learner = learner, .number = (uint8_t)i);
    for (int i = 0; i < PROPOSERS; i++)
        machine_send(proposers[i], PROPOSE, .group = group);
    machine_halt();
}

MACHINE(Cluster, START("Building", ENTRY(build)));

/* --- monitor: one value is chosen, and this value is learned -------------------------------- */

struct agreement {
    uint8_t accepted[BALLOTS + 1]; /* the set of acceptors for each ballot */
    uint8_t chosen;                /* the chosen value, or 0 */
};
DECLARE_MACHINE(Agreement, struct agreement);

static void see_accepted(struct agreement *me, const struct vote *vote) {
    heddle_assert(vote->value >= 1 && vote->value <= PROPOSERS);
    me->accepted[vote->ballot] |= (uint8_t)(1 << vote->acceptor);
    if (!is_quorum(me->accepted[vote->ballot]))
        return;
    heddle_assert(me->chosen == 0 || me->chosen == vote->value);
    me->chosen = vote->value;
}

static void see_learned(struct agreement *me, const struct value *learned) {
    heddle_assert(learned->value == me->chosen);
}

MONITOR(Agreement, START("Watching", ON(ACCEPTED, see_accepted), ON(LEARNED, see_learned)));

int main(int argc, char **argv) {
    protocol_arguments(argc, argv, 2, ACCEPTORS_MAX, 6);
    machine_watch(Agreement);
    return machine_start(Cluster);
}
