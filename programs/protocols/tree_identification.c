/* tree_identification.c - which node is the root of the bus: tree identification of IEEE 1394.
 *
 * The nodes are wired as a tree (node i > 0 to node (i - 1) / 2). Each one knows its own ports and
 * nothing else. A node that all neighbours but one have asked asks that one to be its parent, and
 * waits for the answer. A node that all neighbours have asked before it asks itself is the root. If
 * two nodes ask each other, this is root contention: both withdraw, toss a coin, wait for a short
 * or a long time, and ask again unless the other one has asked in the meantime. Once, at any time,
 * a cable is pulled and plugged in again. This is a bus reset, which spreads from node to node, and
 * all nodes start again. Messages that are still on their way belong to the old generation.
 *
 * Times are not modelled. A short wait is over at once. A long wait is over when the clock says so,
 * before or after the question of the other node. After ROUNDS contentions the coins show different
 * sides, and the long wait is long enough.
 *
 * correct: 2 3 4
 * bug 1 assertion at 2: a node that asks a neighbour and is asked by it takes the neighbour for a
 *     child. There is no contention, and each is the other's parent. Both ask before either hears.
 * bug 2 unhandled-event at 2: the clock is not stopped when the other node's question ends the
 *     wait. After a contention the coins differ, the question comes, and then the clock's message
 *     comes to a root.
 * bug 3 unhandled-event at 2: answers do not carry their generation. A node asks, is reset and asks
 *     again. The answer to the first question is taken for the answer to the second one. The real
 *     answer then comes to a node that has a parent.
 * bug 4 assertion at 3: a node is ready, because it has heard from one child, and is reset before
 *     it asks. It does not notice that it was ready in the old generation, and asks before the
 *     others do. */
#include "protocol.h"

enum { NODES_MAX = 8, PORTS_MAX = 3, ROUNDS = 1, LAST_GENERATION = 1 };

struct tag {
    uint8_t generation;
};
EVENT(BUS_RESET, struct tag);
EVENT(PARENT_NOTIFY, struct tag); /* the sender asks the receiver to be its parent */
EVENT(CHILD_NOTIFY, struct tag);  /* the answer: the sender is the parent */
/* From a node to itself: all neighbours but one have asked, and these questions are handled. */
EVENT(READY, struct tag);
EVENT(WAIT, struct tag);
EVENT(WAITED, struct tag);
struct place {
    uint8_t node, parent, generation; /* the root is its own parent */
};
EVENT(PLACED, struct place);

/* --- a node --------------------------------------------------------------------------------- */

struct node {
    machine_id ports[PORTS_MAX];
    machine_id clock;
    uint8_t number, degree, generation;
    uint8_t children; /* one bit for each port that has asked */
    uint8_t asked;    /* the port of the neighbour that it has asked to be its parent */
    uint8_t round;    /* the number of contentions so far */
};
DECLARE_MACHINE(Node, struct node);
DECLARE_MACHINE(UnstoppedNode, struct node); /* bug 2 */
DECLARE_MACHINE(HastyNode, struct node);     /* bug 4 */

static uint8_t number_at(const struct node *me, uint8_t port) {
    if (me->number == 0)
        return (uint8_t)(port + 1);
    return (uint8_t)(port == 0 ? (me->number - 1) / 2 : 2 * me->number + port);
}

static uint8_t port_of(const struct node *me, machine_id neighbour) {
    uint8_t port = 0;
    while (me->ports[port] != neighbour)
        port++;
    return port;
}

static int children(const struct node *me) {
    return __builtin_popcount(me->children);
}

/* The node has its place. It clears the values that led to it, so that equal states are
 * recognised. */
static void settle(struct node *me, uint8_t parent) {
    me->children = me->asked = me->round = 0;
    machine_announce(PLACED, .node = me->number, .parent = parent, .generation = me->generation);
}

static void ready_if_one_is_left(const struct node *me) {
    if (children(me) == me->degree - 1)
        machine_send(machine_self(), READY, .generation = me->generation);
}

