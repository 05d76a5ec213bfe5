/* corfu_repair.c - repair of a chain of CORFU log servers, by three methods, two of them wrong.
 *
 * After Aronis, Fritchie and Sagonas, "Testing and Verifying Chain Repair Methods for CORFU Using
 * Stateless Model Checking" (IFM 2017). The servers do not know each other. A client writes to one
 * server after the other, in the order of the chain, and reads from the last one. Each place of the
 * log is written only once; the client that comes first at the first server wins. Each
 * configuration has an epoch. A server refuses requests of older epochs. Once it has heard of a
 * newer epoch, it refuses all requests until the repairer has told it that epoch. A client that is
 * refused asks the layout server, and goes on with the servers that it has not written to yet.
 *
 * The repairer adds one server to the chain, while two clients write different values to the same
 * place and one client reads it twice. Epoch 1 is the old chain. In epoch 2 clients write to the
 * new server as well, and the value of the last server is copied to it. In epoch 3 the new server
 * is a normal member. The methods differ in the place of the new server: after the tail (1), before
 * the head (2), or before the tail (3). Method 3 overwrites the value of the new server; this is
 * safe because all other servers have the value of the winner. If the old chain has only one
 * server, this server is head and tail in epoch 2. As head it hides a new value from readers until
 * the value has also come to it as the tail.
 *
 * PARTICIPANTS: servers before the repair.
 *
 * correct: 1 2
 * bug 1 assertion at 1: method 1. The copy is made before a value is written to the last server. A
 *     client reads the value there. Then the new server is the last one, and the same client reads
 *     nothing.
 * bug 2 assertion at 2: method 2. One client has written to the old head in epoch 1, the other one
 *     writes to the new head in epoch 2. In the end the chain holds two values. */
#include "protocol.h"

enum { SERVERS_MAX = 4, LAYOUTS = 3, READS = 2, VALUES = 2, AS_TAIL = 1 << 7 };

/* What a write does at a server that already holds a value. */
enum manner { ONCE, OVERWRITE, ONCE_AS_HEAD };

struct write {
    uint8_t epoch, value, manner;
};
struct read {
    uint8_t epoch;
};
struct held {
    uint8_t server, value; /* value 0 means that there is none */
};
struct layout {
    uint8_t epoch;
};
EVENT(WRITE, struct write); /* answered by STORED, TAKEN or REFUSED */
EVENT(READ, struct read);   /* answered by VALUE or REFUSED */
EVENT(STORED, struct held);
EVENT(TAKEN, struct held);
EVENT(VALUE, struct held);
EVENT(REFUSED);
EVENT(SET_EPOCH, struct layout); /* from the repairer to a server, which answers EPOCH_SET */
EVENT(EPOCH_SET);
EVENT(READ_LAYOUT); /* answered by LAYOUT */
EVENT(WRITE_LAYOUT, struct layout);
EVENT(LAYOUT, struct layout);
EVENT(WON, struct held); /* announced by a writer that has written to the whole chain */

/* --- layouts: the epoch alone determines the chain ------------------------------------------ */

static int method(void) {
    return bug == 0 ? 3 : bug;
}

/* The number of the added server; the others have the numbers 0 to participants - 1. */
static int added(void) {
    return participants;
}

/* With method 3 and an old chain of one server, this server has two roles in epoch 2. */
static bool has_two_roles(int server, int epoch) {
    return method() == 3 && participants == 1 && server == 0 && epoch == 2;
}

/* The server at a place of the chain, in the order in which clients write. */
static int server_at(int place, int epoch) {
    int place_of_added = method() == 1       ? participants
                         : method() == 2     ? 0
                         : participants == 1 ? 1
                                             : participants - 1;
    if (epoch == 1 || place < place_of_added)
        return place;
    return place == place_of_added ? added() : place - 1;
}

static int length(int epoch) {
    return epoch == 1 ? participants : participants + 1;
}

/* The server that readers ask. */
static int tail(int epoch) {
    return epoch == 3 ? server_at(participants, 3) : participants - 1;
}

/* --- a server ------------------------------------------------------------------------------- */

struct server {
    uint8_t number, epoch, value;
    bool wedged; /* it has heard of a newer epoch that the repairer has not told it yet */
    /* Of a server with two roles: the value was written to it as head, not yet as tail. */
    bool unknown;
};
DECLARE_MACHINE(Server, struct server);

static bool refuse(struct server *me, uint8_t epoch) {
    if (epoch > me->epoch)
        me->wedged = true;
    if (epoch == me->epoch && !me->wedged)
        return false;
    machine_send(machine_sender(), REFUSED);
    return true;
}

