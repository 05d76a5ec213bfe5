/* transaction_manager.c - transactions over partitions, each of which has a primary and a backup.
 *
 * The manager commits in two phases. It asks the primary of each partition to prepare. When all
 * have agreed, it sends COMMIT, else ABORT, until all have answered that they are done. A primary
 * answers only after its backup knows the answer: a promise, or the outcome of a transaction. When
 * a primary fails, its backup takes its place and reports to the manager, which sends again each
 * message that this partition has not answered. When a backup fails, its primary goes on alone.
 *
 * The environment: partitions refuse as they like. One replica of each partition may fail at any
 * time, but there are at most as many failures as transactions. Messages to a failed replica are
 * lost. The event LOST to its partner stands for a timeout that is never wrong.
 *
 * PARTICIPANTS: partitions.
 *
 * correct: 2 3
 * bug 1 assertion at 2: the backup hears of decisions, not of promises. A primary votes and fails,
 *     and COMMIT comes to a backup that knows nothing of the transaction.
 * bug 2 assertion at 2: the manager counts votes, and always asks a new primary. This one votes
 *     once more for its partition, and the vote counts for the other partition.
 * bug 3 assertion at 2: a decision is not sent again. A primary fails before COMMIT comes to it.
 * bug 4 assertion at 2: the backup fails while its primary waits for its answer, and the primary
 *     waits forever.
 * bug 5 assertion at 2: a primary says that it is done before its backup knows. It fails, its
 *     backup is still bound by the promise, and is asked to prepare the next transaction.
 * bug 6 unhandled-event at 2: a new primary reports when there is nothing to do. A primary fails
 *     before the first transaction.
 * bug 7 unhandled-event at 2: COMMIT comes to a new primary that knows it already. The old primary
 *     failed after its backup knew, and before the manager heard that it was done. */
#include "protocol.h"

enum { PARTITIONS_MAX = 3, TRANSACTIONS_MAX = 2 };

/* What a partition knows of a transaction. */
enum record { REFUSED, PROMISED, COMMITTED, ABORTED };

struct transaction {
    uint8_t number; /* transactions are numbered from 1 */
};
EVENT(REQUEST, struct transaction); /* from the client to the manager */
EVENT(PREPARE, struct transaction); /* from the manager to a primary */
EVENT(COMMIT, struct transaction);
EVENT(ABORT, struct transaction);
struct reply {
    uint8_t transaction, partition;
};
EVENT(YES, struct reply); /* from a primary to the manager */
EVENT(NO, struct reply);
EVENT(DONE, struct reply);
EVENT(NEW_PRIMARY, struct reply); /* from a backup to the manager */
struct note {
    uint8_t transaction, record;
};
EVENT(REPLICATE, struct note); /* from a primary to its backup, which answers */
EVENT(REPLICATED);
struct outcome {
    uint8_t transaction;
    bool committed;
};
EVENT(OUTCOME, struct outcome); /* from the manager to the client */
struct failure {
    machine_id partner;
};
EVENT(FAIL, struct failure); /* from Fault to a replica */
EVENT(LOST);                 /* to a replica: its partner has failed */

static uint8_t everybody(void) {
    return (uint8_t)((1 << participants) - 1);
}

/* The number of transactions, and of failures. With more partitions each transaction takes more
 * steps, so there is only one, for the search to end. */
static uint8_t transactions(void) {
    return participants == 2 ? TRANSACTIONS_MAX : 1;
}

/* --- a replica ------------------------------------------------------------------------------ */

struct replica {
    machine_id manager, backup; /* backup is 0 if there is none */
    uint8_t partition;
    uint8_t transaction, record; /* the last transaction, and what is known of it */
};
DECLARE_MACHINE(Replica, struct replica);

static void begin(struct replica *me) {
    machine_goto(me->backup != 0 ? "Working" : "Backup");
}

static void answer(struct replica *me) {
    if (me->record == REFUSED)
        machine_send(me->manager, NO, me->transaction, me->partition);
    else if (me->record == PROMISED)
        machine_send(me->manager, YES, me->transaction, me->partition);
    else
        machine_send(me->manager, DONE, me->transaction, me->partition);
    machine_goto(me->record == PROMISED ? "Prepared" : "Working");
}

/* Records something. No machine hears of it before the backup does. */
static void note(struct replica *me, uint8_t transaction, enum record record) {
    me->transaction = transaction;
    me->record = record;
    if (me->backup == 0 || (bug == 1 && record == PROMISED) || (bug == 5 && record != PROMISED)) {
        answer(me);
        return;
    }
    machine_send(me->backup, REPLICATE, transaction, record);
    machine_goto("Replicating");
}

/* A refusal is not recorded. A backup that is asked again may answer otherwise, because the manager
 * has not heard the refusal. */
static void prepare(struct replica *me, const struct transaction *transaction) {
    heddle_assert(transaction->number > me->transaction);
    if (heddle_choose(2) == 0) {
        note(me, transaction->number, PROMISED);
        return;
    }
    me->transaction = transaction->number;
    me->record = REFUSED;
    answer(me);
}

