/* wrong.c - each possible error, by its name: the program prints one line and aborts. */
#include <heddle/machine.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>

EVENT(GO);
EVENT(OTHER, int);

struct empty {
    char nothing[0];
};

static const char *way;
static bool is(const char *name) {
    return strcmp(way, name) == 0;
}

/* --- wrong tables --- */

DECLARE_MACHINE(NoQueue, struct empty);
MACHINE(NoQueue, QUEUE(0), START("A"));
DECLARE_MACHINE(LongQueue, struct empty);
MACHINE(LongQueue, QUEUE(MACHINE_QUEUE_MAX + 1), START("A"));
DECLARE_MACHINE(TwoStarts, struct empty);
MACHINE(TwoStarts, START("A"), START("B"));
DECLARE_MACHINE(TwoNames, struct empty);
MACHINE(TwoNames, START("A"), STATE("A"));
DECLARE_MACHINE(NoTarget, struct empty);
MACHINE(NoTarget, START("A", GOTO(GO, "B")));
DECLARE_MACHINE(TwoRows, struct empty);
MACHINE(TwoRows, START("A", IGNORE(GO), DEFER(GO)));
DECLARE_MACHINE(Deferring, struct empty);
MONITOR(Deferring, START("A", DEFER(GO)));

/* --- monitors --- */

DECLARE_MACHINE(Looker, struct empty);
DECLARE_MACHINE(Victim, struct empty);

static void look(void *me, const void *nothing) {
    (void)me, (void)nothing;
    if (is("monitor sends"))
        machine_send(1, GO);
    if (is("monitor creates"))
        machine_create(Victim);
    if (is("monitor receives"))
        machine_receive(&GO);
    if (is("monitor announces"))
        machine_announce(GO);
    if (is("monitor asserts"))
        heddle_assert(machine_sender() == 7);
    if (is("monitor halts"))
        machine_halt();
    if (is("monitor moves")) /* and has no row for the next event */
        machine_goto("Deaf");
}
static void at_end(void *me) {
    (void)me;
    if (is("end moves"))
        machine_goto("Deaf");
    if (is("end asserts"))
        heddle_assert(false);
    heddle_assert(!is("monitor halts")); /* a monitor that halts does not see the end */
}
MONITOR(Looker, AT_END(at_end), START("Looking", ON(GO, look), IGNORE(OTHER)),
        STATE("Deaf", IGNORE(OTHER)));

/* --- machines: the victim, which gets GO --- */

static void *send_from_thread(void *to) {
    machine_send(*(machine_id *)to, GO);
    return NULL;
}
static void call_from_thread(void) {
    pthread_t thread;
    machine_id self = machine_self();
    pthread_create(&thread, NULL, send_from_thread, &self);
    pthread_join(thread, NULL);
}
static void move(void) {
    if (is("raises unhandled"))
        machine_raise(OTHER, 1);
    if (is("pops too much"))
        machine_pop();
    if (is("unknown state"))
        machine_goto("Nowhere");
    if (is("two moves")) {
        machine_halt();
        machine_goto("Going");
    }
    if (is("endless moves"))
        machine_goto("Endless");
    if (is("endless raises"))
        machine_raise(GO);
    if (is("endless pushes"))
        machine_push("Pushing");
    if (is("moves on leaving"))
        machine_goto("Leaving");
    if (is("moves twice"))
        machine_goto("Twice");
}
static void send(void) {
    if (is("monitor moves"))
        machine_send(machine_self(), GO);
    if (is("unhandled"))
        machine_send(machine_self(), OTHER, 1);
    if (is("queue is full"))
        for (int i = 0; i < 4; i++)
            machine_send(machine_self(), GO);
    if (is("channel is full"))
        for (int i = 0; i < 3; i++)
            machine_send_over((&(struct machine_channel){.bound = 2}), machine_self(), GO);
    if (is("channel is wide"))
        for (int i = 0; i < 4; i++)
            machine_send_over((&(struct machine_channel){.bound = 10, .full = MACHINE_FULL_DROPS}),
                              machine_self(), GO);
    if (is("sends to nobody"))
        machine_send(0, GO);
    if (is("sends too far"))
        machine_send(2, GO);
    if (is("sends other bytes"))
        machine_send_at(NULL, 1, &OTHER, "", 1);
    if (is("announces other bytes"))
        machine_announce_at(&OTHER, "", 1);
    if (is("raises other bytes"))
        machine_raise_at(&OTHER, "", 1);
}
static void act(void *me, const void *nothing) {
    (void)me, (void)nothing;
    move();
    send();
    if (is("creates monitor"))
        machine_create(Looker);
    if (is("creates wrong table"))
        machine_create(NoTarget);
    if (is("starts within"))
        machine_start(Victim);
    if (is("watches within"))
        machine_watch(Looker);
    if (is("asserts"))
        heddle_assert(machine_self() == 0);
    if (is("thread sends"))
        call_from_thread();
}
static void send_go(void *me) {
    (void)me;
    machine_send(machine_self(), GO);
}
static void go_on(void *me) {
    (void)me;
    machine_goto("Endless");
}
static void push_on(void *me) {
    (void)me;
    machine_push("Pushing");
}
static void go_elsewhere(void *me) {
    (void)me;
    machine_goto("Going");
}
static void move_twice(void *me, const void *nothing) {
    (void)nothing;
    go_elsewhere(me);
}
MACHINE(Victim, QUEUE(3), START("Going", ENTRY(send_go), ON(GO, act)),
        STATE("Endless", ENTRY(go_on)), STATE("Pushing", ENTRY(push_on)),
        STATE("Leaving", ENTRY(send_go), EXIT(go_elsewhere), GOTO(GO, "Going")),
        STATE("Twice", ENTRY(send_go), ON_GOTO(GO, move_twice, "Going")));

/* --- main --- */

static void call_from_main(void) {
    if (is("main sends"))
        machine_send(1, GO);
    if (is("main creates"))
        machine_create(Victim);
    if (is("main receives"))
        machine_receive(&GO);
    if (is("main raises"))
        machine_raise(GO);
    if (is("main announces"))
        machine_announce(GO);
    if (is("main moves"))
        machine_goto("Going");
    if (is("main halts"))
        machine_halt();
    if (is("watches machine"))
        machine_watch(Victim);
    if (is("starts monitor"))
        machine_start(Looker);
    while (is("too many monitors"))
        machine_watch(Looker);
}

static void start_wrong_table(void) {
    if (is("queue of none"))
        machine_start(NoQueue);
    if (is("queue too long"))
        machine_start(LongQueue);
    if (is("two starts"))
        machine_start(TwoStarts);
    if (is("two names"))
        machine_start(TwoNames);
    if (is("no target"))
        machine_start(NoTarget);
    if (is("two rows"))
        machine_start(TwoRows);
    if (is("monitor defers"))
        machine_watch(Deferring);
}

int main(int count, char **words) {
    way = count > 1 ? words[1] : "";
    call_from_main();
    start_wrong_table();
    if (strncmp(way, "monitor", 7) == 0 || strncmp(way, "end ", 4) == 0)
        machine_watch(Looker);
    machine_start(Victim);
    puts("nothing was wrong");
    return 0;
}
