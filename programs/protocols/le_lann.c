/* le_lann.c - the token of a ring, and the election when the token is lost (Le Lann, 1977).
 *
 * The process that has the token may enter its critical section, and then passes the token on.
 * Tokens get lost. Each process has a timer. When the timer fires, the process believes that the
 * token is lost and becomes a candidate: its number goes round the ring. A candidate remembers the
 * numbers that pass. When its own number comes back, it has seen the numbers of all candidates,
 * because links keep the order and a process that has passed a number on does not become a
 * candidate. The candidate with the smallest number makes a new token.
 *
 * A timer can be wrong: the token may still exist. So elections are numbered, and each token
 * carries the number of its election. A later election ends the earlier ones, and their tokens are
 * taken out of the ring. While a process is in its critical section, numbers wait, so that no
 * election can end in the meantime.
 *
 * Here the first token may get lost, each token goes round once and stops, and TIMEOUTS times some
 * timer fires, at any time.
 *
 * correct: 2 3 4 5
 * bug 1 assertion at 2: old tokens are not recognised. The token comes to a candidate, which uses
 *     it and passes it on. With it the other process enters, while the candidate, now elected,
 *     enters with the new token.
 * bug 2 assertion at 2: a process in its critical section passes numbers on. The other process is
 *     elected in the meantime, and enters.
 * bug 3 assertion at 2: candidates do not compare numbers. Both timers fire before either process
 *     hears of the other one: two leaders.
 * bug 4 assertion at 3: a process whose timer fires after it has passed a number on becomes a
 *     candidate in the same election, and forgets that number. Both numbers go round as the
 *     smallest: two leaders. */
#include "protocol.h"

enum { PROCESSES_MAX = 8, TIMEOUTS = 3 };

struct neighbour {
    machine_id next;
};
EVENT(NEIGHBOUR, struct neighbour);
struct token {
    uint8_t election; /* the election that made this token */
    uint8_t hops;     /* how many hops are left */
};
EVENT(TOKEN, struct token);
struct candidate {
    uint8_t election;
    uint8_t number;
};
EVENT(CANDIDATE, struct candidate);
EVENT(TIMEOUT);
struct visit {
    uint8_t number;
};
EVENT(LEAVE, struct visit); /* from a process to itself, when it enters its critical section */
EVENT(LEFT, struct visit);
EVENT(ELECTED, struct candidate);

/* --- a process ------------------------------------------------------------------------------ */

struct process {
    machine_id next;
    uint8_t number;
    uint8_t election; /* the latest election that it has heard of */
    bool stands;      /* it is a candidate in that election */
    uint8_t smallest; /* for a candidate: the smallest number that has passed */
    /* Bug 4: it would be a candidate in that election, because its token has not come. */
    bool joins;
    struct token held; /* its token, while it is in its critical section */
};
DECLARE_MACHINE(Process, struct process);
DECLARE_MACHINE(RashProcess, struct process); /* bug 2 */

static void enter(struct process *me, struct token token) {
    me->held = token;
    me->joins = false;
    machine_send(machine_self(), LEAVE, .number = me->number);
    machine_goto("Critical");
}

/* The first token can be lost on its way. One loss is enough for the test. */
static void pass_on(const struct process *me, struct token token) {
    static const struct machine_channel lossy = {.loses = true};
    const struct machine_channel *channel = token.election == 0 ? &lossy : NULL;
    machine_send_over(channel, me->next, TOKEN, .election = token.election,
                      .hops = (uint8_t)(token.hops - 1));
}

static void make_token(struct process *me) {
    enter(me, (struct token){.election = me->election, .hops = (uint8_t)participants});
}

/* Process 0 has the token at first. */
static void join_ring(struct process *me, const struct neighbour *neighbour) {
    me->next = neighbour->next;
    if (me->number == 0)
        make_token(me);
    else
        machine_goto("Idle");
}

static void take_token(struct process *me, const struct token *token) {
    /* The election went round the ring before its token did. */
    heddle_assert(token->election <= me->election);
    if (token->election == me->election || bug == 1)
        enter(me, *token);
}

static void leave(struct process *me, const struct visit *visit) {
    struct token token = me->held;
    me->held = (struct token){0};
    machine_announce(LEFT, .number = visit->number);
    if (token.hops > 0 && (token.election == me->election || bug == 1))
        pass_on(me, token);
}

/* --- elections --- */