static machine_id create_node(const struct node *me, int number) {
    uint8_t named = (uint8_t)number;
    machine_id self = machine_self();
    if (bug == 2)
        return machine_create(UnstoppedNode, .ports = {self}, .clock = me->clock, .number = named);
    if (bug == 4)
        return machine_create(HastyNode, .ports = {self}, .clock = me->clock, .number = named);
    return machine_create(Node, .ports = {self}, .clock = me->clock, .number = named);
}

/* Power comes over the cable: a node that has it switches on the nodes after it. */
static void power_on(struct node *me) {
    me->degree = me->number > 0;
    for (int i = 2 * me->number + 1; i <= 2 * me->number + 2 && i < participants; i++)
        me->ports[me->degree++] = create_node(me, i);
    ready_if_one_is_left(me);
    machine_goto("Collecting");
}

/* Links keep the order of messages, so a reset always comes before the messages of its
 * generation. */
static bool is_stale(const struct node *me, const struct tag *tag) {
    heddle_assert(tag->generation <= me->generation);
    return tag->generation < me->generation;
}

static void accept_child(struct node *me) {
    me->children |= (uint8_t)(1 << port_of(me, machine_sender()));
    machine_send(machine_sender(), CHILD_NOTIFY, .generation = me->generation);
}

static void asked_while_collecting(struct node *me, const struct tag *tag) {
    if (is_stale(me, tag))
        return;
    accept_child(me);
    ready_if_one_is_left(me);
}

static void be_root(struct node *me) {
    settle(me, me->number);
    machine_goto("Root");
}

static void ask(struct node *me) {
    for (me->asked = 0; me->children >> me->asked & 1; me->asked++)
        ;
    machine_send(me->ports[me->asked], PARENT_NOTIFY, .generation = me->generation);
    machine_goto("Asking");
}

static void ready(struct node *me, const struct tag *tag) {
    if (bug != 4 && is_stale(me, tag))
        return;
    if (children(me) == me->degree)
        be_root(me);
    else
        ask(me);
}

static void answered(struct node *me, const struct tag *tag) {
    if (bug != 3 && is_stale(me, tag))
        return;
    settle(me, number_at(me, me->asked));
    machine_goto("Child");
}

/* Tosses the coin. In the last round the coins differ: the neighbour nearer to node 0 waits
 * long. */
static bool waits_long(struct node *me) {
    if (me->round++ < ROUNDS)
        return heddle_choose(2) == 1;
    return number_at(me, me->asked) > me->number;
}

static void contend(struct node *me) {
    if (!waits_long(me)) {
        ask(me);
        return;
    }
    if (me->round <= ROUNDS)
        machine_send(me->clock, WAIT, .generation = me->generation);
    machine_goto("Contending");
}

static void asked_while_asking(struct node *me, const struct tag *tag) {
    if (is_stale(me, tag))
        return;
    /* All other neighbours have asked before. */
    heddle_assert(machine_sender() == me->ports[me->asked]);
    if (bug == 1)
        accept_child(me);
    else
        contend(me);
}

/* The other machines leave this case to the tool, as an unhandled event. For bug 4 it is an
 * assertion. */
static void asked_too_late(struct node *me, const struct tag *tag) {
    heddle_assert(is_stale(me, tag));
}

static void asked_while_contending(struct node *me, const struct tag *tag) {
    if (is_stale(me, tag))
        return;
    accept_child(me);
    be_root(me);
}

static void waited(struct node *me, const struct tag *tag) {
    if (!is_stale(me, tag))
        ask(me);
}

/* Forgets everything, and passes the reset on to all ports except the one where it came from. */
static void reset(struct node *me, const struct tag *tag) {
    me->generation = tag->generation;
    me->children = me->asked = me->round = 0;
    for (int i = 0; i < me->degree; i++)
        if (me->ports[i] != machine_sender())
            machine_send(me->ports[i], BUS_RESET, .generation = me->generation);
    ready_if_one_is_left(me);
}

/* A node that has found its place has heard from all ports in this generation. So no old message
 * can come any more, except from the clock. */
