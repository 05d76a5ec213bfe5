/* chain_replication.c - a replicated log, after van Renesse and Schneider.
 *
 * A client sends an update to the head of a chain of servers. Each server sends it on to the next
 * one. The tail confirms it to the client, and acknowledgements travel back along the chain.
 * Queries go to the tail, because all servers hold what the tail holds. A server remembers which
 * updates it has sent on and which of these are acknowledged.
 *
 * The master pings the servers and takes failed ones out of the chain. If the head failed, the next
 * server becomes head. If the tail failed, the server before it becomes tail. If a middle server
 * failed, its neighbours are linked: the later one says how many updates it has, and gets the rest.
 * Then the master tells the clients, which send again each request that went to a failed head or
 * tail.
 *
 * The environment: the machine Fault makes none, one or two servers fail at any time, but never
 * all. A failed server is silent. The event NO_ANSWER to the master stands for a timeout that is
 * never wrong. Fault also sends a tick to the master after each failure, so that the master pings
 * once more.
 *
 * correct: 2 3
 * bug 1 assertion at 2: the new tail does not confirm the updates that only the old tail would have
 *     confirmed. The tail fails before it has seen an update that the server before it has. The
 *     client gets no answer.
 * bug 2 assertion at 3: the neighbours of a failed server are linked, but the updates that the
 *     failed server did not send on are not sent again. It fails with an update in its queue, and
 *     the client gets no answer.
 * bug 3 assertion at 3: all updates that are not acknowledged are sent again, even those that have
 *     arrived. A middle server sends an update on and fails before the acknowledgement comes back
 *     to it.
 * bug 4 assertion at 3: an update that comes again is taken for a new one. The head sends an update
 *     on and fails before the tail has it. The client sends it to the new head, which has it
 *     already.
 * bug 5 unhandled-event at 2: the clients hear of a new head or tail before that server does. One
 *     end fails during a request; the client sends the request again, and it arrives before the
 *     master's message.
 * bug 6 assertion at 4: two neighbours fail. The master notices the first one. The second one is to
 *     be linked and does not answer, so it is taken out too. But the server after it is not linked
 *     in its place, and a client gets no answer.
 * bug 7 unhandled-event at 3: the clock ticks during a repair. Two servers fail shortly after each
 *     other.
 * bug 8 unhandled-event at 2: a server fails before it is part of the chain. */
#include "protocol.h"

enum {
    SERVERS_MAX = 5,
    FAULTS_MAX = 2,
    CLIENTS_MAX = 2,
    REQUESTS = 2,
    LOG = CLIENTS_MAX * REQUESTS
};

struct server_name {
    uint8_t number;
};
struct update {
    machine_id from;
    uint8_t client, request; /* requests are numbered from 1 */
};
struct entry {
    struct update update;
    uint8_t position; /* the position in the log, from 1 */
};
struct position {
    uint8_t position;
};
EVENT(UPDATE, struct update); /* from a client to the head; the tail answers */
EVENT(CONFIRM, struct entry);
/* From a client to the tail, which answers with the length of its log. */
EVENT(QUERY, struct update);
EVENT(ANSWER, struct entry);
EVENT(FORWARD, struct entry); /* from a server to the next one, which answers */
EVENT(ACKNOWLEDGE, struct position);

struct ends {
    machine_id first, last;
};
struct neighbours {
    machine_id before, after;
};
struct progress {
    uint8_t count, acknowledged;
};
/* From the master to a server; answered by DONE or NO_ANSWER. */
EVENT(CONFIGURE, struct neighbours);
EVENT(PING);
EVENT(BECOME_HEAD);
EVENT(BECOME_TAIL);
EVENT(LINK, struct neighbours);
EVENT(RESUME, struct progress); /* from a server to the one before it, which then sends DONE */
EVENT(DONE, struct server_name);
EVENT(NO_ANSWER, struct server_name);
EVENT(NEW_CHAIN, struct ends); /* from the master to the clients */
EVENT(FAIL);
EVENT(TICK);

static int faults(void) {
    return participants - 1 < FAULTS_MAX ? participants - 1 : FAULTS_MAX;
}

/* With two servers there are two clients at the same time. Else there is one, so that the search
 * ends. */
static int clients(void) {
    return participants == 2 ? CLIENTS_MAX : 1;
}

