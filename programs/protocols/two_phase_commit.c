/* two_phase_commit.c - atomic commitment, with presumed abort.
 *
 * A client asks for transactions, one after the other. The coordinator sends PREPARE to all
 * participants, and again when the clock ticks. When the clock has ticked twice, or when a
 * participant refuses, the transaction is aborted and forgotten. When all have agreed, it is
 * committed, and remembered until all have acknowledged that. A participant that agrees must keep
 * its promise over a crash: its log holds its promise and the last transaction that was decided. A
 * participant that comes back and does not know the decision asks. If it asks about a transaction
 * that the coordinator does not remember, the answer is: aborted.
 *
 * The environment: participants refuse as they like. The clock ticks as often as there are
 * transactions, at any time. One participant crashes once; messages to it are lost while it is
 * down. The coordinator does not crash.
 *
 * correct: 2 3
 * bug 1 assertion at 2: the coordinator counts votes instead of collecting them. The clock ticks,
 *     PREPARE is sent again to a participant whose vote is on its way, and its second vote counts
 *     for the other participant.
 * bug 2 unhandled-event at 2: the clock ticks when all is decided. The last vote comes before the
 *     tick, and the tick comes while the coordinator waits for acknowledgements.
 * bug 3 assertion at 2: a participant that asks about a transaction that is not committed is told
 *     that it is aborted, even while votes are still awaited. A participant votes, crashes, comes
 *     back and asks before the others have voted.
 * bug 4 unhandled-event at 2: a participant in doubt does not expect a PREPARE. It votes, crashes
 *     and comes back; its vote is late, the clock ticks, and PREPARE is sent again.
 * bug 5 assertion at 2: a commit is forgotten at the first acknowledgement. A participant is down
 *     when COMMIT comes, and asks after another one has acknowledged.
 * bug 6 assertion at 2: a promise is in memory only. A participant votes, crashes, comes back, and
 *     knows nothing of the transaction that is then committed.
 * bug 7 assertion at 2: a late vote is taken for a vote on the current transaction. Its transaction
 *     is aborted, and the next one is committed with this vote.
 * bug 8 assertion at 2: an ABORT is taken for one of the current transaction. A participant that
 *     comes back in doubt is told twice, by the decision and by the answer to its question. In
 *     between it has promised the next transaction. */
#include "protocol.h"

enum { PARTICIPANTS_MAX = 4, TRANSACTIONS_MAX = 2, TRIES = 2 };

struct transaction {
    uint8_t number; /* transactions are numbered from 1 */
};
EVENT(REQUEST, struct transaction); /* from the client to the coordinator */
EVENT(PREPARE, struct transaction); /* from the coordinator to the participants */
EVENT(COMMIT, struct transaction);
EVENT(ABORT, struct transaction);
struct reply {
    uint8_t transaction, participant;
};
EVENT(YES, struct reply); /* from a participant to the coordinator */
EVENT(NO, struct reply);
EVENT(ACKNOWLEDGE, struct reply);
EVENT(INQUIRE, struct reply);
struct outcome {
    uint8_t transaction;
    bool committed;
};
EVENT(OUTCOME, struct outcome); /* from the coordinator to the client */
EVENT(TICK);
EVENT(CRASH);
EVENT(RESTART);

static uint8_t everybody(void) {
    return (uint8_t)((1 << participants) - 1);
}

/* The number of transactions, and of ticks. With more participants each transaction takes more
 * steps, so there is only one, for the search to end. */
static uint8_t transactions(void) {
    return participants == 2 ? TRANSACTIONS_MAX : 1;
}

/* --- a participant -------------------------------------------------------------------------- */

struct participant {
    machine_id coordinator;
    uint8_t number;
    uint8_t promised; /* in the log: the promised transaction, or 0 */
    uint8_t decided;  /* in the log: the last transaction whose outcome it knows */
    bool committed;   /* in the log: that outcome */
};
DECLARE_MACHINE(Participant, struct participant);

static void prepare(struct participant *me, const struct transaction *transaction) {
    if (transaction->number <= me->decided)
        return; /* PREPARE was sent again before the vote arrived */
    if (heddle_choose(2)) {
        me->decided = transaction->number;
        me->committed = false;
        machine_send(me->coordinator, NO, transaction->number, me->number);
    } else {
        me->promised = transaction->number;
        machine_send(me->coordinator, YES, transaction->number, me->number);
        machine_goto("Prepared");
    }
}

static void vote_again(struct participant *me, const struct transaction *transaction) {
    heddle_assert(transaction->number == me->promised);
    machine_send(me->coordinator, YES, transaction->number, me->number);
}

static void decide(struct participant *me, bool committed) {
    me->decided = me->promised;
    me->committed = committed;
    me->promised = 0;
    machine_goto("Working");
}

static void commit(struct participant *me, const struct transaction *transaction) {
    heddle_assert(transaction->number == me->promised);
    machine_send(me->coordinator, ACKNOWLEDGE, transaction->number, me->number);
    decide(me, true);
}

