/* bfs.c - a breadth-first tree, built in rounds on a network without rounds: SyncBFS over a
 * synchroniser.
 *
 * The nodes form a ring; node 0 is the root. In a synchronous network the algorithm is simple. A
 * node that was found in one round asks its neighbours in the next one. A node that is asked for
 * the first time is found, at that distance. One of the nodes that asked it is its parent, and is
 * told so in the next round.
 *
 * This network is not synchronous, so the nodes make the rounds themselves. In each round a node
 * sends one message to each neighbour, even if there is nothing to say, and goes on when it has
 * heard from all neighbours. So a neighbour may be one round ahead; its message is then kept until
 * that round. The link from the farthest node to its parent may deliver a message twice, and the
 * second copy must not count.
 *
 * correct: 2 3 4
 * bug 1 assertion at 3: a node counts messages, not neighbours. A message of node 1 comes twice, so
 *     the root ends without hearing that node 2 is its child.
 * bug 2 assertion at 4: an early message counts at once. A node that still waits for one neighbour
 *     hears a question of the other one for the next round. It then believes that it is one hop
 *     nearer to the root than it is.
 * bug 3 assertion at 4: a node that both neighbours ask in the same round tells both that they are
 *     its parent. Any schedule shows it.
 * bug 4 assertion at 4: rounds are only told apart as odd and even, because neighbours differ by
 *     one round at most. But a second copy that comes one round later is taken for the next
 *     message. The real message, which says who is a child, comes two rounds later and is taken for
 *     the copy. */
#include "protocol.h"

enum { NODES_MAX = 8, LINKS = 2, NOT_FOUND = 0xff };

struct links {
    machine_id to[LINKS];
};
EVENT(LINK, struct links);
struct pulse {
    uint8_t round;
    bool asks;     /* the sender was found in the previous round */
    bool is_child; /* the sender was found by the receiver, which is its parent */
};
EVENT(PULSE, struct pulse);
struct place {
    uint8_t node, distance;
    uint8_t parents, children; /* a bit for each link */
};
EVENT(PLACED, struct place);

/* Link 0 leads to the previous node, link 1 to the next node. With two nodes there is only link
 * 0. */
static int links(void) {
    return participants == 2 ? 1 : LINKS;
}

static int node_at(int node, int link) {
    return link == 0 ? (node + participants - 1) % participants : (node + 1) % participants;
}

static uint8_t bit(int link) {
    return (uint8_t)(1 << link);
}

/* The farthest node is found in the round before the last one, and tells its parent in the last
 * one. */
static int last_round(void) {
    return participants / 2;
}

/* --- a node --------------------------------------------------------------------------------- */

/* The messages of one round, as one bit for each link. */
struct heard {
    uint8_t from, asks, children;
    uint8_t repeated; /* bug 1: how many messages came twice */
};

struct node {
    machine_id to[LINKS];
    uint8_t number, round, distance;
    uint8_t parents, children;
    struct heard now, next; /* the messages of this round and of the next one */
};
DECLARE_MACHINE(Node, struct node);

static void send_pulse(const struct node *me, int link) {
    static const struct machine_channel repeating = {.doubles = true};
    bool asks = me->distance == me->round;
    machine_send_over(me->number == participants / 2 && link == 0 ? &repeating : NULL, me->to[link],
                      PULSE, .round = me->round, .asks = asks,
                      .is_child = asks && me->parents & bit(link));
}

static void send_pulses(const struct node *me) {
    for (int i = 0; i < links(); i++)
        send_pulse(me, i);
}

static void start(struct node *me, const struct links *links) {
    for (int i = 0; i < LINKS; i++)
        me->to[i] = links->to[i];
    me->distance = me->number == 0 ? 0 : NOT_FOUND;
    send_pulses(me);
}

static void found(struct node *me) {
    me->distance = (uint8_t)(me->round + 1);
    me->parents = me->now.asks;
    if (bug != 3 && me->parents == 3)
        me->parents = 1;
}