/* --- a server ------------------------------------------------------------------------------- */

struct server {
    machine_id master, before, after;
    uint8_t number;
    uint8_t count, acknowledged; /* positions in the log; at the tail both are equal */
    struct update log[LOG + 1];
};
DECLARE_MACHINE(Server, struct server);

static void done(struct server *me) {
    machine_send(me->master, DONE, me->number);
}

static void created(struct server *me) {
    (void)me;
    machine_goto(bug == 8 ? "AloneHasty" : "Alone");
}

static const char *place(const struct server *me) {
    if (me->before == 0)
        return me->after == 0 ? "Only" : "Head";
    return me->after == 0 ? "Tail" : "Middle";
}

static void configure(struct server *me, const struct neighbours *neighbours) {
    me->before = neighbours->before;
    me->after = neighbours->after;
    done(me);
    machine_goto(place(me));
}

/* Returns the position of an update in the log, or 0 if it is not there. */
static uint8_t position_of(const struct server *me, const struct update *update) {
    uint8_t i = me->count;
    while (i > 0 && (me->log[i].client != update->client || me->log[i].request != update->request))
        i--;
    return i;
}

static void confirm(const struct server *me, uint8_t position) {
    machine_send(me->log[position].from, CONFIRM, me->log[position], position);
}

static void forward(const struct server *me, uint8_t position) {
    machine_send(me->after, FORWARD, me->log[position], position);
}

static void append(struct server *me, const struct update *update) {
    me->log[++me->count] = *update;
    if (me->after != 0) {
        forward(me, me->count);
        return;
    }
    me->acknowledged = me->count;
    confirm(me, me->count);
    if (me->before != 0)
        machine_send(me->before, ACKNOWLEDGE, me->count);
}

static void take_update(struct server *me, const struct update *update) {
    uint8_t position = position_of(me, update);
    if (position == 0 || bug == 4)
        append(me, update);
    else if (position <= me->acknowledged)
        confirm(me, position); /* if not acknowledged, it is confirmed later */
}

static void take_forward(struct server *me, const struct entry *entry) {
    heddle_assert(entry->position == me->count + 1);
    append(me, &entry->update);
}

static void take_acknowledgement(struct server *me, const struct position *position) {
    me->acknowledged = position->position;
    if (me->before != 0)
        machine_send(me->before, ACKNOWLEDGE, position->position);
}

static void answer(struct server *me, const struct update *query) {
    machine_send(query->from, ANSWER, *query, me->count);
}

static void pong(struct server *me, const void *nothing) {
    (void)nothing;
    done(me);
}

static void become_head(struct server *me, const void *nothing) {
    (void)nothing;
    me->before = 0;
    done(me);
    machine_goto(place(me));
}

/* Makes this server the tail. It confirms all updates that it has sent on and that, as far as it
 * knows, are not confirmed. */
static void become_tail(struct server *me, const void *nothing) {
    (void)nothing;
    me->after = 0;
    for (uint8_t i = me->acknowledged + 1; i <= me->count && bug != 1; i++)
        confirm(me, i);
    if (me->before != 0 && me->acknowledged < me->count)
        machine_send(me->before, ACKNOWLEDGE, me->count);
    me->acknowledged = me->count;
    done(me);
    machine_goto(place(me));
}

static void link_before(struct server *me, const struct neighbours *neighbours) {
    me->before = neighbours->before;
    machine_send(me->before, RESUME, me->count, me->acknowledged);
}

/* Goes on after a server that stood between this one and the sender has failed. The sender gets the
 * updates that it does not have. Acknowledgements that the failed server did not pass on are taken
 * from the sender. */
static void resume(struct server *me, const struct progress *progress) {
    uint8_t from = bug == 3 ? me->acknowledged : progress->count;
    me->after = machine_sender();
    if (me->acknowledged < progress->acknowledged)
        take_acknowledgement(me, &(struct position){progress->acknowledged});
    for (uint8_t i = from + 1; i <= me->count && bug != 2; i++)
        forward(me, i);
    done(me);
}

static void stay_silent(struct server *me, const void *nothing) {
    (void)nothing;
    machine_send(me->master, NO_ANSWER, me->number);
}

