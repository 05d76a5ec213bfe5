/* multi_paxos.c - Multi-Paxos: a log of two slots, PARTICIPANTS acceptors, and a leader that is
 * replaced.
 *
 * All acceptors have promised ballot 1 to leader 0. So leader 0 asks them at once to accept command
 * A in slot 0 and command B in slot 1, without waiting in between. Leader 1 takes over with ballot
 * 2. It prepares all slots together; a promise tells what was accepted in each slot. Leader 1
 * proposes that again, fills gaps below with NOOP, and puts its own command in the next slot, if
 * one is left. The learner applies the commands in the order of the log.
 *
 * The environment: the messages of leader 0 may get lost. Leader 1 takes over at any time, while
 * leader 0 still believes that it leads. The choices are: which quorum a leader asks, and which
 * command leader 1 has: a new one, C, or A again, from a client that has waited too long.
 *
 * correct: 2 3
 * bug 1 assertion at 2: an acceptor compares ballots slot by slot, so that its promise has no
 *     effect on slots that are still empty. It accepts a request of leader 0 after leader 1 has its
 *     promises.
 * bug 2 assertion at 3: the new leader takes the longest log instead of the best entry of each
 *     slot. A is chosen in slot 0, but the acceptor that has B in slot 1 does not have A.
 * bug 3 assertion at 2: the new leader counts entries to find the next free slot. A was lost on its
 *     way to all acceptors, B is in slot 1, and C goes there too.
 * bug 4 assertion at 2: the new leader does not check whether its command is in the log already. A,
 *     which is in slot 0, comes again and is applied twice.
 * bug 5 assertion at 2: the learner adds up the votes for a slot over all ballots. One acceptor's
 *     vote for leader 0 and another one's for leader 1 are taken for a quorum. */
#include "protocol.h"

enum { ACCEPTORS_MAX = 5, SLOTS = 2, BALLOTS = 2 };
enum command { NONE, A, B, C, NOOP };

struct entry {
    uint8_t ballot; /* 0 means that nothing was accepted */
    uint8_t command;
};
struct log {
    struct entry slots[SLOTS];
};

struct ballot {
    uint8_t ballot;
};
EVENT(PREPARE, struct ballot);

struct promise {
    uint8_t acceptor;
    struct log log;
};
EVENT(PROMISE, struct promise);

struct vote {
    uint8_t slot;
    struct entry entry;
    uint8_t acceptor; /* in ACCEPTED: the acceptor */
};
EVENT(ACCEPT, struct vote);
EVENT(ACCEPTED, struct vote);

struct applied {
    uint8_t slot;
    uint8_t command;
};
EVENT(APPLIED, struct applied); /* for the monitor */

static int quorum(void) {
    return participants / 2 + 1;
}

static bool is_quorum(uint8_t set) {
    return __builtin_popcount(set) >= quorum();
}

/* --- an acceptor ---------------------------------------------------------------------------- */

struct acceptor {
    machine_id learner;
    uint8_t number;
    uint8_t promised; /* the ballot that it has promised, for all slots */
    struct log log;
};
DECLARE_MACHINE(Acceptor, struct acceptor);

static void promise(struct acceptor *me, const struct ballot *prepare) {
    me->promised = prepare->ballot;
    machine_send(machine_sender(), PROMISE, .acceptor = me->number, .log = me->log);
}

static void accept(struct acceptor *me, const struct vote *vote) {
    uint8_t least = bug == 1 ? me->log.slots[vote->slot].ballot : me->promised;
    if (vote->entry.ballot < least)
        return;
    me->log.slots[vote->slot] = vote->entry;
    machine_send(me->learner, ACCEPTED, .slot = vote->slot, .entry = vote->entry,
                 .acceptor = me->number);
}

MACHINE(Acceptor, START("Up", ON(PREPARE, promise), ON(ACCEPT, accept)));

/* --- leaders -------------------------------------------------------------------------------- */

struct leader {
    machine_id acceptors[ACCEPTORS_MAX];
    uint8_t ballot;
    uint8_t command;  /* the own command of leader 1 */
    uint8_t first;    /* the first acceptor of its quorum; the others follow on the ring */
    uint8_t promises; /* the set of acceptors that have promised */
    struct log log;
};
DECLARE_MACHINE(FirstLeader, struct leader);
DECLARE_MACHINE(NextLeader, struct leader);

static machine_id quorum_member(const struct leader *me, int i) {
    return me->acceptors[(me->first + i) % participants];
}

static void propose(struct leader *me, int slot, uint8_t command) {
    struct machine_channel channel = {.loses = me->ballot == 1};
    struct entry entry = {.ballot = me->ballot, .command = command};
    for (int i = 0; i < quorum(); i++)
        machine_send_over(&channel, quorum_member(me, i), ACCEPT, .slot = (uint8_t)slot,
                          .entry = entry);
}

/* A quorum is a row of neighbours on a ring. With up to 4 acceptors these are all quorums. */
static void choose_quorum(struct leader *me) {
    me->first = quorum() == participants ? 0 : (uint8_t)heddle_choose(participants);
}

/* By symmetry it makes no difference which quorum gets slot 0. */
static void lead_first(struct leader *me) {
    propose(me, 0, A);
    choose_quorum(me);
    propose(me, 1, B);
    machine_halt();
}