static bool is_taken(const struct server *me, uint8_t manner) {
    if (me->value == 0 || manner == OVERWRITE)
        return false;
    return manner == ONCE_AS_HEAD || !me->unknown;
}

static void write_value(struct server *me, const struct write *write) {
    if (refuse(me, write->epoch))
        return;
    if (is_taken(me, write->manner)) {
        machine_send(machine_sender(), TAKEN, me->number, me->value);
        return;
    }
    heddle_assert(!me->unknown || me->value == write->value);
    me->value = write->value;
    me->unknown = write->manner == ONCE_AS_HEAD;
    machine_send(machine_sender(), STORED, me->number, me->value);
}

static void read_value(struct server *me, const struct read *read) {
    if (!refuse(me, read->epoch))
        machine_send(machine_sender(), VALUE, me->number, me->unknown ? 0 : me->value);
}

static void set_epoch(struct server *me, const struct layout *layout) {
    me->epoch = layout->epoch;
    me->wedged = me->unknown = false;
    machine_send(machine_sender(), EPOCH_SET);
}

MACHINE(Server,
        START("Serving", ON(WRITE, write_value), ON(READ, read_value), ON(SET_EPOCH, set_epoch)));

/* --- the layout server ---------------------------------------------------------------------- */

struct layouts {
    uint8_t epoch;
};
DECLARE_MACHINE(Layouts, struct layouts);

static void read_layout(struct layouts *me, const void *nothing) {
    (void)nothing;
    machine_send(machine_sender(), LAYOUT, me->epoch);
}

static void write_layout(struct layouts *me, const struct layout *layout) {
    me->epoch = layout->epoch;
    machine_send(machine_sender(), LAYOUT, me->epoch);
}

MACHINE(Layouts, START("Serving", ON(READ_LAYOUT, read_layout), ON(WRITE_LAYOUT, write_layout)));

/* --- clients -------------------------------------------------------------------------------- */

struct cluster {
    machine_id servers[SERVERS_MAX], layouts;
};
struct client {
    struct cluster cluster;
    uint8_t epoch, layouts; /* layouts: how often it has asked for the layout */
    uint8_t value;          /* the value to write; in a reader, the value that it has read */
    uint8_t done;           /* one bit for each server that it has written to */
    uint8_t passed;         /* method 2: one bit for each server that it will not write to */
    uint8_t reads;
};
DECLARE_MACHINE(Writer, struct client);
DECLARE_MACHINE(Reader, struct client);

/* A client gives up after some attempts: a server may refuse requests before the layout server
 * knows the new layout, and then the answer helps nothing. */
static void ask_for_layout(struct client *me, const void *nothing) {
    (void)nothing;
    if (++me->layouts == LAYOUTS)
        machine_halt();
    else
        machine_send(me->cluster.layouts, READ_LAYOUT);
}

static void send_write(struct client *me, int server, enum manner manner) {
    machine_send(me->cluster.servers[server], WRITE, me->epoch, me->value, (uint8_t)manner);
}

static void win(struct client *me) {
    machine_announce(WON, .value = me->value);
    machine_halt();
}

/* The order of writes if a server has two roles: it comes first as head, and last as tail. */
static void write_around(struct client *me) {
    if (!(me->done & 1))
        send_write(me, 0, ONCE_AS_HEAD);
    else if (!(me->done & 1 << added()))
        send_write(me, added(), OVERWRITE);
    else if (!(me->done & AS_TAIL))
        send_write(me, 0, ONCE);
    else
        win(me);
}

static void write_next(struct client *me) {
    if (has_two_roles(0, me->epoch)) {
        write_around(me);
        return;
    }
    for (int i = 0; i < length(me->epoch); i++) {
        int server = server_at(i, me->epoch);
        if ((me->done | me->passed) & 1 << server)
            continue;
        bool over = method() == 3 && me->epoch == 2 && server == added();
        send_write(me, server, over ? OVERWRITE : ONCE);
        return;
    }
    win(me);
}

static void stored(struct client *me, const struct held *held) {
    bool again = me->done & 1 << held->server;
    me->done |= (uint8_t)(again ? AS_TAIL : 1 << held->server);
    write_next(me);
}

/* The first server decides which client wins. The other servers can only hold the value of the
 * winner, written by the winner or by the repairer. With method 2 this is not true, because the
 * first server may have changed. */
static void taken(struct client *me, const struct held *held) {
    if (me->done == 0 && me->passed == 0) {
        machine_halt();
    } else if (held->value == me->value) {
        stored(me, held);
    } else {
        heddle_assert(method() == 2);
        if (held->server == added() && me->epoch == 2) {
            /* The repairer will overwrite the value there. */
            me->passed |= (uint8_t)(1 << held->server);
            write_next(me);
        } else {
            machine_halt();
        }
    }
}