static void finish_round(struct node *me) {
    me->children |= me->now.children;
    if (me->distance == NOT_FOUND && me->now.asks != 0)
        found(me);
    me->now = me->next;
    me->next = (struct heard){0};
    me->round++;
}

static bool all_heard(const struct node *me) {
    int heard = __builtin_popcount(me->now.from);
    return heard + (bug == 1 ? me->now.repeated : 0) >= links();
}

static void advance(struct node *me) {
    while (all_heard(me)) {
        finish_round(me);
        if (me->round > last_round()) {
            machine_announce(PLACED, .node = me->number, .distance = me->distance,
                             .parents = me->parents, .children = me->children);
            machine_goto("Done");
            return;
        }
        send_pulses(me);
    }
}

static void note(struct heard *heard, const struct pulse *pulse, uint8_t link) {
    if (heard->from & link) {
        heard->repeated = bug == 1;
        return;
    }
    heard->from |= link;
    if (pulse->asks)
        heard->asks |= link;
    if (pulse->is_child)
        heard->children |= link;
}

/* Returns true for a message of an earlier round, which is a second copy. No neighbour is two
 * rounds ahead. */
static bool is_old(const struct node *me, const struct pulse *pulse) {
    heddle_assert(pulse->round <= me->round + 1);
    return pulse->round < me->round;
}

static void hear(struct node *me, const struct pulse *pulse) {
    uint8_t link = bit(machine_sender() == me->to[0] ? 0 : 1);
    bool early = (pulse->round - me->round) % 2 != 0;
    if (is_old(me, pulse) && bug != 4)
        return;
    note(early ? &me->next : &me->now, pulse, link);
    if (early && pulse->asks && bug == 2)
        me->now.asks |= link;
    advance(me);
}

MACHINE(Node, START("Off", ON_GOTO(LINK, start, "On"), DEFER(PULSE)), STATE("On", ON(PULSE, hear)),
        STATE("Done", IGNORE(PULSE)));

/* --- the network ---------------------------------------------------------------------------- */

struct network {
    machine_id nodes[NODES_MAX];
};
DECLARE_MACHINE(Network, struct network);

static void build(struct network *me) {
    for (int i = 0; i < participants; i++)
        me->nodes[i] = machine_create(Node, .number = (uint8_t)i);
    for (int i = 0; i < participants; i++)
        machine_send(me->nodes[i], LINK,
                     .to = {me->nodes[node_at(i, 0)], me->nodes[node_at(i, 1)]});
    machine_halt();
}

MACHINE(Network, START("Building", ENTRY(build)));

/* --- monitor: all nodes have the right distance, and parents and children agree ------------- */

struct tree {
    struct place places[NODES_MAX];
    uint8_t placed;
};
DECLARE_MACHINE(Tree, struct tree);

static void placed(struct tree *me, const struct place *place) {
    int distance =
        place->node < participants - place->node ? place->node : participants - place->node;
    heddle_assert(place->distance == distance);
    heddle_assert(__builtin_popcount(place->parents) == (place->node != 0));
    me->places[place->node] = *place;
    me->placed++;
}

/* Returns the link by which the node at the other end sees this one. */
static int other_end(int link) {
    return links() == 1 ? 0 : 1 - link;
}

static void tree_is_whole(struct tree *me) {
    heddle_assert(me->placed == participants);
    for (int i = 0; i < participants; i++)
        for (int link = 0; link < links(); link++) {
            const struct place *other = &me->places[node_at(i, link)];
            bool is_parent = me->places[i].parents & bit(link);
            bool has_child = other->children & bit(other_end(link));
            heddle_assert(is_parent == has_child);
        }
}

MONITOR(Tree, AT_END(tree_is_whole), START("Placing", ON(PLACED, placed)));

int main(int argc, char **argv) {
    protocol_arguments(argc, argv, 2, NODES_MAX, 4);
    machine_watch(Tree);
    return machine_start(Network);
}
