/* cscale.c - a replicated log like that of CScale: a master, secondaries, and fail-over;
 * PARTICIPANTS replicas.
 *
 * The master appends each client's write to its log and sends it to all secondaries (REPLICATE).
 * When each of them has it (COPIED), the write is done, and the client is told (WRITTEN). So every
 * secondary has all writes that are done, and each one may become master. The manager chooses one
 * (LEAD), in a new epoch, and tells the clients (MASTER), which send their unfinished writes again.
 * The new master sends its log to the others (SYNC), and goes on without the old master. Messages
 * of an older epoch are ignored.
 *
 * The environment: there are two clients with one write each. The manager may choose a new master
 * at any time, even while the old one works. The answers of replica 1 to its first master may come
 * twice. Left out: the return of the old master.
 *
 * correct: 2 3
 * bug 1 assertion at 3: the master counts answers, not secondaries. Replica 1 answers twice, the
 *     client is told, and replica 2, which has nothing, becomes master.
 * bug 2 assertion at 3: the master believes that a majority is enough, as if masters were elected.
 *     Replica 1 has the write, the client is told, and replica 2 becomes master.
 * bug 3 assertion at 2: the epoch of a REPLICATE is not checked. The new master has put the second
 *     client's write in slot 0 when the old master's write for the same slot arrives. Both clients
 *     are told.
 * bug 4 unhandled-event at 2: a new master does not expect a message from the old one.
 * bug 5 assertion at 2: a write that comes again is taken for a new one. The new master has it in
 *     slot 0 from the old master, puts it in slot 1 too, and tells the client of both. */
#include "protocol.h"

enum { REPLICAS_MAX = 4, CLIENTS = 2, SLOTS = 4 };

struct log {
    uint8_t count;
    uint8_t writes[SLOTS];
};

struct write {
    uint8_t write; /* its number, from 1: that of the client */
};
EVENT(WRITE, struct write);
struct written {
    uint8_t write;
    uint8_t slot;
};
EVENT(WRITTEN, struct written);

struct replicate {
    uint8_t epoch;
    uint8_t slot;
    uint8_t write;
};
EVENT(REPLICATE, struct replicate);
struct sync {
    uint8_t epoch;
    struct log log;
};
EVENT(SYNC, struct sync);
struct copied {
    uint8_t replica;
    uint8_t count; /* the length of the log */
};
EVENT(COPIED, struct copied);

struct lead {
    uint8_t epoch;
};
EVENT(LEAD, struct lead);
struct master {
    machine_id master;
};
EVENT(MASTER, struct master);

struct group {
    machine_id replicas[REPLICAS_MAX];
    machine_id clients[CLIENTS];
};
struct view {
    struct group group;
};
EVENT(BEGIN, struct view);

/* --- a replica ------------------------------------------------------------------------------ */

struct replica {
    struct group group;
    uint8_t number;
    uint8_t epoch;
    uint8_t members; /* of a master: the set of its secondaries */
    /* Of a master: for each slot, the set of secondaries that have the write. */
    uint8_t has[SLOTS];
    uint8_t acks[SLOTS]; /* of a master: for each slot, the number of answers (bug 1) */
    uint8_t done;        /* of a master: how many writes are done */
    struct log log;
};
DECLARE_MACHINE(Replica, struct replica);
DECLARE_MACHINE(HastyReplica, struct replica);

static bool is_copied(const struct replica *me, int slot) {
    int members = __builtin_popcount(me->members);
    if (bug == 1)
        return me->acks[slot] >= members;
    if (bug == 2)
        return __builtin_popcount(me->has[slot]) * 2 >= members;
    return me->has[slot] == me->members;
}

static void tell_done(struct replica *me) {
    for (; me->done < me->log.count && is_copied(me, me->done); me->done++) {
        uint8_t write = me->log.writes[me->done];
        machine_send(me->group.clients[write - 1], WRITTEN, .write = write, .slot = me->done);
    }
}

static bool is_known(const struct replica *me, uint8_t write) {
    for (int i = 0; i < me->log.count; i++)
        if (me->log.writes[i] == write)
            return true;
    return false;
}

/* A write that is already in the log is in progress or done: its client is told when it is done, or
 * has been told. */
static void write(struct replica *me, const struct write *write) {
    if (is_known(me, write->write) && bug != 5)
        return;
    uint8_t slot = me->log.count++;
    me->log.writes[slot] = write->write;
    for (int i = 0; i < participants; i++)
        if (me->members >> i & 1)
            machine_send(me->group.replicas[i], REPLICATE, .epoch = me->epoch, .slot = slot,
                         .write = write->write);
    tell_done(me);
}

static void copied(struct replica *me, const struct copied *copied) {
    for (int i = 0; i < copied->count; i++) {
        me->has[i] |= (uint8_t)(1 << copied->replica);
        if (i == copied->count - 1)
            me->acks[i]++;
    }
    tell_done(me);
}

static void answer(const struct replica *me, machine_id master) {
    struct machine_channel channel = {.doubles = me->number == 1 && me->epoch == 0};
    machine_send_over(&channel, master, COPIED, .replica = me->number, .count = me->log.count);
}