static void prepare_again(struct replica *me, const struct transaction *transaction) {
    heddle_assert(transaction->number == me->transaction);
    answer(me);
}

static void commit(struct replica *me, const struct transaction *transaction) {
    heddle_assert(transaction->number == me->transaction);
    note(me, transaction->number, COMMITTED);
}

/* The backup, which is the primary now, knew of the commit already. */
static void commit_again(struct replica *me, const struct transaction *transaction) {
    heddle_assert(transaction->number == me->transaction && me->record == COMMITTED);
    answer(me);
}

/* Aborts a transaction, perhaps one that this replica was never asked to prepare. */
static void break_off(struct replica *me, const struct transaction *transaction) {
    heddle_assert(transaction->number > me->transaction || me->record != COMMITTED);
    note(me, transaction->number, ABORTED);
}

static void replicated(struct replica *me, const void *nothing) {
    (void)nothing;
    answer(me);
}

static void go_on_alone(struct replica *me, const void *nothing) {
    (void)nothing;
    me->backup = 0;
}

static void answer_alone(struct replica *me, const void *nothing) {
    (void)nothing;
    me->backup = 0;
    if (bug != 4)
        answer(me);
}

static void replicate(struct replica *me, const struct note *note) {
    me->transaction = note->transaction;
    me->record = note->record;
    machine_send(machine_sender(), REPLICATED);
}

static void take_over(struct replica *me, const void *nothing) {
    (void)nothing;
    machine_send(me->manager, NEW_PRIMARY, me->transaction, me->partition);
    machine_goto(me->record == PROMISED ? "Prepared" : bug == 7 ? "WorkingHasty" : "Working");
}

static void fail(struct replica *me, const struct failure *failure) {
    (void)me;
    machine_send(failure->partner, LOST);
    machine_halt();
}

MACHINE(Replica, START("Created", ENTRY(begin)),
        STATE("Working", ON(PREPARE, prepare), ON(COMMIT, commit_again), ON(ABORT, break_off),
              ON(LOST, go_on_alone), ON(FAIL, fail)),
        STATE("WorkingHasty", ON(PREPARE, prepare), ON(ABORT, break_off)), /* bug 7 */
        STATE("Prepared", ON(PREPARE, prepare_again), ON(COMMIT, commit), ON(ABORT, break_off),
              ON(LOST, go_on_alone), ON(FAIL, fail)),
        STATE("Replicating", ON(REPLICATED, replicated), DEFER(PREPARE), DEFER(COMMIT),
              DEFER(ABORT), ON(LOST, answer_alone), ON(FAIL, fail)),
        STATE("Backup", ON(REPLICATE, replicate), ON(LOST, take_over), ON(FAIL, fail)));

/* --- environment: failure, client ----------------------------------------------------------- */

struct fault {
    machine_id primaries[PARTITIONS_MAX], backups[PARTITIONS_MAX];
};
DECLARE_MACHINE(Fault, struct fault);

static void fail_some(struct fault *me) {
    int left = transactions();
    for (int i = 0; i < participants && left > 0; i++) {
        int victim = heddle_choose(3);
        left -= victim != 0;
        if (victim == 1)
            machine_send(me->primaries[i], FAIL, .partner = me->backups[i]);
        else if (victim == 2)
            machine_send(me->backups[i], FAIL, .partner = me->primaries[i]);
    }
    machine_halt();
}

MACHINE(Fault, START("Failing", ENTRY(fail_some)));

struct client {
    machine_id manager;
    uint8_t asked;
};
DECLARE_MACHINE(Client, struct client);

static void ask(struct client *me) {
    if (me->asked == transactions())
        machine_halt();
    else
        machine_send(me->manager, REQUEST, ++me->asked);
}

static void hear(struct client *me, const struct outcome *outcome) {
    heddle_assert(outcome->transaction == me->asked);
}

MACHINE(Client, START("Asking", ENTRY(ask), ON_GOTO(OUTCOME, hear, "Asking")));

/* --- the manager ---------------------------------------------------------------------------- */

struct manager {
    machine_id primaries[PARTITIONS_MAX], client;
    uint8_t transaction;
    bool committed;
    uint8_t agreed, done; /* one bit for each partition */
    uint8_t votes;        /* bug 2 */
};
DECLARE_MACHINE(Manager, struct manager);

static void set_up(struct manager *me) {
    struct fault fault = {0};
    for (int i = 0; i < participants; i++) {
        fault.backups[i] =
            machine_create(Replica, .manager = machine_self(), .partition = (uint8_t)i);
        fault.primaries[i] = me->primaries[i] =
            machine_create(Replica, .manager = machine_self(), .partition = (uint8_t)i,
                           .backup = fault.backups[i]);
    }
    machine_create_at(&Fault, &fault);
    me->client = machine_create(Client, .manager = machine_self());
    machine_goto(bug == 6 ? "IdleHasty" : "Idle");
}

