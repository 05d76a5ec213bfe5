/* ping_pong.c - clients ask a server a number of times, then halt. At the end the server waits for
 * ever. Two monitors check that only clients that asked are answered, and that each of them is
 * answered. All of this runs several times in one process. */
#include <heddle/machine.h>

#include <stdio.h>
#include <stdlib.h>

enum { CLIENTS_MAX = 16 };

struct ping {
    machine_id from;
    int number;
};
EVENT(PING, struct ping);
EVENT(PONG, int);
EVENT(CLIENT_DONE);

/* What the machines have done. main checks these counts. */
static int answered[CLIENTS_MAX], served, done, balance_at_end = -1;

struct client {
    machine_id server, parent;
    int index, left;
};
DECLARE_MACHINE(Client, struct client);

static void ask(struct client *me) {
    machine_send(me->server, PING, .from = machine_self(), .number = me->left);
}
static void take_answer(struct client *me, const int *number) {
    heddle_assert(*number == me->left);
    heddle_assert(machine_sender() == me->server);
    answered[me->index]++;
    if (--me->left > 0)
        return;
    machine_send(me->parent, CLIENT_DONE);
    machine_halt();
}
MACHINE(Client, START("Asking", ENTRY(ask), ON_GOTO(PONG, take_answer, "Asking")));

struct server {
    int nothing;
};
DECLARE_MACHINE(Server, struct server);

static void answer(struct server *me, const struct ping *ping) {
    (void)me;
    heddle_assert(machine_sender() == ping->from && machine_receiver() == 0);
    served++;
    machine_send(ping->from, PONG, ping->number);
}
MACHINE(Server, QUEUE(CLIENTS_MAX), START("Serving", ON(PING, answer)));

struct parent {
    int clients, rounds;
};
DECLARE_MACHINE(Parent, struct parent);

static void create_all(struct parent *me) {
    machine_id server = machine_create(Server);
    for (int i = 0; i < me->clients; i++)
        machine_create(Client, .server = server, .parent = machine_self(), .index = i,
                       .left = me->rounds);
}
static void count_done(struct parent *me, const void *nothing) {
    (void)me, (void)nothing;
    done++;
}
MACHINE(Parent, START("Only", ENTRY(create_all), ON(CLIENT_DONE, count_done)));

/* --- monitors --- */

struct balance {
    int open;
    bool asked[CLIENTS_MAX + 8];
};
DECLARE_MACHINE(Balance, struct balance);

static void see_ping(struct balance *me, const struct ping *ping) {
    heddle_assert(machine_self() == ping->from && machine_sender() == ping->from);
    heddle_assert(machine_receiver() != 0);
    heddle_assert(!me->asked[ping->from]);
    me->asked[ping->from] = true;
    me->open++;
}
static void see_pong(struct balance *me, const int *number) {
    (void)number;
    heddle_assert(me->asked[machine_receiver()]);
    me->asked[machine_receiver()] = false;
    me->open--;
}
static void check_balance(struct balance *me) {
    heddle_assert(machine_self() == 0 && machine_sender() == 0 && machine_receiver() == 0);
    balance_at_end = me->open;
}
MONITOR(Balance, AT_END(check_balance), START("Only", ON(PING, see_ping), ON(PONG, see_pong)));

/* A monitor that requires the first event to be a PING. */
struct first {
    int nothing;
};
DECLARE_MACHINE(First, struct first);
MONITOR(First, START("Before", GOTO(PING, "After")), STATE("After", IGNORE(PING), IGNORE(PONG)));

static void run(int clients, int rounds) {
    served = done = 0;
    balance_at_end = -1;
    for (int i = 0; i < CLIENTS_MAX; i++)
        answered[i] = 0;
    machine_watch(Balance);
    machine_watch(First);
    heddle_assert(machine_start(Parent, .clients = clients, .rounds = rounds) == 0);
    for (int i = 0; i < clients; i++)
        heddle_assert(answered[i] == rounds);
    heddle_assert(served == clients * rounds && done == clients && balance_at_end == 0);
}

int main(int count, char **words) {
    int times = count > 1 ? atoi(words[1]) : 1, rounds = count > 2 ? atoi(words[2]) : 20;
    for (int i = 0; i < times; i++)
        run(1 + i % CLIENTS_MAX, rounds);
    puts("all answered");
    return 0;
}
