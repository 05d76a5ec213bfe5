/* chain_replication.c - a replicated log, after van Renesse and Schneider.
 *
 * Updates go to the head of a chain of servers and from each to the next; the tail confirms them to the
 * client, and acknowledgements travel back. Queries go to the tail: what it holds is held by all. A server
 * remembers what it has sent on and what of that is acknowledged.
 *
 * The master pings the servers. Failed ones it takes out of the chain: the next one becomes head, the one
 * before becomes tail, or the neighbours of a middle one are linked; then the one behind says how far it
 * has come and gets the rest. Then clients are told, and send again what went to an end that is gone.
 *
 * The environment: fault makes one server fail after the other, all but one, two at most, at any time. A
 * failed server is silent. That the master hears NO_ANSWER stands for a timeout that is never wrong. Fault
 * ticks for the master's clock, too, so that it looks once more after each failure.
 *
 * correct: 2 3
 * bug 1 assertion at 2: the new tail does not confirm what only the old one would have confirmed. The
 *     tail fails before it has seen an update that the server before it has; nobody answers the client.
 * bug 2 assertion at 3: the neighbours of a failed server are linked, but what that one did not send
 *     on is not sent again. It fails with an update in its queue.
 * bug 3 assertion at 3: all that is not acknowledged is sent again, also what has arrived. A middle server
 *     sends an update on and fails before the acknowledgement comes back to it.
 * bug 4 assertion at 2: an update that comes again is taken for a new one. The head sends an update on and
 *     fails; the client sends it to the new head, which has it.
 * bug 5 unhandled-event at 2: clients hear of a new tail before it does. The tail fails while a query is
 *     under way, which is sent again and overtakes the master's word.
 * bug 6 assertion at 4: two neighbours fail. The first is found, the second is to be linked and does not
 *     answer: it is taken out, but the one behind it is not linked in its place, and nobody answers
 *     a client.
 * bug 7 unhandled-event at 3: a clock that ticks during a repair. Two servers fail quickly.
 * bug 8 unhandled-event at 2: a server that fails before it is part of the chain.
 */
#include "protocol.h"

enum { SERVERS_MAX = 5, FAULTS_MAX = 2, CLIENTS = 2, REQUESTS = 2, LOG = CLIENTS * REQUESTS };

struct server_name {
    uint8_t number;
};
struct update {
    machine_id from;
    uint8_t client, request; /* request: from 1 on */
};
struct entry {
    struct update update;
    uint8_t position; /* in the log, from 1 on */
};
struct position {
    uint8_t position;
};
EVENT(UPDATE, struct update); /* client to head, and the tail's answer */
EVENT(CONFIRM, struct entry);
EVENT(QUERY, struct update); /* client to tail, and its answer: how long the log is */
EVENT(ANSWER, struct entry);
EVENT(FORWARD, struct entry); /* server to the next, and back */
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
EVENT(CONFIGURE, struct neighbours); /* master to server; answers: DONE or NO_ANSWER */
EVENT(PING);
EVENT(BECOME_HEAD);
EVENT(BECOME_TAIL);
EVENT(LINK, struct neighbours);
EVENT(RESUME, struct progress); /* from the server behind to the one before, which says DONE */
EVENT(DONE, struct server_name);
EVENT(NO_ANSWER, struct server_name);
EVENT(NEW_CHAIN, struct ends); /* master to clients */
EVENT(FAIL);
EVENT(TICK);

static int faults(void) {
    return participants - 1 < FAULTS_MAX ? participants - 1 : FAULTS_MAX;
}

/* --- a server ------------------------------------------------------------------------------- */

struct server {
    machine_id master, before, after;
    uint8_t number;
    uint8_t count, acknowledged; /* of the log; at the tail all is acknowledged */
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

/* 0: not there */
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
        confirm(me, position); /* else it is under way, and will be confirmed */
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

/* What it has sent on and was not confirmed, or not as far as it knows, is confirmed here and now. */
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

/* The server behind is a new one: it gets what it does not have, and acknowledgements that were lost with
 * the one between are made up for. */
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

MACHINE(
    Server, START("Created", ENTRY(created)),
    STATE("Alone", ON(CONFIGURE, configure), GOTO(FAIL, "Failed")),
    STATE("AloneHasty", ON(CONFIGURE, configure)), /* bug 8 */
    STATE("Head", ON(UPDATE, take_update), ON(ACKNOWLEDGE, take_acknowledgement), ON(PING, pong),
          ON(BECOME_TAIL, become_tail), ON(RESUME, resume), GOTO(FAIL, "Failed")),
    STATE("Middle", ON(FORWARD, take_forward), ON(ACKNOWLEDGE, take_acknowledgement),
          ON(PING, pong), ON(BECOME_HEAD, become_head), ON(BECOME_TAIL, become_tail),
          ON(LINK, link_before), ON(RESUME, resume), GOTO(FAIL, "Failed")),
    STATE("Tail", ON(FORWARD, take_forward), ON(QUERY, answer), ON(PING, pong),
          ON(BECOME_HEAD, become_head), ON(LINK, link_before), GOTO(FAIL, "Failed")),
    STATE("Only", ON(UPDATE, take_update), ON(QUERY, answer), ON(PING, pong), GOTO(FAIL, "Failed")),
    STATE("Failed", ON(CONFIGURE, stay_silent), ON(PING, stay_silent), ON(BECOME_HEAD, stay_silent),
          ON(BECOME_TAIL, stay_silent), ON(LINK, stay_silent), ON(RESUME, stay_silent),
          IGNORE(UPDATE), IGNORE(QUERY), IGNORE(FORWARD), IGNORE(ACKNOWLEDGE)));

/* --- environment: failures, clients --------------------------------------------------------- */

struct fault {
    machine_id master, servers[SERVERS_MAX];
};
DECLARE_MACHINE(Fault, struct fault);

static void fail_some(struct fault *me) {
    for (int left = participants; left > participants - faults(); left--) {
        int victim = heddle_choose(left);
        machine_send(me->servers[victim], FAIL);
        machine_send(me->master, TICK);
        me->servers[victim] = me->servers[left - 1];
    }
    machine_halt();
}

MACHINE(Fault, START("Failing", ENTRY(fail_some)));

/* Updates and queries in turn, each when the one before has been answered. */
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

/* A request that was sent twice may be answered twice. */
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
    machine_id servers[SERVERS_MAX], clients[CLIENTS];
    struct ends told;           /* what clients know of */
    uint8_t chain[SERVERS_MAX]; /* numbers of servers */
    uint8_t length;
    uint8_t awaited, silent; /* a bit for each server: who is to answer, who did not */
    uint8_t unlinked;        /* whose predecessor is gone */
    bool head_lost, tail_lost;
    uint8_t step, linked; /* what is being done; to whom, if it is a link */
};
DECLARE_MACHINE(Master, struct master);