static void begin_transaction(struct manager *me, const struct transaction *transaction) {
    me->transaction = transaction->number;
    for (int i = 0; i < participants; i++)
        machine_send(me->primaries[i], PREPARE, me->transaction);
}

static void tell(const struct manager *me, int partition) {
    if (me->committed)
        machine_send(me->primaries[partition], COMMIT, me->transaction);
    else
        machine_send(me->primaries[partition], ABORT, me->transaction);
}

/* Sends the decision to all partitions except those that know it. */
static void decide(struct manager *me, bool committed, uint8_t done) {
    me->committed = committed;
    me->done = done;
    me->agreed = me->votes = 0;
    for (int i = 0; i < participants; i++)
        if (!(done & 1 << i))
            tell(me, i);
    machine_send(me->client, OUTCOME, me->transaction, committed);
    machine_goto("Finishing");
}

static void hear_yes(struct manager *me, const struct reply *vote) {
    me->agreed |= (uint8_t)(1 << vote->partition);
    if (bug == 2 ? ++me->votes == participants : me->agreed == everybody())
        decide(me, true, 0);
}

static void hear_no(struct manager *me, const struct reply *vote) {
    decide(me, false, (uint8_t)(1 << vote->partition));
}

static void hear_done(struct manager *me, const struct reply *reply) {
    if (reply->transaction != me->transaction)
        return;
    me->done |= (uint8_t)(1 << reply->partition);
    if (me->done != everybody())
        return;
    me->done = 0;
    machine_goto(bug == 6 ? "IdleHasty" : "Idle");
}

static void change_primary(struct manager *me, const struct reply *reply) {
    me->primaries[reply->partition] = machine_sender();
}

static void ask_again(struct manager *me, const struct reply *reply) {
    change_primary(me, reply);
    if (!(me->agreed & 1 << reply->partition) || bug == 2)
        machine_send(machine_sender(), PREPARE, me->transaction);
}

static void tell_again(struct manager *me, const struct reply *reply) {
    change_primary(me, reply);
    if (!(me->done & 1 << reply->partition) && bug != 3)
        tell(me, reply->partition);
}

MACHINE(Manager, START("Starting", ENTRY(set_up)),
        STATE("Idle", ON_GOTO(REQUEST, begin_transaction, "Voting"),
              ON(NEW_PRIMARY, change_primary), IGNORE(DONE)),
        STATE("IdleHasty", ON_GOTO(REQUEST, begin_transaction, "Voting"), IGNORE(DONE)), /* bug 6 */
        STATE("Voting", ON(YES, hear_yes), ON(NO, hear_no), ON(NEW_PRIMARY, ask_again),
              IGNORE(DONE), DEFER(REQUEST)),
        STATE("Finishing", ON(DONE, hear_done), ON(NEW_PRIMARY, tell_again), IGNORE(YES),
              IGNORE(NO), DEFER(REQUEST)));

/* --- monitor: all or nothing ---------------------------------------------------------------- */

struct atomicity {
    /* One bit for each partition. */
    uint8_t agreed[TRANSACTIONS_MAX + 1], done[TRANSACTIONS_MAX + 1];
    uint8_t committed, aborted; /* one bit for each transaction */
};
DECLARE_MACHINE(Atomicity, struct atomicity);

static void see_yes(struct atomicity *me, const struct reply *vote) {
    if (!(me->aborted & 1 << vote->transaction))
        me->agreed[vote->transaction] |= (uint8_t)(1 << vote->partition);
}

static void see_commit(struct atomicity *me, const struct transaction *transaction) {
    heddle_assert(me->agreed[transaction->number] == everybody());
}

static void see_outcome(struct atomicity *me, const struct outcome *outcome) {
    if (outcome->committed) {
        me->committed |= (uint8_t)(1 << outcome->transaction);
    } else {
        me->aborted |= (uint8_t)(1 << outcome->transaction);
        me->agreed[outcome->transaction] = 0;
    }
}

static void see_done(struct atomicity *me, const struct reply *reply) {
    me->done[reply->transaction] |= (uint8_t)(1 << reply->partition);
}

/* A partition that has refused is not told the decision, and reports nothing. */
static void all_is_done(struct atomicity *me) {
    for (int i = 1; i <= transactions(); i++) {
        heddle_assert((me->committed | me->aborted) & 1 << i);
        heddle_assert(!(me->committed & 1 << i) || me->done[i] == everybody());
    }
}

MONITOR(Atomicity, AT_END(all_is_done),
        START("Looking", ON(YES, see_yes), ON(COMMIT, see_commit), ON(OUTCOME, see_outcome),
              ON(DONE, see_done)));

int main(int argc, char **argv) {
    protocol_arguments(argc, argv, 2, PARTITIONS_MAX, 7);
    machine_watch(Atomicity);
    return machine_start(Manager);
}
