/* german.c - one line of memory, and caches that hold copies of it: German's directory protocol.
 *
 * The home knows which clients have a copy. A client asks for a shared or an exclusive copy. The
 * home serves one request at a time, and first takes back the copies that are in the way: an
 * exclusive copy before it grants any other, and all copies before it grants an exclusive one. An
 * exclusive copy has been written, and its value comes back with the acknowledgement. A client that
 * has a shared copy and wants to write keeps the copy while it asks, and the home permits it to go
 * on with this copy. But two clients can ask for this at the same time. Then one of them loses its
 * copy while it waits, and the home must send it the line again.
 *
 * A client may also give up its copy unasked, to make room. If this crosses the home's order to
 * give it up, the home takes it as the answer. The order then comes to a client that has no copy
 * any more, and this client does not answer it.
 *
 * Each client makes REQUESTS requests, of either kind, and writes once to each exclusive copy that
 * it gets. The written values count the writes, so that a lost write is noticed.
 *
 * correct: 2 3
 * bug 1 assertion at 2: the home forgets that a copy is exclusive when another client wants a
 *     shared one. One client is granted the line to write, then the other one to read.
 * bug 2 unhandled-event at 2: a client does not expect to lose its shared copy while it asks for an
 *     exclusive one. It reads and asks to write, while the home serves the other client's request
 *     to write.
 * bug 3 assertion at 2: a client that had a copy when it asked writes to this copy, even if the
 *     home sends it the line again. The race of bug 2 goes on until the slower client gets its
 *     turn: the other client's write is lost.
 * bug 4 assertion at 3: the home counts acknowledgements, and grants one too early. Two clients
 *     have shared copies, the third one wants to write, and one of the two is slow.
 * bug 5 assertion at 2: a client that is told to give up its copy, and has just done so,
 *     acknowledges as well. Its acknowledgement counts for another client: it has asked again, the
 *     home waits for the copy of the other client, and grants. */
#include "protocol.h"

enum { CLIENTS_MAX = 6, REQUESTS = 2 };

struct request {
    uint8_t client;
};
EVENT(ASK_SHARED, struct request);
EVENT(ASK_EXCLUSIVE, struct request);
EVENT(INVALIDATE);
struct line {
    uint8_t client, data;
    bool written; /* in an acknowledgement: the copy was exclusive */
};
EVENT(ACKNOWLEDGE, struct line);
EVENT(EVICT, struct line); /* a client gives up its copy unasked */
EVENT(GRANT_SHARED, struct line);
EVENT(GRANT_EXCLUSIVE, struct line);
EVENT(PERMIT, struct request); /* a client may write to its shared copy */
EVENT(WRITTEN, struct line);

static uint8_t bit(int client) {
    return (uint8_t)(1 << client);
}

/* --- a client ------------------------------------------------------------------------------- */

struct client {
    machine_id home;
    uint8_t number, requests, data;
};
DECLARE_MACHINE(Client, struct client);
DECLARE_MACHINE(NaiveClient, struct client);    /* bug 2 */
DECLARE_MACHINE(StubbornClient, struct client); /* bug 3 */
DECLARE_MACHINE(PoliteClient, struct client);   /* bug 5 */

static void ask_exclusive(struct client *me, const char *meanwhile) {
    me->requests++;
    machine_send(me->home, ASK_EXCLUSIVE, .client = me->number);
    machine_goto(meanwhile);
}

static void ask(struct client *me) {
    if (me->requests == REQUESTS)
        return;
    if (heddle_choose(2) == 1) {
        ask_exclusive(me, "Waiting to write");
        return;
    }
    me->requests++;
    machine_send(me->home, ASK_SHARED, .client = me->number);
    machine_goto("Waiting to read");
}

static void evict(struct client *me, bool written) {
    machine_send(me->home, EVICT, .client = me->number, .written = written,
                 .data = written ? me->data : 0);
    machine_goto("Invalid");
}

static void read_line(struct client *me, const struct line *line) {
    me->data = line->data;
    switch (heddle_choose(me->requests < REQUESTS ? 3 : 2)) {
    case 0: machine_goto("Shared"); break;
    case 1: evict(me, false); break;
    case 2: ask_exclusive(me, "Upgrading"); break;
    }
}

