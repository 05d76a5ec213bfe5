/* or_set.c - an observed-remove set: PARTICIPANTS replicas, which agree without coordination.
 *
 * Each add of an element makes a new tag: the replica's number and a count. For each element a
 * replica holds the tags that were added and the tags that were removed. The element is in the set
 * if some tag was added and not removed. To remove an element means to remove those of its tags
 * that the replica has seen. So an add that the replica has not seen survives. Adds and removes go
 * to all other replicas, in any order. A tag may be removed before it is added, so removed tags are
 * kept.
 *
 * The environment: a client adds and removes, each time at a replica of its choice. The network
 * delivers all messages, but an add of replica 0 may come twice.
 *
 * correct: 2 3
 * bug 1 assertion at 3: a replica keeps a removed tag only if it has the tag. Replica 0 adds,
 *     replica 1 sees and removes it, and replica 2 hears of the remove first.
 * bug 2 assertion at 2: a remove from another replica takes all tags that are here, even those that
 *     its sender had not seen. Replica 0 adds, replica 1 removes that while replica 0 adds again.
 * bug 3 assertion at 2: a replica counts its tags by the elements in the set. So after a remove the
 *     same tag is made again, and is known as removed. Add, remove and add at one replica.
 * bug 4 assertion at 2: to save space, a tag that was added and removed is forgotten. The add of
 *     replica 0 comes to replica 1, is removed there, and comes once more. */
#include "protocol.h"

enum { REPLICAS_MAX = 4, OPERATIONS = 3, ELEMENTS = 2, TAGS_EACH = OPERATIONS + 1 };

/* A tag is one bit, so that a set of tags is a number. */
struct tags {
    uint16_t element;
    uint16_t tags;
};
EVENT(ADD, struct tags);    /* from replica to replica */
EVENT(REMOVE, struct tags); /* from replica to replica */

struct request {
    uint8_t element;
};
EVENT(PLEASE_ADD, struct request);
EVENT(PLEASE_REMOVE, struct request);

struct group {
    machine_id replicas[REPLICAS_MAX];
};
struct peers {
    struct group group;
};
EVENT(PEERS, struct peers);

struct content {
    uint8_t replica;
    uint8_t elements; /* the set of elements */
};
/* For the monitor: the elements that readers of a replica see from now on. */
EVENT(CONTENT, struct content);

/* --- a replica ------------------------------------------------------------------------------ */

struct replica {
    struct group group;
    uint8_t number;
    uint8_t adds; /* how many adds it has made itself */
    uint8_t content;
    uint16_t added[ELEMENTS], removed[ELEMENTS];
};
DECLARE_MACHINE(Replica, struct replica);

static uint8_t content_of(const struct replica *me) {
    uint8_t content = 0;
    for (int i = 0; i < ELEMENTS; i++)
        if ((me->added[i] & ~me->removed[i]) != 0)
            content |= (uint8_t)(1 << i);
    return content;
}

static void show(struct replica *me) {
    uint8_t content = content_of(me);
    if (content == me->content)
        return;
    me->content = content;
    machine_announce(CONTENT, .replica = me->number, .elements = content);
}

static uint16_t new_tag(struct replica *me, int element) {
    int count = me->adds++;
    if (bug == 3)
        count = __builtin_popcount(me->added[element] & ~me->removed[element]);
    return (uint16_t)(1 << (me->number * TAGS_EACH + count));
}

static void add(struct replica *me, const struct request *request) {
    struct machine_channel channel = {.doubles = me->number == 0};
    uint16_t tag = new_tag(me, request->element);
    me->added[request->element] |= tag;
    heddle_assert((content_of(me) >> request->element & 1) ==
                  1); /* the client sees its own writes */
    show(me);
    for (int i = 0; i < participants; i++)
        if (i != me->number)
            machine_send_over(&channel, me->group.replicas[i], ADD, .element = request->element,
                              .tags = tag);
}