static void new_layout_to_write(struct client *me, const struct layout *layout) {
    me->epoch = layout->epoch;
    write_next(me);
}

MACHINE(Writer, START("Writing", ENTRY(write_next), ON(STORED, stored), ON(TAKEN, taken),
                      ON(REFUSED, ask_for_layout), ON(LAYOUT, new_layout_to_write)));

static void send_read(struct client *me) {
    machine_send(me->cluster.servers[tail(me->epoch)], READ, me->epoch);
}

/* A value that was read once must be read again. If the first read finds nothing, the reader has
 * nothing to compare, and halts. */
static void value_read(struct client *me, const struct held *held) {
    heddle_assert(me->value == 0 || held->value == me->value);
    me->value = held->value;
    if (me->value == 0 || ++me->reads == READS)
        machine_halt();
    else
        send_read(me);
}

static void new_layout_to_read(struct client *me, const struct layout *layout) {
    me->epoch = layout->epoch;
    send_read(me);
}

MACHINE(Reader, START("Reading", ENTRY(send_read), ON(VALUE, value_read),
                      ON(REFUSED, ask_for_layout), ON(LAYOUT, new_layout_to_read)));

/* --- the repairer --------------------------------------------------------------------------- */

struct repairer {
    struct cluster cluster;
    uint8_t epoch, told; /* told: the number of servers that know the epoch */
};
DECLARE_MACHINE(Repairer, struct repairer);

static void set_up(struct repairer *me) {
    me->epoch = 1;
    me->cluster.layouts = machine_create(Layouts, .epoch = 1);
    for (int i = 0; i <= participants; i++)
        me->cluster.servers[i] = machine_create(Server, .number = (uint8_t)i, .epoch = 1);
    for (int i = 1; i <= VALUES; i++)
        machine_create(Writer, .cluster = me->cluster, .epoch = 1, .value = (uint8_t)i);
    machine_create(Reader, .cluster = me->cluster, .epoch = 1);
    machine_send(me->cluster.layouts, WRITE_LAYOUT, ++me->epoch);
}

static void tell_next(struct repairer *me) {
    machine_send(me->cluster.servers[me->told++], SET_EPOCH, me->epoch);
}

static void begin_epoch(struct repairer *me, const struct layout *layout) {
    (void)layout;
    me->told = 0;
    tell_next(me);
}

static void epoch_set(struct repairer *me, const void *nothing) {
    (void)nothing;
    if (me->told <= participants)
        tell_next(me);
    else if (me->epoch == 2)
        machine_send(me->cluster.servers[participants - 1], READ, me->epoch);
    else
        machine_halt();
}

static void end_epoch(struct repairer *me) {
    machine_send(me->cluster.layouts, WRITE_LAYOUT, ++me->epoch);
}

static void copy(struct repairer *me, const struct held *held) {
    if (held->value == 0)
        end_epoch(me);
    else
        machine_send(me->cluster.servers[added()], WRITE, me->epoch, held->value,
                     method() == 1 ? ONCE : OVERWRITE);
}

static void copied(struct repairer *me, const struct held *held) {
    (void)held;
    end_epoch(me);
}

MACHINE(Repairer,
        START("Repairing", ENTRY(set_up), ON(LAYOUT, begin_epoch), ON(EPOCH_SET, epoch_set),
              ON(VALUE, copy), ON(STORED, copied), ON(TAKEN, copied)));

/* --- monitor: one value, and no holes ------------------------------------------------------- */

struct one_value {
    uint8_t held[SERVERS_MAX];
    uint8_t winners;
};
DECLARE_MACHINE(OneValue, struct one_value);

static void see_stored(struct one_value *me, const struct held *held) {
    me->held[held->server] = held->value;
}

static void see_winner(struct one_value *me, const struct held *held) {
    (void)held;
    heddle_assert(++me->winners == 1);
}

/* In the order of the chain, the first servers hold the same value, and the rest hold none. */
static void chain_is_consistent(struct one_value *me) {
    for (int i = 1; i <= participants; i++) {
        uint8_t before = me->held[server_at(i - 1, 3)], behind = me->held[server_at(i, 3)];
        heddle_assert(behind == 0 || behind == before);
    }
}

MONITOR(OneValue, AT_END(chain_is_consistent),
        START("Looking", ON(STORED, see_stored), ON(WON, see_winner)));

int main(int argc, char **argv) {
    protocol_arguments(argc, argv, 1, SERVERS_MAX - 1, 2);
    machine_watch(OneValue);
    return machine_start(Repairer);
}