/* The participant has asked, and the decision was on its way as well. */
static void commit_again(struct participant *me, const struct transaction *transaction) {
    heddle_assert(transaction->number < me->decided ||
                  (transaction->number == me->decided && me->committed));
    machine_send(me->coordinator, ACKNOWLEDGE, transaction->number, me->number);
}

static void break_off(struct participant *me, const struct transaction *transaction) {
    if (transaction->number == me->promised || bug == 8)
        decide(me, false);
}

static void break_off_early(struct participant *me, const struct transaction *transaction) {
    if (transaction->number <= me->decided)
        return;
    me->decided = transaction->number;
    me->committed = false;
}

static void recover(struct participant *me, const void *nothing) {
    (void)nothing;
    if (bug == 6)
        me->promised = 0;
    if (me->promised == 0) {
        machine_goto("Working");
        return;
    }
    machine_send(me->coordinator, INQUIRE, me->promised, me->number);
    machine_goto(bug == 4 ? "InDoubtHasty" : "InDoubt");
}

MACHINE(Participant,
        START("Working", ON(PREPARE, prepare), ON(COMMIT, commit_again), ON(ABORT, break_off_early),
              GOTO(CRASH, "Down")),
        STATE("Prepared", ON(PREPARE, vote_again), ON(COMMIT, commit), ON(ABORT, break_off),
              GOTO(CRASH, "Down")),
        STATE("Down", IGNORE(PREPARE), IGNORE(COMMIT), IGNORE(ABORT), ON(RESTART, recover)),
        STATE("InDoubt", DEFER(PREPARE), ON(COMMIT, commit), ON(ABORT, break_off)),
        STATE("InDoubtHasty", ON(COMMIT, commit), ON(ABORT, break_off)) /* bug 4 */);

/* --- environment: clock, crash, client ------------------------------------------------------ */

struct clock {
    machine_id coordinator;
};
DECLARE_MACHINE(Clock, struct clock);

static void tick(struct clock *me) {
    for (int i = 0; i < transactions(); i++)
        machine_send(me->coordinator, TICK);
    machine_halt();
}

MACHINE(Clock, START("Ticking", ENTRY(tick)));

struct fault {
    machine_id participants[PARTICIPANTS_MAX];
};
DECLARE_MACHINE(Fault, struct fault);

static void crash(struct fault *me) {
    machine_id victim = me->participants[heddle_choose(participants)];
    machine_send(victim, CRASH);
    machine_send(victim, RESTART);
    machine_halt();
}

MACHINE(Fault, START("Crashing", ENTRY(crash)));

struct client {
    machine_id coordinator;
    uint8_t asked;
};
DECLARE_MACHINE(Client, struct client);

static void ask(struct client *me) {
    if (me->asked == transactions())
        machine_halt();
    else
        machine_send(me->coordinator, REQUEST, ++me->asked);
}

static void hear(struct client *me, const struct outcome *outcome) {
    heddle_assert(outcome->transaction == me->asked);
}

MACHINE(Client, START("Asking", ENTRY(ask), ON_GOTO(OUTCOME, hear, "Asking")));

/* --- the coordinator ------------------------------------------------------------------------ */

struct coordinator {
    machine_id participants[PARTICIPANTS_MAX], client;
    uint8_t transaction, tries;
    uint8_t agreed, acknowledged; /* one bit for each participant */
    uint8_t votes;                /* bug 1 */
};
DECLARE_MACHINE(Coordinator, struct coordinator);

static void set_up(struct coordinator *me) {
    struct fault fault = {0};
    for (int i = 0; i < participants; i++)
        me->participants[i] = fault.participants[i] =
            machine_create(Participant, .coordinator = machine_self(), .number = (uint8_t)i);
    machine_create(Clock, .coordinator = machine_self());
    machine_create_at(&Fault, &fault);
    me->client = machine_create(Client, .coordinator = machine_self());
    machine_goto("Idle");
}

/* Asks the participants that have not voted yet. */
static void ask_for_votes(struct coordinator *me) {
    me->tries++;
    for (int i = 0; i < participants; i++)
        if (!(me->agreed & 1 << i))
            machine_send(me->participants[i], PREPARE, me->transaction);
}

static void begin(struct coordinator *me, const struct transaction *transaction) {
    me->transaction = transaction->number;
    ask_for_votes(me);
}

static void decided(struct coordinator *me, bool committed) {
    me->tries = me->agreed = me->votes = 0;
    machine_send(me->client, OUTCOME, me->transaction, committed);
}

static void commit_everywhere(struct coordinator *me) {
    for (int i = 0; i < participants; i++)
        machine_send(me->participants[i], COMMIT, me->transaction);
    decided(me, true);
    machine_goto(bug == 2 ? "FinishingHasty" : "Finishing");
}

/* Tells all participants except the one that has refused, which knows the outcome. */
static void abort_everywhere(struct coordinator *me, uint8_t refused) {
    for (int i = 0; i < participants; i++)
        if (!(refused & 1 << i))
            machine_send(me->participants[i], ABORT, me->transaction);
    decided(me, false);
    machine_goto("Idle");
}