static void set_up(struct master *me) {
    struct fault fault = {.master = machine_self()};
    for (int i = 0; i < participants; i++)
        me->servers[i] = fault.servers[i] =
            machine_create(Server, .master = machine_self(), .number = (uint8_t)i);
    machine_create_at(&Fault, &fault);
    for (int i = 0; i < participants; i++) {
        me->chain[me->length++] = (uint8_t)i;
        me->awaited |= (uint8_t)(1 << i);
        machine_send(me->servers[i], CONFIGURE, i > 0 ? me->servers[i - 1] : 0,
                     i < participants - 1 ? me->servers[i + 1] : 0);
    }
}

static struct ends ends_of(const struct master *me) {
    return (struct ends){me->servers[me->chain[0]], me->servers[me->chain[me->length - 1]]};
}

static void tell_clients(struct master *me) {
    struct ends chain = ends_of(me);
    bool first_time = me->told.first == 0;
    if (chain.first == me->told.first && chain.last == me->told.last)
        return;
    me->told = chain;
    for (int i = 0; i < CLIENTS; i++)
        if (first_time)
            me->clients[i] = machine_create(Client, .chain = chain, .number = (uint8_t)i);
        else
            machine_send(me->clients[i], NEW_CHAIN, chain.first, chain.last);
}

/* What its neighbours must be told is noted; if they fail as well, others are in their place then. */
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

/* The place of the first server that is to be linked to the one before, or 0. */
static int place_of_gap(const struct master *me) {
    for (int i = 1; i < me->length; i++)
        if (me->unlinked & 1 << me->chain[i])
            return i;
    return 0;
}

/* One step, or none is left. */
static void repair(struct master *me) {
    take_out_silent(me);
    int gap = place_of_gap(me);
    if (bug == 5)
        tell_clients(me);
    if (me->head_lost) {
        me->step = STEP_HEAD;
        machine_send(me->servers[me->chain[0]], BECOME_HEAD);
    } else if (gap != 0) {
        me->step = STEP_LINK;
        me->linked = me->chain[gap];
        machine_send(me->servers[me->linked], LINK, .before = me->servers[me->chain[gap - 1]]);
    } else if (me->tail_lost) {
        me->step = STEP_TAIL;
        machine_send(me->servers[me->chain[me->length - 1]], BECOME_TAIL);
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

/* The chain is another now, and what is to be done as well. */
static void step_failed(struct master *me, const struct server_name *server) {
    me->silent |= (uint8_t)(1 << server->number);
    repair(me);
}

static void answered(struct master *me, const struct server_name *server) {
    me->awaited &= (uint8_t) ~(1 << server->number);
    if (me->awaited != 0)
        return;
    //HINT
    repair(me);
}

static void not_answered(struct master *me, const struct server_name *server) {
    me->silent |= (uint8_t)(1 << server->number);
    answered(me, server);
}

static void ping(struct master *me, const void *nothing) {
    (void)nothing;
    for (int i = 0; i < me->length; i++) {
        me->awaited |= (uint8_t)(1 << me->chain[i]);
        machine_send(me->servers[me->chain[i]], PING);
    }
}

MACHINE(Master,
        START("Starting", ENTRY(set_up), ON(DONE, answered), ON(NO_ANSWER, not_answered),
              DEFER(TICK)),
        STATE("Watching", ON_GOTO(TICK, ping, "Pinging")),
        STATE("Pinging", ON(DONE, answered), ON(NO_ANSWER, not_answered), DEFER(TICK)),
        STATE("Repairing", ON(DONE, step_done), ON(NO_ANSWER, step_failed), DEFER(TICK)),
        STATE("RepairingHasty", ON(DONE, step_done), ON(NO_ANSWER, step_failed)) /* bug 7 */);

/* --- one log, as far as clients can tell ---------------------------------------------------- */

struct one_log {
    struct update log[LOG + 1];
    uint8_t seen;            /* positions up to here are known to somebody */
    uint8_t floors[CLIENTS]; /* ... when the client sent its present request */
    uint8_t asked[CLIENTS], heard[CLIENTS];
};
DECLARE_MACHINE(OneLog, struct one_log);

static void see_request(struct one_log *me, const struct update *request) {
    if (request->request <= me->asked[request->client])
        return; /* sent again: what is answered may be as old as the first */
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
    for (int i = 0; i < CLIENTS; i++)
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
