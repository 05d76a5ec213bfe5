/* lcr.c - leader election in a ring, after Le Lann, Chang and Roberts.
 *
 * Each process sends its number to its neighbour. A process passes a number on if it is greater
 * than its own, and drops it if it is smaller. If its own number comes back, the process is the
 * leader. The ring is built in descending order, the worst case: the number of process i travels i
 * + 1 hops.
 *
 * correct: 2 3 4 5 6 7
 * bug 1 assertion at 3: a smaller number is passed on too, so that more than one number goes round
 *     the ring. Any schedule shows it.
 * bug 2 assertion at 2: a process that does not know its neighbour yet ignores numbers instead of
 *     keeping them for later. The greatest number comes to such a process and never goes round. No
 *     leader is elected. */
#include "protocol.h"

enum { PROCESSES_MAX = 16 };

struct number {
    uint8_t number;
};
EVENT(NUMBER, struct number);
struct neighbour {
    machine_id next;
};
EVENT(NEIGHBOUR, struct neighbour);
EVENT(LEADER, struct number);

/* --- a process ------------------------------------------------------------------------------ */

struct process {
    machine_id next;
    uint8_t number;
};
DECLARE_MACHINE(Process, struct process);
DECLARE_MACHINE(HastyProcess, struct process);

static void join_ring(struct process *me, const struct neighbour *neighbour) {
    me->next = neighbour->next;
    machine_send(me->next, NUMBER, .number = me->number);
}

static void hear(struct process *me, const struct number *heard) {
    if (heard->number == me->number)
        machine_announce(LEADER, .number = me->number);
    else if (heard->number > me->number || bug == 1)
        machine_send(me->next, NUMBER, .number = heard->number);
}

MACHINE(Process, START("Alone", ON_GOTO(NEIGHBOUR, join_ring, "Ring"), DEFER(NUMBER)),
        STATE("Ring", ON(NUMBER, hear)));

MACHINE(HastyProcess, /* bug 2 */
        START("Alone", ON_GOTO(NEIGHBOUR, join_ring, "Ring"), IGNORE(NUMBER)),
        STATE("Ring", ON(NUMBER, hear)));

/* --- the ring ------------------------------------------------------------------------------- */

struct ring {
    machine_id processes[PROCESSES_MAX];
};
DECLARE_MACHINE(Ring, struct ring);

static void build(struct ring *me) {
    for (int i = 0; i < participants; i++) {
        uint8_t number = (uint8_t)(participants - i);
        me->processes[i] = bug == 2 ? machine_create(HastyProcess, .number = number)
                                    : machine_create(Process, .number = number);
    }
    for (int i = 0; i < participants; i++)
        machine_send(me->processes[i], NEIGHBOUR, .next = me->processes[(i + 1) % participants]);
    machine_halt();
}

MACHINE(Ring, START("Building", ENTRY(build)));

/* --- monitor: exactly one leader, which has the greatest number ----------------------------- */

struct one_leader {
    uint8_t leaders;
};
DECLARE_MACHINE(OneLeader, struct one_leader);

static void elected(struct one_leader *me, const struct number *leader) {
    heddle_assert(++me->leaders == 1);
    heddle_assert(leader->number == participants);
}

static void there_is_one(struct one_leader *me) {
    heddle_assert(me->leaders == 1);
}

MONITOR(OneLeader, AT_END(there_is_one), START("Waiting", ON(LEADER, elected)));

int main(int argc, char **argv) {
    protocol_arguments(argc, argv, 2, PROCESSES_MAX, 2);
    machine_watch(OneLeader);
    return machine_start(Ring);
}