#define UNPLACED_STATES(...) \
    START("Off", ENTRY(power_on)), \
        STATE("Collecting", ON(PARENT_NOTIFY, asked_while_collecting), ON(READY, ready), \
              ON(BUS_RESET, reset), IGNORE(CHILD_NOTIFY), IGNORE(WAITED)), \
        STATE("Asking", ON(PARENT_NOTIFY, asked_while_asking), ON(CHILD_NOTIFY, answered), \
              RESTART, IGNORE(WAITED) __VA_OPT__(, ) __VA_ARGS__), \
        STATE("Contending", ON(PARENT_NOTIFY, asked_while_contending), ON(WAITED, waited), \
              RESTART __VA_OPT__(, ) __VA_ARGS__)
#define RESTART ON_GOTO(BUS_RESET, reset, "Collecting")

MACHINE(Node, UNPLACED_STATES(), STATE("Child", RESTART, IGNORE(WAITED)),
        STATE("Root", RESTART, IGNORE(WAITED)));
MACHINE(UnstoppedNode, UNPLACED_STATES(), STATE("Child", RESTART, IGNORE(WAITED)),
        STATE("Root", RESTART));
MACHINE(HastyNode, UNPLACED_STATES(IGNORE(READY)),
        STATE("Child", RESTART, IGNORE(WAITED), IGNORE(READY), ON(PARENT_NOTIFY, asked_too_late)),
        STATE("Root", RESTART, IGNORE(WAITED), IGNORE(READY), ON(PARENT_NOTIFY, asked_too_late)));

/* --- the clock of all nodes ----------------------------------------------------------------- */

struct clock {
    char nothing[0];
};
DECLARE_MACHINE(Clock, struct clock);

static void strike(struct clock *me, const struct tag *tag) {
    (void)me;
    machine_send(machine_sender(), WAITED, .generation = tag->generation);
}

MACHINE(Clock, START("Ticking", ON(WAIT, strike)));

/* --- the bus, and its reset ----------------------------------------------------------------- */

struct bus {
    char nothing[0];
};
DECLARE_MACHINE(Bus, struct bus);

static machine_id create_first(machine_id clock) {
    if (bug == 2)
        return machine_create(UnstoppedNode, .clock = clock);
    if (bug == 4)
        return machine_create(HastyNode, .clock = clock);
    return machine_create(Node, .clock = clock);
}

/* The last messages of this machine may arrive at any time. */
static void build(struct bus *me) {
    (void)me;
    machine_id first = create_first(machine_create(Clock));
    machine_send(first, BUS_RESET, .generation = LAST_GENERATION);
    machine_halt();
}

MACHINE(Bus, START("Building", ENTRY(build)));

/* --- monitor: one root, and all nodes lead to it -------------------------------------------- */

struct one_tree {
    uint8_t generation;
    uint8_t roots;
    uint8_t parents[NODES_MAX]; /* the parent of each node, plus 1 */
};
DECLARE_MACHINE(OneTree, struct one_tree);

static void placed(struct one_tree *me, const struct place *place) {
    if (place->generation < me->generation)
        return;
    if (place->generation > me->generation)
        *me = (struct one_tree){.generation = place->generation};
    heddle_assert(me->parents[place->node] == 0);
    me->parents[place->node] = (uint8_t)(place->parent + 1);
    if (place->node == place->parent)
        heddle_assert(++me->roots == 1);
}

static void all_lead_to_the_root(struct one_tree *me) {
    heddle_assert(me->generation == LAST_GENERATION && me->roots == 1);
    for (int i = 0; i < participants; i++) {
        int at = i;
        for (int steps = 0; steps < participants && me->parents[at] > 0; steps++)
            at = me->parents[at] - 1;
        heddle_assert(me->parents[at] == at + 1);
    }
}

MONITOR(OneTree, AT_END(all_lead_to_the_root), START("Placing", ON(PLACED, placed)));

int main(int argc, char **argv) {
    protocol_arguments(argc, argv, 2, NODES_MAX, 4);
    machine_watch(OneTree);
    return machine_start(Bus);
}