static void hear_yes(struct coordinator *me, const struct reply *vote) {
    if (vote->transaction != me->transaction && bug != 7)
        return;
    me->agreed |= (uint8_t)(1 << vote->participant);
    if (bug == 1 ? ++me->votes == participants : me->agreed == everybody())
        commit_everywhere(me);
}

static void hear_no(struct coordinator *me, const struct reply *vote) {
    if (vote->transaction == me->transaction)
        abort_everywhere(me, (uint8_t)(1 << vote->participant));
}

static void lose_patience(struct coordinator *me, const void *nothing) {
    (void)nothing;
    if (me->tries == TRIES)
        abort_everywhere(me, 0);
    else
        ask_for_votes(me);
}

/* A transaction that is not remembered was aborted. */
static void answer_aborted(struct coordinator *me, const struct reply *inquiry) {
    machine_send(me->participants[inquiry->participant], ABORT, inquiry->transaction);
}

/* The current transaction is not decided yet. The decision will go to all participants. */
static void answer_undecided(struct coordinator *me, const struct reply *inquiry) {
    if (inquiry->transaction != me->transaction || bug == 3)
        answer_aborted(me, inquiry);
}

static void answer_committed(struct coordinator *me, const struct reply *inquiry) {
    if (inquiry->transaction == me->transaction)
        machine_send(me->participants[inquiry->participant], COMMIT, inquiry->transaction);
    else
        answer_aborted(me, inquiry);
}

static void acknowledged(struct coordinator *me, const struct reply *reply) {
    if (reply->transaction != me->transaction)
        return;
    me->acknowledged |= (uint8_t)(1 << reply->participant);
    if (me->acknowledged != everybody() && bug != 5)
        return;
    me->acknowledged = 0;
    machine_goto("Idle");
}

MACHINE(Coordinator, START("Starting", ENTRY(set_up)),
        STATE("Idle", ON_GOTO(REQUEST, begin, "Voting"), ON(INQUIRE, answer_aborted), IGNORE(YES),
              IGNORE(NO), IGNORE(ACKNOWLEDGE), IGNORE(TICK)),
        STATE("Voting", ON(YES, hear_yes), ON(NO, hear_no), ON(TICK, lose_patience),
              ON(INQUIRE, answer_undecided), IGNORE(ACKNOWLEDGE), DEFER(REQUEST)),
        STATE("Finishing", ON(ACKNOWLEDGE, acknowledged), ON(INQUIRE, answer_committed),
              IGNORE(YES), IGNORE(TICK), DEFER(REQUEST)),
        STATE("FinishingHasty", ON(ACKNOWLEDGE, acknowledged), ON(INQUIRE, answer_committed),
              IGNORE(YES), DEFER(REQUEST)) /* bug 2 */);

/* --- monitor: all or nothing ---------------------------------------------------------------- */

struct atomicity {
    uint8_t agreed[TRANSACTIONS_MAX + 1],
        done[TRANSACTIONS_MAX + 1]; /* one bit for each participant */
    uint8_t committed, aborted;     /* one bit for each transaction */
};
DECLARE_MACHINE(Atomicity, struct atomicity);

static void see_yes(struct atomicity *me, const struct reply *vote) {
    if (!((me->committed | me->aborted) & 1 << vote->transaction))
        me->agreed[vote->transaction] |= (uint8_t)(1 << vote->participant);
}

static void see_commit(struct atomicity *me, const struct transaction *transaction) {
    me->committed |= (uint8_t)(1 << transaction->number);
    heddle_assert(!(me->aborted & 1 << transaction->number));
    heddle_assert(me->agreed[transaction->number] == everybody());
}

static void see_abort(struct atomicity *me, const struct transaction *transaction) {
    me->aborted |= (uint8_t)(1 << transaction->number);
    me->agreed[transaction->number] = 0;
    heddle_assert(!(me->committed & 1 << transaction->number));
}

static void see_done(struct atomicity *me, const struct reply *reply) {
    me->done[reply->transaction] |= (uint8_t)(1 << reply->participant);
    heddle_assert(me->committed & 1 << reply->transaction);
}

static void see_outcome(struct atomicity *me, const struct outcome *outcome) {
    heddle_assert((outcome->committed ? me->committed : me->aborted) & 1 << outcome->transaction);
}

/* A committed transaction is committed everywhere. A transaction may stay undecided forever if the
 * clock has ticked too early. */
static void all_is_done(struct atomicity *me) {
    for (int i = 1; i <= transactions(); i++)
        heddle_assert(!(me->committed & 1 << i) || me->done[i] == everybody());
}

MONITOR(Atomicity, AT_END(all_is_done),
        START("Looking", ON(YES, see_yes), ON(COMMIT, see_commit), ON(ABORT, see_abort),
              ON(ACKNOWLEDGE, see_done), ON(OUTCOME, see_outcome)));

int main(int argc, char **argv) {
    protocol_arguments(argc, argv, 2, PARTICIPANTS_MAX, 8);
    machine_watch(Atomicity);
    return machine_start(Coordinator);
}