MACHINE(Server, START("Created", ENTRY(created)),
        STATE("Alone", ON(CONFIGURE, configure), GOTO(FAIL, "Failed")),
        STATE("AloneHasty", ON(CONFIGURE, configure)), /* bug 8 */
        STATE("Head", ON(CONFIGURE, configure), ON(UPDATE, take_update),
              ON(ACKNOWLEDGE, take_acknowledgement), ON(PING, pong), ON(BECOME_TAIL, become_tail),
              ON(RESUME, resume), GOTO(FAIL, "Failed")),
        STATE("Middle", ON(CONFIGURE, configure), ON(FORWARD, take_forward),
              ON(ACKNOWLEDGE, take_acknowledgement), ON(PING, pong), ON(BECOME_HEAD, become_head),
              ON(BECOME_TAIL, become_tail), ON(LINK, link_before), ON(RESUME, resume),
              GOTO(FAIL, "Failed")),
        STATE("Tail", ON(CONFIGURE, configure), ON(FORWARD, take_forward), ON(QUERY, answer),
              ON(PING, pong), ON(BECOME_HEAD, become_head), ON(LINK, link_before),
              GOTO(FAIL, "Failed")),
        STATE("Only", ON(CONFIGURE, configure), ON(UPDATE, take_update), ON(QUERY, answer),
              ON(PING, pong), GOTO(FAIL, "Failed")),
        STATE("Failed", ON(CONFIGURE, stay_silent), ON(PING, stay_silent),
              ON(BECOME_HEAD, stay_silent), ON(BECOME_TAIL, stay_silent), ON(LINK, stay_silent),
              ON(RESUME, stay_silent), IGNORE(UPDATE), IGNORE(QUERY), IGNORE(FORWARD),
              IGNORE(ACKNOWLEDGE)));

/* --- environment: failures, clients --------------------------------------------------------- */

struct fault {
    machine_id master, servers[SERVERS_MAX];
};
DECLARE_MACHINE(Fault, struct fault);

static void fail_some(struct fault *me) {
    for (int left = participants; left > participants - faults(); left--) {
        int victim = heddle_choose(left + 1);
        if (victim == left)
            break;
        machine_send(me->servers[victim], FAIL);
        machine_send(me->master, TICK);
        me->servers[victim] = me->servers[left - 1];
    }
    machine_halt();
}

MACHINE(Fault, START("Failing", ENTRY(fail_some)));

/* A client makes updates and queries in turn, each one after the answer to the previous one. */
struct client {
    struct ends chain;
    uint8_t number, request;
};
DECLARE_MACHINE(Client, struct client);

static void send_request(struct client *me) {
    if (me->request % 2 != 0)
        machine_send(me->chain.first, UPDATE, machine_self(), me->number, me->request);
    else
        machine_send(me->chain.last, QUERY, machine_self(), me->number, me->request);
}

static void next_request(struct client *me) {
    if (++me->request > REQUESTS)
        machine_halt();
    else
        send_request(me);
}

/* A request that was sent twice may be answered twice; the second answer is ignored. */
static void hear(struct client *me, const struct entry *entry) {
    if (entry->update.request == me->request)
        next_request(me);
}

static void change_chain(struct client *me, const struct ends *chain) {
    bool lost =
        me->request % 2 != 0 ? me->chain.first != chain->first : me->chain.last != chain->last;
    me->chain = *chain;
    if (lost)
        send_request(me);
}

MACHINE(Client, START("Asking", ENTRY(next_request), ON(CONFIRM, hear), ON(ANSWER, hear),
                      ON(NEW_CHAIN, change_chain)));

/* --- the master ----------------------------------------------------------------------------- */

enum step { NO_STEP, STEP_HEAD, STEP_TAIL, STEP_LINK };

struct master {
    machine_id servers[SERVERS_MAX], clients[CLIENTS_MAX];
    struct ends told;           /* the head and the tail that the clients know */
    uint8_t chain[SERVERS_MAX]; /* the numbers of the servers, in the order of the chain */
    uint8_t length;
    /* One bit for each server: those that must answer, and those that did not. */
    uint8_t awaited, silent;
    uint8_t unlinked; /* one bit for each server that must be linked to a new predecessor */
    bool head_lost, tail_lost;
    uint8_t step, linked; /* the current step of the repair; the server that is being linked */
};
DECLARE_MACHINE(Master, struct master);

