/* many.c - many machines, most of which have halted. A token goes round a ring. Then there is a
 * chain of machines, each of which creates the next one and halts. */
#include <heddle/machine.h>

#include <stdio.h>

enum { RING = 50, ROUNDS = 40, CHAIN = 3000 };

static int moves, links;

EVENT(TOKEN, int); /* the number of moves left */
EVENT(NEXT, machine_id);

struct node {
    machine_id next;
};
DECLARE_MACHINE(Node, struct node);
static void know_next(struct node *me, const machine_id *next) {
    me->next = *next;
}
static void pass(struct node *me, const int *left) {
    moves++; /* only the machine that has the token writes to this counter */
    if (*left > 0)
        machine_send(me->next, TOKEN, *left - 1);
}
MACHINE(Node, START("Alone", ON_GOTO(NEXT, know_next, "InRing"), DEFER(TOKEN)),
        STATE("InRing", ON(TOKEN, pass)));

struct empty {
    char nothing[0];
};
DECLARE_MACHINE(Ring, struct empty);
static void make_ring(void *me) {
    (void)me;
    machine_id first = machine_create(Node), last = first;
    machine_send(first, TOKEN, RING * ROUNDS);
    for (int i = 1; i < RING; i++) {
        machine_id next = machine_create(Node);
        machine_send(last, NEXT, next);
        last = next;
    }
    machine_send(last, NEXT, first);
}
MACHINE(Ring, START("Only", ENTRY(make_ring)));

struct link {
    int left;
};
DECLARE_MACHINE(Link, struct link);
static void add_link(struct link *me) {
    links++;
    if (me->left > 0)
        machine_create(Link, .left = me->left - 1);
    machine_halt();
}
MACHINE(Link, START("Only", ENTRY(add_link)));

int main(void) {
    machine_start(Ring);
    heddle_assert(moves == RING * ROUNDS + 1);
    machine_start(Link, .left = CHAIN);
    heddle_assert(links == CHAIN + 1);
    puts("all came round");
    return 0;
}
