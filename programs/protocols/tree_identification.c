/* tree_identification.c - who is the root of the bus: tree identification of IEEE 1394.
 *
 * Nodes are wired to a tree (node i > 0 to node (i - 1) / 2) and know their ports, nothing else.
 * Who has been asked by all neighbours but one asks that one to be its parent, and waits for the
 * answer. Who has been asked by all of them before it asks itself is the root. If two ask each
 * other, that is root contention: both withdraw, throw a coin, wait a short or a long time, and ask
 * again, unless the other has asked meanwhile. Somebody pulls and plugs a cable once, at any time:
 * a bus reset, which spreads from node to node, and all begin anew. What is still under way belongs
 * to the old generation.
 *
 * Times are not known here: a short wait is over at once, a long one when the clock says so, be
 * that earlier or later than the question of the other. After ROUNDS contentions the coin shows
 * different sides, and the long wait is long enough.
 *
 * correct: 2 3 4
 * bug 1 assertion at 2: who asks and is asked by the same neighbour takes it for a child: no
 *     contention, and each is the other's parent. Both ask before either hears.
 * bug 2 unhandled-event at 2: the clock is not stopped when the other's question ends the wait.
 *     Contention, the coins differ, the question comes, then the clock strikes at a root.
 * bug 3 unhandled-event at 2: answers do not tell their generation. A node asks, is reset and asks
 *     again; the answer to the first question is taken for that to the second, whose own comes to a
 *     node that has a parent.
 * bug 4 assertion at 3: who is ready, having heard of one child, is reset before it asks; it does
 *     not ask itself whether it was ready in the old generation, and asks before the others do.
 */
#include "protocol.h"

enum { NODES_MAX = 8, PORTS_MAX = 3, ROUNDS = 1, LAST_GENERATION = 1 };

struct tag {
    uint8_t generation;
};
EVENT(BUS_RESET, struct tag);
EVENT(PARENT_NOTIFY, struct tag); /* be my parent */
EVENT(CHILD_NOTIFY, struct tag);  /* I am */
EVENT(READY, struct tag);         /* to itself: all but one have asked, and that is worked off */
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
    uint8_t children; /* a bit for each port that asked */
    uint8_t asked;    /* the port of the parent-to-be */
    uint8_t round;    /* of contention */
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

/* It forgets how it came to this. */
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

/* Current comes over the cable: who has it switches on those behind it. */
static void power_on(struct node *me) {
    me->degree = me->number > 0;
    for (int i = 2 * me->number + 1; i <= 2 * me->number + 2 && i < participants; i++)
        me->ports[me->degree++] = create_node(me, i);
    ready_if_one_is_left(me);
    machine_goto("Collecting");
}

/* Links are in order, so that a new generation comes with a reset in front of it. */
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

/* The coin, which in the end is fair to somebody: that is the neighbour nearer to node 0. */
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
    heddle_assert(machine_sender() == me->ports[me->asked]); /* the others have, before */
    if (bug == 1)
        accept_child(me);
    else
        contend(me);
}

/* What the others leave to the tool is an assertion where it is the mistake (bug 4). */
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

/* What was is forgotten; the news goes on, but not where they came from. */
static void reset(struct node *me, const struct tag *tag) {
    me->generation = tag->generation;
    me->children = me->asked = me->round = 0;
    for (int i = 0; i < me->degree; i++)
        if (me->ports[i] != machine_sender())
            machine_send(me->ports[i], BUS_RESET, .generation = me->generation);
    ready_if_one_is_left(me);
}

/* Whoever has found its place has heard of this generation from all ports: nothing old can come,
 * but from the clock. */
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

/* --- the bus, and who resets it ------------------------------------------------------------- */

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

/* What it sends last may come at any time. */
static void build(struct bus *me) {
    (void)me;
    machine_id first = create_first(machine_create(Clock));
    machine_send(first, BUS_RESET, .generation = LAST_GENERATION);
    machine_halt();
}

MACHINE(Bus, START("Building", ENTRY(build)));

/* --- one root, and all lead there ----------------------------------------------------------- */

struct one_tree {
    uint8_t generation;
    uint8_t roots;
    uint8_t parents[NODES_MAX]; /* plus 1 */
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