static void replicate(struct replica *me, const struct replicate *replicate) {
    if (replicate->epoch < me->epoch && bug != 3)
        return;
    me->log.writes[replicate->slot] = replicate->write;
    me->log.count = replicate->slot + 1;
    answer(me, machine_sender());
}

static void synchronise(struct replica *me, const struct sync *sync) {
    me->epoch = sync->epoch;
    me->log = sync->log;
    answer(me, machine_sender());
}

static void lead(struct replica *me, const struct lead *lead) {
    me->epoch = lead->epoch;
    me->members = (uint8_t)((1 << participants) - 1) & (uint8_t) ~(1 << 0 | 1 << me->number);
    for (int i = 0; i < participants; i++)
        if (me->members >> i & 1)
            machine_send(me->group.replicas[i], SYNC, .epoch = me->epoch, .log = me->log);
    tell_done(me);
}

static void begin(struct replica *me, const struct view *view) {
    me->group = view->group;
    if (me->number != 0)
        return;
    me->members = (uint8_t)((1 << participants) - 2);
    machine_goto("Master");
}

MACHINE(Replica,
        START("Secondary", ON(BEGIN, begin), ON(REPLICATE, replicate), ON(SYNC, synchronise),
              ON_GOTO(LEAD, lead, "Master"), DEFER(WRITE)),
        STATE("Master", ON(WRITE, write), ON(COPIED, copied), ON(REPLICATE, replicate)));

MACHINE(HastyReplica, /* bug 4 */
        START("Secondary", ON(BEGIN, begin), ON(REPLICATE, replicate), ON(SYNC, synchronise),
              ON_GOTO(LEAD, lead, "Master"), DEFER(WRITE)),
        STATE("Master", ON(WRITE, write), ON(COPIED, copied)));

/* --- a client ------------------------------------------------------------------------------- */

struct client {
    machine_id master;
    uint8_t number;
};
DECLARE_MACHINE(Client, struct client);

static void ask(struct client *me) {
    machine_send(me->master, WRITE, .write = me->number);
}

static void ask_again(struct client *me, const struct master *master) {
    me->master = master->master;
    ask(me);
}

MACHINE(Client, START("Waiting", ENTRY(ask), ON(MASTER, ask_again), GOTO(WRITTEN, "Done")),
        STATE("Done", IGNORE(MASTER), IGNORE(WRITTEN)));

/* --- the manager ---------------------------------------------------------------------------- */

struct manager {
    struct group group;
};
DECLARE_MACHINE(Manager, struct manager);

static void fail_over(struct manager *me) {
    heddle_hint("initialised");
    int chosen = participants == 2 ? 1 : 1 + heddle_choose(participants - 1);
    machine_id master = me->group.replicas[chosen];
    for (int i = 0; i < CLIENTS; i++)
        machine_send(me->group.clients[i], MASTER, .master = master);
    machine_send(master, LEAD, .epoch = 1);
    machine_halt();
}

MACHINE(Manager, START("Watching", ENTRY(fail_over)));

/* --- the cluster ---------------------------------------------------------------------------- */

struct nothing {};
DECLARE_MACHINE(Cluster, struct nothing);

static void build(struct nothing *me) {
    struct group group = {0};
    for (int i = 0; i < participants; i++)
        group.replicas[i] = bug == 4 ? machine_create(HastyReplica, .number = (uint8_t)i)
                                     : machine_create(Replica, .number = (uint8_t)i);
    for (int i = 0; i < CLIENTS; i++)
        group.clients[i] =
            machine_create(Client, .number = (uint8_t)(i + 1), .master = group.replicas[0]);
    for (int i = 0; i < participants; i++)
        machine_send(group.replicas[i], BEGIN, .group = group);
    machine_create(Manager, .group = group);
    machine_halt();
}

MACHINE(Cluster, START("Building", ENTRY(build)));

/* --- monitor: what clients are told stays true ---------------------------------------------- */

struct one_log {
    uint8_t writes[SLOTS];      /* for each slot, the write that a client was told of, or 0 */
    uint8_t slots[CLIENTS + 1]; /* for each write, its slot plus 1, or 0 */
};
DECLARE_MACHINE(OneLog, struct one_log);

static void see_written(struct one_log *me, const struct written *written) {
    uint8_t *write = &me->writes[written->slot], *slot = &me->slots[written->write];
    heddle_assert(*write == 0 || *write == written->write);
    heddle_assert(*slot == 0 || *slot == written->slot + 1);
    *write = written->write;
    *slot = (uint8_t)(written->slot + 1);
}

/* A new master has all writes that clients were told of. */
static void see_sync(struct one_log *me, const struct sync *sync) {
    for (int i = 0; i < SLOTS; i++)
        heddle_assert(me->writes[i] == 0 || me->writes[i] == sync->log.writes[i]);
}

MONITOR(OneLog, START("Watching", ON(WRITTEN, see_written), ON(SYNC, see_sync)));

int main(int argc, char **argv) {
    protocol_arguments(argc, argv, 2, REPLICAS_MAX, 5);
    machine_watch(OneLog);
    return machine_start(Cluster);
}