MACHINE(FirstLeader, START("Leading", ENTRY(lead_first)));

static void take_over(struct leader *me) {
    heddle_hint("initialised");
    me->command = heddle_choose(2) == 0 ? C : A;
    choose_quorum(me);
    for (int i = 0; i < quorum(); i++)
        machine_send(quorum_member(me, i), PREPARE, .ballot = me->ballot);
}

static int used_slots(const struct log *log) {
    int used = 0;
    for (int i = 0; i < SLOTS; i++)
        if (log->slots[i].ballot != 0)
            used = bug == 3 ? used + 1 : i + 1;
    return used;
}

static bool contains(const struct log *log, uint8_t command) {
    for (int i = 0; i < SLOTS; i++)
        if (log->slots[i].command == command)
            return true;
    return false;
}

static void merge(struct leader *me, const struct log *log) {
    if (bug == 2) {
        if (used_slots(log) > used_slots(&me->log))
            me->log = *log;
        return;
    }
    for (int i = 0; i < SLOTS; i++)
        if (log->slots[i].ballot > me->log.slots[i].ballot)
            me->log.slots[i] = log->slots[i];
}

static void propose_all(struct leader *me) {
    int used = used_slots(&me->log);
    for (int i = 0; i < used; i++)
        propose(me, i, me->log.slots[i].ballot != 0 ? me->log.slots[i].command : NOOP);
    bool is_new = bug == 4 || !contains(&me->log, me->command);
    if (used < SLOTS && is_new)
        propose(me, used, me->command);
}

static void promised(struct leader *me, const struct promise *promise) {
    me->promises |= (uint8_t)(1 << promise->acceptor);
    merge(me, &promise->log);
    if (is_quorum(me->promises)) {
        propose_all(me);
        machine_halt();
    }
}

MACHINE(NextLeader, START("Preparing", ENTRY(take_over), ON(PROMISE, promised)));

/* --- the learner ---------------------------------------------------------------------------- */

struct learner {
    uint8_t accepted[SLOTS][BALLOTS + 1]; /* for each slot and ballot, the set of acceptors */
    uint8_t known[SLOTS];                 /* the chosen command of each slot, or NONE */
    uint8_t applied;                      /* how many slots have been applied */
};
DECLARE_MACHINE(Learner, struct learner);

static void apply_known(struct learner *me) {
    while (me->applied < SLOTS && me->known[me->applied] != NONE) {
        machine_announce(APPLIED, .slot = me->applied, .command = me->known[me->applied]);
        me->applied++;
    }
}

static void learn(struct learner *me, const struct vote *vote) {
    uint8_t ballot = bug == 5 ? 0 : vote->entry.ballot;
    uint8_t *set = &me->accepted[vote->slot][ballot];
    *set |= (uint8_t)(1 << vote->acceptor);
    if (!is_quorum(*set) || me->known[vote->slot] != NONE)
        return;
    me->known[vote->slot] = vote->entry.command;
    apply_known(me);
}

MACHINE(Learner, START("Learning", ON(ACCEPTED, learn)));

/* --- the cluster ---------------------------------------------------------------------------- */

struct nothing {};
DECLARE_MACHINE(Cluster, struct nothing);

static void build(struct nothing *me) {
    machine_id a[ACCEPTORS_MAX] = {0};
    machine_id learner = machine_create(Learner);
    for (int i = 0; i < participants; i++)
        a[i] = machine_create(Acceptor, .learner = learner, .number = (uint8_t)i, .promised = 1);
    machine_create(FirstLeader, .ballot = 1, .acceptors = {a[0], a[1], a[2], a[3], a[4]});
    machine_create(NextLeader, .ballot = 2, .acceptors = {a[0], a[1], a[2], a[3], a[4]});
    machine_halt();
}

MACHINE(Cluster, START("Building", ENTRY(build)));

/* --- monitor: one command in each slot, applied in order and once --------------------------- */

struct one_log {
    uint8_t accepted[SLOTS][BALLOTS + 1]; /* for each slot and ballot, the set of acceptors */
    uint8_t chosen[SLOTS];
    uint8_t applied;  /* how many slots have been applied */
    uint8_t commands; /* the set of commands that have been applied */
};
DECLARE_MACHINE(OneLog, struct one_log);

static void see_accepted(struct one_log *me, const struct vote *vote) {
    uint8_t *set = &me->accepted[vote->slot][vote->entry.ballot];
    uint8_t *chosen = &me->chosen[vote->slot];
    *set |= (uint8_t)(1 << vote->acceptor);
    if (!is_quorum(*set))
        return;
    heddle_assert(*chosen == NONE || *chosen == vote->entry.command);
    *chosen = vote->entry.command;
}

static void see_applied(struct one_log *me, const struct applied *applied) {
    uint8_t bit = (uint8_t)(1 << applied->command);
    heddle_assert(applied->slot == me->applied++);
    heddle_assert(applied->command == me->chosen[applied->slot]);
    heddle_assert(applied->command == NOOP || (me->commands & bit) == 0);
    me->commands |= bit;
}

MONITOR(OneLog, START("Watching", ON(ACCEPTED, see_accepted), ON(APPLIED, see_applied)));

int main(int argc, char **argv) {
    protocol_arguments(argc, argv, 2, ACCEPTORS_MAX, 5);
    machine_watch(OneLog);
    return machine_start(Cluster);
}