static machine_id server_at(const struct master *me, int place) {
    return place < 0 || place >= me->length ? 0 : me->servers[me->chain[place]];
}

static void configure_all(struct master *me) {
    for (int i = 0; i < me->length; i++) {
        me->awaited |= (uint8_t)(1 << me->chain[i]);
        machine_send(server_at(me, i), CONFIGURE, server_at(me, i - 1), server_at(me, i + 1));
    }
}

static void set_up(struct master *me) {
    struct fault fault = {.master = machine_self()};
    for (int i = 0; i < participants; i++)
        me->servers[i] = fault.servers[i] =
            machine_create(Server, .master = machine_self(), .number = (uint8_t)i);
    machine_create_at(&Fault, &fault);
    for (int i = 0; i < participants; i++)
        me->chain[me->length++] = (uint8_t)i;
    configure_all(me);
}

static struct ends ends_of(const struct master *me) {
    return (struct ends){server_at(me, 0), server_at(me, me->length - 1)};
}

static void begin_service(struct master *me) {
    me->told = ends_of(me);
    heddle_hint("initialised");
    for (int i = 0; i < clients(); i++)
        me->clients[i] = machine_create(Client, .chain = me->told, .number = (uint8_t)i);
    machine_goto("Watching");
}

static void tell_clients(struct master *me) {
    struct ends chain = ends_of(me);
    if (chain.first == me->told.first && chain.last == me->told.last)
        return;
    me->told = chain;
    for (int i = 0; i < clients(); i++)
        machine_send(me->clients[i], NEW_CHAIN, chain.first, chain.last);
}

/* Takes a server out of the chain and notes what its neighbours must be told. If a neighbour fails
 * as well, the message goes to the server that is then in its place. */
static void take_out(struct master *me, int place) {
    uint8_t number = me->chain[place];
    bool was_linked = !(me->unlinked & 1 << number);
    me->length--;
    for (int i = place; i < me->length; i++)
        me->chain[i] = me->chain[i + 1];
    me->unlinked &= (uint8_t) ~(1 << number);
    if (place == 0) {
        me->head_lost = true;
        me->unlinked &= (uint8_t) ~(1 << me->chain[0]);
    } else if (place == me->length) {
        me->tail_lost = true;
    } else if (was_linked || bug != 6) {
        me->unlinked |= (uint8_t)(1 << me->chain[place]);
    }
}

static void take_out_silent(struct master *me) {
    for (int i = me->length - 1; i >= 0; i--)
        if (me->silent & 1 << me->chain[i])
            take_out(me, i);
    me->silent = 0;
}

/* Returns the place of the first server that must be linked to its predecessor, or 0 if there is
 * none. */
static int place_of_gap(const struct master *me) {
    for (int i = 1; i < me->length; i++)
        if (me->unlinked & 1 << me->chain[i])
            return i;
    return 0;
}

/* Starts the next step of the repair, or ends the repair. */
static void repair(struct master *me) {
    take_out_silent(me);
    int gap = place_of_gap(me);
    if (bug == 5)
        tell_clients(me);
    if (me->head_lost) {
        me->step = STEP_HEAD;
        machine_send(server_at(me, 0), BECOME_HEAD);
    } else if (gap != 0) {
        me->step = STEP_LINK;
        me->linked = me->chain[gap];
        machine_send(server_at(me, gap), LINK, .before = server_at(me, gap - 1));
    } else if (me->tail_lost) {
        me->step = STEP_TAIL;
        machine_send(server_at(me, me->length - 1), BECOME_TAIL);
    } else {
        me->step = NO_STEP;
        tell_clients(me);
        machine_goto("Watching");
        return;
    }
    machine_goto(bug == 7 ? "RepairingHasty" : "Repairing");
}

static void step_done(struct master *me, const struct server_name *server) {
    (void)server;
    if (me->step == STEP_HEAD)
        me->head_lost = false;
    else if (me->step == STEP_TAIL)
        me->tail_lost = false;
    else
        me->unlinked &= (uint8_t) ~(1 << me->linked);
    repair(me);
}

/* The chain has changed, so the steps that remain have changed too. */
static void step_failed(struct master *me, const struct server_name *server) {
    me->silent |= (uint8_t)(1 << server->number);
    repair(me);
}

