/* le_lann.c - the token of a ring, and the election when it is lost (Le Lann, 1977).
 *
 * Whoever has the token may enter its critical section, then passes it on. Tokens get lost. Each
 * process has a timer; when that is over, it takes the token for lost and stands for election: its
 * number goes round the ring. Who is a candidate remembers the numbers that come by. When its own
 * comes back it has seen all of them, since links keep the order and nobody stands who has passed a
 * number on: the smallest one makes a new token.
 *
 * Timers are no oracle: the token may be well. So elections are numbered, and each token by the
 * election it comes from. A later election ends the earlier ones, and their tokens are taken out of
 * the ring. As long as a process is in its critical section numbers wait, so that no election can
 * end behind its back.
 *
 * Here the first token may get lost, each one makes a tour and stops, and TIMEOUTS times somebody's
 * timer is over, at any time.
 *
 * correct: 2 3 4 5
 * bug 1 assertion at 2: old tokens are not recognised. The token comes to a candidate, which uses
 *     it and passes it on; with that the other enters, as the candidate, now elected, does with the
 *     new one.
 * bug 2 assertion at 2: who is in its critical section passes numbers on. The other is elected
 *     meanwhile, and enters.
 * bug 3 assertion at 2: candidates do not compare. Both timers are over before either hears of the
 *     other: two leaders.
 * bug 4 assertion at 3: whose timer is over after it has passed a number on stands in the same
 *     election, without a thought of that number: both come round as the smallest, two leaders.
 */
#include "protocol.h"

enum { PROCESSES_MAX = 8, TIMEOUTS = 3 };

struct neighbour {
    machine_id next;
};
EVENT(NEIGHBOUR, struct neighbour);
struct token {
    uint8_t election; /* that it comes from */
    uint8_t hops;     /* that are left */
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
EVENT(LEAVE, struct visit); /* to itself, as it enters its critical section */
EVENT(LEFT, struct visit);
EVENT(ELECTED, struct candidate);

/* --- a process ------------------------------------------------------------------------------ */

struct process {
    machine_id next;
    uint8_t number;
    uint8_t election;  /* the latest that it has heard of */
    bool stands;       /* as a candidate in that */
    uint8_t smallest;  /* number that came by, if so */
    bool joins;        /* bug 4: would stand in that, since its token has not come */
    struct token held; /* while in its critical section */
};
DECLARE_MACHINE(Process, struct process);
DECLARE_MACHINE(RashProcess, struct process); /* bug 2 */

static void enter(struct process *me, struct token token) {
    me->held = token;
    me->joins = false;
    machine_send(machine_self(), LEAVE, .number = me->number);
    machine_goto("Critical");
}

/* The first token can be lost on its way; one loss is enough. */
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
    heddle_assert(token->election <= me->election); /* it went round before its token did */
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

/* One's own number is back. */
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

/* What it sends last may come at any time. */
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

/* --- one in its critical section, and one leader an election -------------------------------- */

struct exclusion {
    uint8_t inside; /* number plus 1; 0: nobody */
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
    uint8_t latest; /* in which somebody stood, */
    uint8_t won;    /* and which was won */
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