static void forget(struct replica *me, const struct tags *remove) {
    uint16_t *added = &me->added[remove->element], *removed = &me->removed[remove->element];
    uint16_t tags = remove->tags;
    if (bug == 1)
        tags &= *added;
    if (bug == 2)
        tags |= *added;
    *removed |= tags;
    if (bug == 4) {
        uint16_t both = *added & *removed;
        *added &= (uint16_t)~both;
        *removed &= (uint16_t)~both;
    }
}

static void remove_observed(struct replica *me, const struct request *request) {
    struct tags observed = {request->element,
                            me->added[request->element] & ~me->removed[request->element]};
    if (observed.tags == 0)
        return;
    forget(me, &observed);
    show(me);
    for (int i = 0; i < participants; i++)
        if (i != me->number)
            machine_send(me->group.replicas[i], REMOVE, .element = observed.element,
                         .tags = observed.tags);
}

static void hear_add(struct replica *me, const struct tags *add) {
    me->added[add->element] |= add->tags;
    show(me);
}

static void hear_remove(struct replica *me, const struct tags *remove) {
    forget(me, remove);
    show(me);
}

static void meet(struct replica *me, const struct peers *peers) {
    me->group = peers->group;
}

MACHINE(Replica,
        START("Alone", ON_GOTO(PEERS, meet, "Up"), DEFER(PLEASE_ADD), DEFER(PLEASE_REMOVE),
              DEFER(ADD), DEFER(REMOVE)),
        STATE("Up", ON(PLEASE_ADD, add), ON(PLEASE_REMOVE, remove_observed), ON(ADD, hear_add),
              ON(REMOVE, hear_remove)));

/* --- the client ----------------------------------------------------------------------------- */

struct client {
    struct group group;
};
DECLARE_MACHINE(Client, struct client);

static void operate(struct client *me) {
    heddle_hint("initialised");
    for (int i = 0; i < OPERATIONS; i++) {
        machine_id replica = me->group.replicas[heddle_choose(participants)];
        uint8_t element = (uint8_t)heddle_choose(ELEMENTS);
        if (heddle_choose(2) == 0)
            machine_send(replica, PLEASE_ADD, .element = element);
        else
            machine_send(replica, PLEASE_REMOVE, .element = element);
    }
    machine_halt();
}

MACHINE(Client, START("Operating", ENTRY(operate)));

struct nothing {};
DECLARE_MACHINE(Cluster, struct nothing);

static void build(struct nothing *me) {
    struct group group = {0};
    for (int i = 0; i < participants; i++)
        group.replicas[i] = machine_create(Replica, .number = (uint8_t)i);
    for (int i = 0; i < participants; i++)
        machine_send(group.replicas[i], PEERS, .group = group);
    machine_create(Client, .group = group);
    machine_halt();
}

MACHINE(Cluster, START("Building", ENTRY(build)));

/* --- monitor: at rest all replicas hold each element that has a tag which was not removed --- */

struct convergence {
    uint16_t added[ELEMENTS], removed[ELEMENTS];
    uint8_t content[REPLICAS_MAX];
};
DECLARE_MACHINE(Convergence, struct convergence);

static void see_add(struct convergence *me, const struct tags *add) {
    me->added[add->element] |= add->tags;
}

static void see_remove(struct convergence *me, const struct tags *remove) {
    me->removed[remove->element] |= remove->tags;
}

static void see_content(struct convergence *me, const struct content *content) {
    me->content[content->replica] = content->elements;
}

static void compare(struct convergence *me) {
    for (int i = 0; i < ELEMENTS; i++)
        for (int replica = 0; replica < participants; replica++) {
            bool in = (me->content[replica] >> i & 1) == 1;
            heddle_assert(in == ((me->added[i] & ~me->removed[i]) != 0));
        }
}

MONITOR(Convergence, AT_END(compare),
        START("Watching", ON(ADD, see_add), ON(REMOVE, see_remove), ON(CONTENT, see_content)));

int main(int argc, char **argv) {
    protocol_arguments(argc, argv, 2, REPLICAS_MAX, 4);
    machine_watch(Convergence);
    return machine_start(Cluster);
}