static void send_number(const struct process *me, uint8_t number) {
    machine_send(me->next, CANDIDATE, .election = me->election, .number = number);
}

static void stand(struct process *me, const void *nothing) {
    (void)nothing;
    if (!me->joins)
        me->election++;
    me->joins = false;
    me->stands = true;
    me->smallest = me->number;
    send_number(me, me->number);
}

/* The process's own number has come back. */
static void count(struct process *me) {
    bool wins = me->smallest == me->number || bug == 3;
    me->stands = false;
    if (!wins)
        return;
    machine_announce(ELECTED, .election = me->election, .number = me->number);
    make_token(me);
}

static void hear(struct process *me, const struct candidate *candidate) {
    if (candidate->election < me->election)
        return;
    if (candidate->election > me->election) {
        me->election = candidate->election;
        me->stands = false;
    }
    if (candidate->number == me->number) {
        count(me);
        return;
    }
    if (me->stands && candidate->number < me->smallest)
        me->smallest = candidate->number;
    me->joins = bug == 4 && !me->stands;
    send_number(me, candidate->number);
}

#define OTHER_STATES \
    START("Alone", ON(NEIGHBOUR, join_ring), DEFER(TOKEN), DEFER(CANDIDATE), DEFER(TIMEOUT)), \
        STATE("Idle", ON(TOKEN, take_token), ON(CANDIDATE, hear), ON(TIMEOUT, stand))

MACHINE(Process, OTHER_STATES,
        STATE("Critical", ON_GOTO(LEAVE, leave, "Idle"), DEFER(CANDIDATE), DEFER(TOKEN),
              IGNORE(TIMEOUT)));
MACHINE(RashProcess, OTHER_STATES,
        STATE("Critical", ON_GOTO(LEAVE, leave, "Idle"), ON(CANDIDATE, hear), DEFER(TOKEN),
              IGNORE(TIMEOUT)));

/* --- the ring, and the timers --------------------------------------------------------------- */

struct ring {
    machine_id processes[PROCESSES_MAX];
};
DECLARE_MACHINE(Ring, struct ring);

/* The last messages of this machine may arrive at any time. */
static void build(struct ring *me) {
    for (int i = 0; i < participants; i++) {
        uint8_t number = (uint8_t)i;
        me->processes[i] = bug == 2 ? machine_create(RashProcess, .number = number)
                                    : machine_create(Process, .number = number);
    }
    for (int i = 0; i < participants; i++)
        machine_send(me->processes[i], NEIGHBOUR, .next = me->processes[(i + 1) % participants]);
    for (int i = 0; i < TIMEOUTS; i++)
        machine_send(me->processes[heddle_choose(participants)], TIMEOUT);
    machine_halt();
}

MACHINE(Ring, START("Building", ENTRY(build)));

/* --- monitor: one process in its critical section, and one leader for each election --------- */

struct exclusion {
    uint8_t inside; /* the process in its critical section, plus 1; 0 means none */
};
DECLARE_MACHINE(Exclusion, struct exclusion);

static void entered(struct exclusion *me, const struct visit *visit) {
    heddle_assert(me->inside == 0);
    me->inside = (uint8_t)(visit->number + 1);
}

static void left(struct exclusion *me, const struct visit *visit) {
    heddle_assert(me->inside == visit->number + 1);
    me->inside = 0;
}

MONITOR(Exclusion, START("Watching", ON(LEAVE, entered), ON(LEFT, left)));

struct elections {
    uint8_t latest; /* the latest election that had a candidate */
    uint8_t won;    /* the latest election that was won */
};
DECLARE_MACHINE(Elections, struct elections);

static void candidate_seen(struct elections *me, const struct candidate *candidate) {
    if (candidate->election > me->latest)
        me->latest = candidate->election;
}

static void elected(struct elections *me, const struct candidate *leader) {
    heddle_assert(leader->election > me->won);
    me->won = leader->election;
}

static void latest_was_won(struct elections *me) {
    heddle_assert(me->won == me->latest);
}

MONITOR(Elections, AT_END(latest_was_won),
        START("Watching", ON(CANDIDATE, candidate_seen), ON(ELECTED, elected)));

int main(int argc, char **argv) {
    protocol_arguments(argc, argv, 2, PROCESSES_MAX, 4);
    machine_watch(Exclusion);
    machine_watch(Elections);
    return machine_start(Ring);
}