static void write_next(struct client *me) {
    me->data++;
    machine_announce(WRITTEN, .client = me->number, .data = me->data);
    if (heddle_choose(2) == 0)
        machine_goto("Exclusive");
    else
        evict(me, true);
}

static void write_line(struct client *me, const struct line *line) {
    me->data = line->data;
    write_next(me);
}

static void write_own(struct client *me, const struct request *permit) {
    (void)permit;
    write_next(me);
}

static void write_old(struct client *me, const struct line *line) { /* bug 3 */
    (void)line;
    write_next(me);
}

static void give_up(const struct client *me, bool written) {
    machine_send(me->home, ACKNOWLEDGE, .client = me->number, .written = written,
                 .data = written ? me->data : 0);
}

static void give_up_shared(struct client *me, const void *nothing) {
    (void)nothing;
    give_up(me, false);
}

static void give_up_exclusive(struct client *me, const void *nothing) {
    (void)nothing;
    give_up(me, true);
}

/* A client without a copy has given up its last one, so an order to give it up comes too late. */
#define STATES(order_is_late, ...) \
    START("Invalid", ENTRY(ask), order_is_late), \
        STATE("Waiting to read", ON(GRANT_SHARED, read_line), order_is_late), \
        STATE("Waiting to write", ON(GRANT_EXCLUSIVE, write_line), order_is_late), \
        STATE("Shared", ON_GOTO(INVALIDATE, give_up_shared, "Invalid")), \
        STATE("Exclusive", ON_GOTO(INVALIDATE, give_up_exclusive, "Invalid")), \
        STATE("Upgrading", ON(PERMIT, write_own) __VA_OPT__(, ) __VA_ARGS__)
#define LOSE_COPY ON_GOTO(INVALIDATE, give_up_shared, "Waiting to write")

MACHINE(Client, STATES(IGNORE(INVALIDATE), LOSE_COPY));
MACHINE(NaiveClient, STATES(IGNORE(INVALIDATE)));
MACHINE(StubbornClient,
        STATES(IGNORE(INVALIDATE), ON(INVALIDATE, give_up_shared), ON(GRANT_EXCLUSIVE, write_old)));
MACHINE(PoliteClient, STATES(ON(INVALIDATE, give_up_shared), LOSE_COPY));

/* --- the home ------------------------------------------------------------------------------- */

struct home {
    machine_id clients[CLIENTS_MAX];
    uint8_t holders; /* one bit for each client that has a copy */
    bool exclusive;  /* the only copy may be written */
    uint8_t data;
    uint8_t requester; /* the client whose request is being served */
    bool to_write;     /* that client wants to write */
    uint8_t missing;   /* how many acknowledgements have not come yet */
};
DECLARE_MACHINE(Home, struct home);
DECLARE_MACHINE(LaxHome, struct home); /* bugs 4 and 5 */

static void create_clients(struct home *me) {
    for (int i = 0; i < participants; i++) {
        uint8_t number = (uint8_t)i;
        machine_id home = machine_self();
        if (bug == 2)
            me->clients[i] = machine_create(NaiveClient, .home = home, .number = number);
        else if (bug == 3)
            me->clients[i] = machine_create(StubbornClient, .home = home, .number = number);
        else if (bug == 5)
            me->clients[i] = machine_create(PoliteClient, .home = home, .number = number);
        else
            me->clients[i] = machine_create(Client, .home = home, .number = number);
    }
    machine_goto("Idle");
}

static void grant_exclusive(struct home *me) {
    uint8_t client = me->requester;
    if (me->holders & bit(client))
        machine_send(me->clients[client], PERMIT, .client = client);
    else
        machine_send(me->clients[client], GRANT_EXCLUSIVE, .client = client, .data = me->data);
    me->exclusive = true;
}

static void grant(struct home *me) {
    uint8_t client = me->requester;
    if (me->to_write)
        grant_exclusive(me);
    else
        machine_send(me->clients[client], GRANT_SHARED, .client = client, .data = me->data);
    me->holders |= bit(client);
    me->requester = 0;
    me->to_write = false;
}

