/* two_phase_commit.c - atomic commitment, with presumed abort.
 *
 * A client asks for transactions, one after the other. The coordinator sends PREPARE to all participants,
 * and again when the timer fires; when it fires twice, or one refuses, the transaction is aborted, and
 * forgotten. When all have agreed it is committed, and remembered until all have acknowledged that. A
 * participant that agrees must keep that promise over a crash: its log says what it has promised and
 * which transaction was decided last. When it comes back in doubt it asks, and who asks about a transaction
 * that is not remembered is told: aborted.
 *
 * The environment: participants refuse as they like, the timer fires at any time, and one participant
 * crashes once; what is sent to it while it is down is lost. The coordinator does not crash.
 *
 * correct: 2 3
 * bug 1 assertion at 2: votes are counted, not collected. The timer fires, PREPARE is sent again to a
 *     participant whose vote is on its way, and its second vote counts for the other one.
 * bug 2 unhandled-event at 2: a timer that fires when all is decided is forgotten in one state. The last
 *     vote comes before the timer, which then fires while acknowledgements are awaited.
 * bug 3 assertion at 2: whoever asks about what is not committed is told: aborted, even while votes are
 *     awaited. A participant votes, crashes, comes back and asks before the others have voted.
 * bug 4 unhandled-event at 2: in doubt, nobody expects a PREPARE. A participant votes, crashes and comes back;
 *     its vote is late, the timer fires, and PREPARE is sent again.
 * bug 5 assertion at 2: a commit is forgotten at the first acknowledgement. A participant is down when
 *     COMMIT comes, and asks when another has acknowledged.
 * bug 6 assertion at 2: a promise is in memory only. A participant votes, crashes, comes back, and
 *     knows nothing of what is then committed.
 * bug 7 assertion at 2: a vote is taken for one on the present transaction. It is late, the timer has
 *     fired twice, and the next transaction is committed with it.
 * bug 8 assertion at 2: ABORT is taken for one of the present transaction. Who comes back in doubt is told
 *     twice, by the decision and by the answer; in between it has promised the next one.
 */
#include "protocol.h"

enum { PARTICIPANTS_MAX = 4, TRANSACTIONS = 2, TRIES = 2 };

struct transaction {
    uint8_t number; /* from 1 on */
};
EVENT(REQUEST, struct transaction); /* client to coordinator */
EVENT(PREPARE, struct transaction); /* coordinator to participants */
EVENT(COMMIT, struct transaction);
EVENT(ABORT, struct transaction);
struct reply {
    uint8_t transaction, participant;
};
EVENT(YES, struct reply); /* participant to coordinator */
EVENT(NO, struct reply);
EVENT(ACKNOWLEDGE, struct reply);
EVENT(INQUIRE, struct reply);
EVENT(BROKEN_OFF, struct reply); /* announced: what was promised is undone */
struct outcome {
    uint8_t transaction;
    bool committed;
};
EVENT(OUTCOME, struct outcome); /* coordinator to client */
struct timer_setting {
    uint8_t number;
};
EVENT(SET, struct timer_setting);
EVENT(TIMEOUT, struct timer_setting);
EVENT(CRASH);
EVENT(RESTART);

static uint8_t everybody(void) {
    return (uint8_t)((1 << participants) - 1);
}

/* --- a participant -------------------------------------------------------------------------- */

struct participant {
    machine_id coordinator;
    uint8_t number;
    uint8_t promised; /* the log: a transaction, or 0; */
    uint8_t decided;  /* the last one of which it knows what came of it */
};
DECLARE_MACHINE(Participant, struct participant);