static bool all_answered(struct master *me, const struct server_name *server, bool silent) {
    me->awaited &= (uint8_t) ~(1 << server->number);
    me->silent |= (uint8_t)(silent << server->number);
    return me->awaited == 0;
}

/* As long as there are no clients, the chain is simply configured again without the failed
 * servers. */
static void configured(struct master *me) {
    if (me->silent == 0) {
        begin_service(me);
        return;
    }
    take_out_silent(me);
    me->head_lost = me->tail_lost = false;
    me->unlinked = 0;
    configure_all(me);
}

static void is_configured(struct master *me, const struct server_name *server) {
    if (all_answered(me, server, false))
        configured(me);
}

static void is_not_configured(struct master *me, const struct server_name *server) {
    if (all_answered(me, server, true))
        configured(me);
}

static void is_alive(struct master *me, const struct server_name *server) {
    if (all_answered(me, server, false))
        repair(me);
}

static void is_not_alive(struct master *me, const struct server_name *server) {
    if (all_answered(me, server, true))
        repair(me);
}

static void ping(struct master *me, const void *nothing) {
    (void)nothing;
    for (int i = 0; i < me->length; i++) {
        me->awaited |= (uint8_t)(1 << me->chain[i]);
        machine_send(server_at(me, i), PING);
    }
}

MACHINE(Master,
        START("Starting", ENTRY(set_up), ON(DONE, is_configured), ON(NO_ANSWER, is_not_configured),
              DEFER(TICK)),
        STATE("Watching", ON_GOTO(TICK, ping, "Pinging")),
        STATE("Pinging", ON(DONE, is_alive), ON(NO_ANSWER, is_not_alive), DEFER(TICK)),
        STATE("Repairing", ON(DONE, step_done), ON(NO_ANSWER, step_failed), DEFER(TICK)),
        STATE("RepairingHasty", ON(DONE, step_done), ON(NO_ANSWER, step_failed)) /* bug 7 */);

/* --- monitor: the clients see one log ------------------------------------------------------- */

struct one_log {
    struct update log[LOG + 1];
    uint8_t seen; /* some client has seen the log up to this position */
    /* For each client, the value of `seen` when it sent its current request. */
    uint8_t floors[CLIENTS_MAX];
    uint8_t asked[CLIENTS_MAX], heard[CLIENTS_MAX];
};
DECLARE_MACHINE(OneLog, struct one_log);

static void see_request(struct one_log *me, const struct update *request) {
    if (request->request <= me->asked[request->client])
        return; /* the request was sent again, and the answer may belong to the first time */
    me->asked[request->client] = request->request;
    me->floors[request->client] = me->seen;
}

static void see_position(struct one_log *me, const struct entry *entry) {
    if (entry->position > me->seen)
        me->seen = entry->position;
    if (entry->update.request > me->heard[entry->update.client])
        me->heard[entry->update.client] = entry->update.request;
}

static void see_confirmed(struct one_log *me, const struct entry *entry) {
    struct update *known = &me->log[entry->position];
    if (known->request == 0) {
        for (int i = 1; i <= LOG; i++)
            heddle_assert(me->log[i].client != entry->update.client ||
                          me->log[i].request != entry->update.request);
        heddle_assert(entry->position > me->floors[entry->update.client]);
        *known = entry->update;
    }
    heddle_assert(known->client == entry->update.client);
    heddle_assert(known->request == entry->update.request);
    see_position(me, entry);
}

static void see_answer(struct one_log *me, const struct entry *entry) {
    if (entry->update.request == me->asked[entry->update.client])
        heddle_assert(entry->position >= me->floors[entry->update.client]);
    see_position(me, entry);
}

static void all_are_answered(struct one_log *me) {
    for (int i = 0; i < clients(); i++)
        heddle_assert(me->heard[i] == REQUESTS);
}

MONITOR(OneLog, AT_END(all_are_answered),
        START("Looking", ON(UPDATE, see_request), ON(QUERY, see_request),
              ON(CONFIRM, see_confirmed), ON(ANSWER, see_answer)));

int main(int argc, char **argv) {
    protocol_arguments(argc, argv, 2, SERVERS_MAX, 8);
    machine_watch(OneLog);
    return machine_start(Master);
}