/* Takes the copies of these clients back. The grant follows when all have answered. */
static void recall(struct home *me, uint8_t holders) {
    if (holders == 0) {
        grant(me);
        return;
    }
    for (int i = 0; i < participants; i++)
        if (holders & bit(i))
            machine_send(me->clients[i], INVALIDATE);
    me->missing = (uint8_t)__builtin_popcount(holders);
    if (bug == 4)
        me->holders &= (uint8_t)~holders; /* so that a late acknowledgement seems to do no harm */
    machine_goto("Recalling");
}

static void asked_shared(struct home *me, const struct request *request) {
    me->requester = request->client;
    recall(me, me->exclusive && bug != 1 ? me->holders : 0);
}

static void asked_exclusive(struct home *me, const struct request *request) {
    me->requester = request->client;
    me->to_write = true;
    recall(me, me->holders & (uint8_t)~bit(request->client));
}

static void take_back(struct home *me, const struct line *line) {
    me->holders &= (uint8_t)~bit(line->client);
    if (line->written) {
        me->exclusive = false;
        me->data = line->data;
    }
}

static void acknowledged(struct home *me, const struct line *line) {
    take_back(me, line);
    if (--me->missing > (bug == 4))
        return;
    grant(me);
    machine_goto("Idle");
}

static void acknowledged_late(struct home *me, const struct line *line) { /* bugs 4 and 5 */
    if (bug == 4)
        take_back(me, line);
}

#define IDLE ON(ASK_SHARED, asked_shared), ON(ASK_EXCLUSIVE, asked_exclusive), ON(EVICT, take_back)
#define RECALLING \
    STATE("Recalling", ON(ACKNOWLEDGE, acknowledged), ON(EVICT, acknowledged), DEFER(ASK_SHARED), \
          DEFER(ASK_EXCLUSIVE))

MACHINE(Home, START("Off", ENTRY(create_clients)), STATE("Idle", IDLE), RECALLING);
MACHINE(LaxHome, START("Off", ENTRY(create_clients)),
        STATE("Idle", IDLE, ON(ACKNOWLEDGE, acknowledged_late)), RECALLING);

/* --- monitor: many readers or one writer, no lost write, each request is granted ------------ */

struct coherence {
    uint8_t holders;
    bool exclusive;
    uint8_t latest;  /* the value that was written last */
    uint8_t waiting; /* how many requests wait */
};
DECLARE_MACHINE(Coherence, struct coherence);

static void asked(struct coherence *me, const struct request *request) {
    (void)request;
    me->waiting++;
}

static void may_read(struct coherence *me, const struct line *line) {
    heddle_assert(!me->exclusive);
    heddle_assert(line->data == me->latest);
    me->holders |= bit(line->client);
    me->waiting--;
}

static void may_write(struct coherence *me, uint8_t client) {
    heddle_assert((me->holders & ~bit(client)) == 0);
    me->holders = bit(client);
    me->exclusive = true;
    me->waiting--;
}

static void line_granted(struct coherence *me, const struct line *line) {
    heddle_assert(line->data == me->latest);
    may_write(me, line->client);
}

static void permitted(struct coherence *me, const struct request *permit) {
    may_write(me, permit->client);
}

static void given_up(struct coherence *me, const struct line *line) {
    if (!(me->holders & bit(line->client)))
        return;
    me->holders &= (uint8_t)~bit(line->client);
    me->exclusive = false;
}

static void written(struct coherence *me, const struct line *line) {
    heddle_assert(line->data == ++me->latest);
}

static void nobody_waits(struct coherence *me) {
    heddle_assert(me->waiting == 0);
}

MONITOR(Coherence, AT_END(nobody_waits),
        START("Watching", ON(ASK_SHARED, asked), ON(ASK_EXCLUSIVE, asked),
              ON(GRANT_SHARED, may_read), ON(GRANT_EXCLUSIVE, line_granted), ON(PERMIT, permitted),
              ON(ACKNOWLEDGE, given_up), ON(EVICT, given_up), ON(WRITTEN, written)));

int main(int argc, char **argv) {
    protocol_arguments(argc, argv, 2, CLIENTS_MAX, 5);
    machine_watch(Coherence);
    return bug == 4 || bug == 5 ? machine_start(LaxHome) : machine_start(Home);
}