static void prepare(struct participant *me, const struct transaction *transaction) {
    if (transaction->number <= me->decided)
        return; /* sent again before the vote arrived */
    if (heddle_choose(2)) {
        me->decided = transaction->number;
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

static void decide(struct participant *me, uint8_t transaction) {
    me->decided = transaction;
    me->promised = 0;
    machine_goto("Working");
}

static void commit(struct participant *me, const struct transaction *transaction) {
    heddle_assert(transaction->number == me->promised);
    machine_send(me->coordinator, ACKNOWLEDGE, transaction->number, me->number);
    decide(me, transaction->number);
}

/* It has asked, and the decision was on its way as well. */
static void commit_again(struct participant *me, const struct transaction *transaction) {
    heddle_assert(transaction->number <= me->decided);
    machine_send(me->coordinator, ACKNOWLEDGE, transaction->number, me->number);
}

static void break_off(struct participant *me, const struct transaction *transaction) {
    if (transaction->number != me->promised && bug != 8)
        return;
    machine_announce(BROKEN_OFF, me->promised, me->number);
    decide(me, me->promised);
}

static void break_off_early(struct participant *me, const struct transaction *transaction) {
    if (transaction->number > me->decided)
        me->decided = transaction->number;
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

/* --- environment: timer, crash, client ------------------------------------------------------ */

struct timer {
    char nothing;
};
DECLARE_MACHINE(Timer, struct timer);

static void fire(struct timer *me, const struct timer_setting *setting) {
    (void)me;
    machine_send(machine_sender(), TIMEOUT, setting->number);
}

MACHINE(Timer, START("Ready", ON(SET, fire)));

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
    if (me->asked == TRANSACTIONS)
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
    machine_id participants[PARTICIPANTS_MAX], timer, client;
    uint8_t transaction, tries;
    uint8_t agreed, acknowledged; /* a bit for each participant */
    uint8_t votes;                /* bug 1 */
};
DECLARE_MACHINE(Coordinator, struct coordinator);

static void set_up(struct coordinator *me) {
    struct fault fault = {0};
    for (int i = 0; i < participants; i++)
        me->participants[i] = fault.participants[i] =
            machine_create(Participant, .coordinator = machine_self(), .number = (uint8_t)i);
    me->timer = machine_create(Timer);
    machine_create_at(&Fault, &fault);
    me->client = machine_create(Client, .coordinator = machine_self());
    machine_goto("Idle");
}

/* To those who have not voted yet. */
static void ask_for_votes(struct coordinator *me) {
    me->tries++;
    for (int i = 0; i < participants; i++)
        if (!(me->agreed & 1 << i))
            machine_send(me->participants[i], PREPARE, me->transaction);
    machine_send(me->timer, SET, (uint8_t)(me->transaction * TRIES + me->tries));
}

static void begin(struct coordinator *me, const struct transaction *transaction) {
    me->transaction = transaction->number;
    me->tries = me->agreed = me->acknowledged = me->votes = 0;
    ask_for_votes(me);
}

static void commit_everywhere(struct coordinator *me) {
    for (int i = 0; i < participants; i++)
        machine_send(me->participants[i], COMMIT, me->transaction);
    machine_send(me->client, OUTCOME, me->transaction, true);
    machine_goto(bug == 2 ? "FinishingHasty" : "Finishing");
}

static void abort_everywhere(struct coordinator *me) {
    for (int i = 0; i < participants; i++)
        machine_send(me->participants[i], ABORT, me->transaction);
    machine_send(me->client, OUTCOME, me->transaction, false);
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
        abort_everywhere(me);
}

static void expire(struct coordinator *me, const struct timer_setting *setting) {
    if (setting->number != me->transaction * TRIES + me->tries)
        return; /* it was set for something else */
    if (me->tries == TRIES)
        abort_everywhere(me);
    else
        ask_for_votes(me);
}

/* What is not remembered was aborted. */
static void answer_aborted(struct coordinator *me, const struct reply *inquiry) {
    machine_send(me->participants[inquiry->participant], ABORT, inquiry->transaction);
}

/* Nothing is decided about the present one: the decision will come to all. */
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
    if (me->acknowledged == everybody() || bug == 5)
        machine_goto("Idle");
}

MACHINE(Coordinator, START("Starting", ENTRY(set_up)),
        STATE("Idle", ON_GOTO(REQUEST, begin, "Voting"), ON(INQUIRE, answer_aborted), IGNORE(YES),
              IGNORE(NO), IGNORE(ACKNOWLEDGE), IGNORE(TIMEOUT)),
        STATE("Voting", ON(YES, hear_yes), ON(NO, hear_no), ON(TIMEOUT, expire),
              ON(INQUIRE, answer_undecided), IGNORE(ACKNOWLEDGE), DEFER(REQUEST)),
        STATE("Finishing", ON(ACKNOWLEDGE, acknowledged), ON(INQUIRE, answer_committed),
              IGNORE(YES), IGNORE(TIMEOUT), DEFER(REQUEST)),
        STATE("FinishingHasty", ON(ACKNOWLEDGE, acknowledged), ON(INQUIRE, answer_committed),
              IGNORE(YES), DEFER(REQUEST)) /* bug 2 */);

/* --- all or nothing ------------------------------------------------------------------------- */

struct atomicity {
    uint8_t agreed[TRANSACTIONS + 1], done[TRANSACTIONS + 1], undone[TRANSACTIONS + 1];
    uint8_t committed, aborted; /* a bit for each transaction, as the client was told */
};
DECLARE_MACHINE(Atomicity, struct atomicity);

static void see_yes(struct atomicity *me, const struct reply *vote) {
    me->agreed[vote->transaction] |= (uint8_t)(1 << vote->participant);
}

static void see_commit(struct atomicity *me, const struct transaction *transaction) {
    heddle_assert(me->agreed[transaction->number] == everybody());
}

static void see_done(struct atomicity *me, const struct reply *reply) {
    me->done[reply->transaction] |= (uint8_t)(1 << reply->participant);
    heddle_assert(me->undone[reply->transaction] == 0);
}

static void see_undone(struct atomicity *me, const struct reply *reply) {
    me->undone[reply->transaction] |= (uint8_t)(1 << reply->participant);
    heddle_assert(me->done[reply->transaction] == 0);
    heddle_assert(!(me->committed & 1 << reply->transaction));
}

static void see_outcome(struct atomicity *me, const struct outcome *outcome) {
    heddle_assert(!((me->committed | me->aborted) & 1 << outcome->transaction));
    if (outcome->committed) {
        me->committed |= (uint8_t)(1 << outcome->transaction);
        heddle_assert(me->undone[outcome->transaction] == 0);
    } else {
        me->aborted |= (uint8_t)(1 << outcome->transaction);
        heddle_assert(me->done[outcome->transaction] == 0);
    }
}

static void all_is_decided(struct atomicity *me) {
    for (int i = 1; i <= TRANSACTIONS; i++) {
        heddle_assert((me->committed | me->aborted) & 1 << i);
        heddle_assert(me->done[i] == (me->committed & 1 << i ? everybody() : 0));
    }
}

MONITOR(Atomicity, AT_END(all_is_decided),
        START("Looking", ON(YES, see_yes), ON(NO, see_undone), ON(COMMIT, see_commit),
              ON(ACKNOWLEDGE, see_done), ON(BROKEN_OFF, see_undone), ON(OUTCOME, see_outcome)));

int main(int argc, char **argv) {
    protocol_arguments(argc, argv, 2, PARTICIPANTS_MAX, 8);
    machine_watch(Atomicity);
    return machine_start(Coordinator);
}
