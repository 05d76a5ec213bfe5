/* features.c - everything that a table or an action can express, once each. The machines write
 * words into one line, and main compares it when all machines are at rest. */
#include <heddle/machine.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char written[500];

static void say(const char *format, ...) {
    size_t used = strlen(written);
    va_list list;
    va_start(list, format);
    vsnprintf(written + used, sizeof written - used, format, list);
    va_end(list);
}

static void expect(const char *words) {
    if (strcmp(written, words) != 0) {
        fprintf(stderr, "expected: %s\nwritten:  %s\n", words, written);
        heddle_assert(!"the words are the same");
    }
    written[0] = 0;
}

struct empty {
    char nothing[0];
};

EVENT(NUMBER, int);
EVENT(LATER, int);
EVENT(NOISE);
EVENT(DOWN);
EVENT(UP);
EVENT(LEAVE);
EVENT(STOP);
EVENT(GO);

/* --- states: entry, exit, push, pop, goto, defer, ignore, halt --- */

DECLARE_MACHINE(Mover, struct empty);

static void base_in(void *me) {
    (void)me;
    say("base+ ");
}
static void base_out(void *me) {
    (void)me;
    say("base- ");
}
static void upper_in(void *me) {
    (void)me;
    say("upper+ ");
}
static void upper_out(void *me) {
    (void)me;
    say("upper- ");
}
static void other_in(void *me) {
    (void)me;
    say("other+ ");
}
static void number(void *me, const int *value) {
    (void)me;
    say("%d ", *value);
}
static void later(void *me, const int *value) {
    (void)me;
    say("later%d ", *value);
}
static void popping(void *me, const void *nothing) {
    (void)me, (void)nothing;
    say("pop ");
}
static void pushing(void *me, const void *nothing) {
    (void)me, (void)nothing;
    say("push ");
}
static void stop(void *me, const void *nothing) {
    (void)me, (void)nothing;
    say("stop");
    machine_halt();
}
MACHINE(Mover,
        START("Base", ENTRY(base_in), EXIT(base_out), ON(NUMBER, number), DEFER(LATER),
              ON_PUSH(DOWN, pushing, "Upper"), GOTO(LEAVE, "Other"), IGNORE(NOISE)),
        STATE("Upper", ENTRY(upper_in), EXIT(upper_out), ON_POP(UP, popping), PUSH(DOWN, "Upper")),
        STATE("Other", ENTRY(other_in), ON(LATER, later), ON(STOP, stop)));

DECLARE_MACHINE(Moves, struct empty);
static void send_moves(void *me) {
    (void)me;
    machine_id to = machine_create(Mover);
    machine_send(to, LATER, 7); /* deferred until state Other */
    machine_send(to, NUMBER, 1);
    machine_send(to, NOISE);
    machine_send(to, DOWN);
    machine_send(to, NUMBER, 2); /* handled by the state below */
    machine_send(to, LATER, 8);  /* deferred by the state below */
    machine_send(to, UP);
    machine_send(to, NUMBER, 3);
    machine_send(to, DOWN);
    machine_send(to, DOWN);
    machine_send(to, LEAVE); /* the state below goes, and all states above it with it */
    machine_send(to, STOP);
    machine_send(to, NUMBER, 4); /* no machine takes it */
}
MACHINE(Moves, START("Only", ENTRY(send_moves)));

static void test_moves(void) {
    machine_start(Moves);
    expect("base+ 1 push upper+ 2 pop upper- 3 push upper+ upper+ "
           "upper- upper- base- other+ later7 later8 stop");
}

/* --- actions: raise, goto, push, pop, halt --- */

DECLARE_MACHINE(Actor, struct empty);

static void go(void *me, const void *nothing) {
    (void)me, (void)nothing;
    say("go(%u) ", machine_sender());
    machine_raise(NUMBER, 5);
    say("raised ");
}
static void raised(void *me, const int *value) {
    (void)me;
    say("%d(%u) ", *value, machine_sender());
    if (*value == 5)
        machine_raise(NUMBER, 6);
    else if (*value == 6)
        machine_goto("Second");
}
static void second_in(void *me) {
    (void)me;
    say("second+ ");
    machine_push("Third");
}
static void third_in(void *me) {
    (void)me;
    say("third+ ");
    machine_raise(UP);
}
static void up(void *me, const void *nothing) {
    (void)me, (void)nothing;
    say("up ");
    machine_pop();
}
MACHINE(Actor, START("First", ON(GO, go), ON(NUMBER, raised)),
        STATE("Second", ENTRY(second_in), ON(NUMBER, number), ON(STOP, stop)),
        STATE("Third", ENTRY(third_in), ON(UP, up)));

DECLARE_MACHINE(Actions, struct empty);
static void send_actions(void *me) {
    (void)me;
    heddle_assert(machine_self() == 1 && machine_sender() == 0);
    machine_id to = machine_create(Actor);
    heddle_assert(to == 2);
    machine_send(to, GO);
    machine_send(to, NUMBER, 9);
    machine_send(to, STOP);
}
MACHINE(Actions, START("Only", ENTRY(send_actions)));

static void test_actions(void) {
    machine_start(Actions);
    expect("go(1) raised 5(0) 6(0) second+ third+ up 9 stop");
}

/* --- receive --- */

struct query {
    machine_id from;
    int value;
};
EVENT(QUERY, struct query);
EVENT(YES, int);
EVENT(NO, int);
EVENT(NEVER);

DECLARE_MACHINE(Oracle, struct empty);
static void decide(void *me, const struct query *query) {
    (void)me;
    machine_send(query->from, NUMBER, query->value); /* the asker does not receive this now */
    if (query->value % 2 == 0)
        machine_send(query->from, YES, query->value);
    else
        machine_send(query->from, NO, query->value);
}
MACHINE(Oracle, START("Only", ON(QUERY, decide)));

DECLARE_MACHINE(Asker, struct empty);
static void ask(void *me) {
    (void)me;
    machine_id oracle = machine_create(Oracle);
    for (int i = 1; i <= 3; i++) {
        machine_send(oracle, QUERY, .from = machine_self(), .value = i);
        const struct machine_message *reply = machine_receive(&YES, &NO);
        heddle_assert(reply->sender == oracle && *(const int *)reply->payload == i);
        say(reply->event == &YES ? "yes " : "no ");
    }
}
MACHINE(Asker, START("Only", ENTRY(ask), ON(NUMBER, number)));

static void test_receive(void) {
    machine_start(Asker);
    expect("no yes no 1 2 3 ");
}

/* The machine has an event, but waits for another one: for ever, in the middle of an action. */
DECLARE_MACHINE(Vain, struct empty);
static void ask_in_vain(void *me) {
    (void)me;
    machine_send(machine_self(), NUMBER, 4);
    say("asks");
    machine_receive(&NEVER, &NO);
    say(" and was told");
}
MACHINE(Vain, START("Only", ENTRY(ask_in_vain), ON(NUMBER, number)));

static void test_receive_in_vain(void) {
    machine_start(Vain);
    expect("asks");
}

/* --- a monitor, which sees sends and announcements --- */

struct told {
    int sum;
};
DECLARE_MACHINE(Listener, struct told);
static void hear(struct told *me, const int *value) {
    heddle_assert(machine_sender() == 1);
    say("%s%d ", machine_receiver() == 0 ? "announced" : "sent", *value);
    me->sum += *value;
}
static void hear_noise(struct told *me, const void *nothing) {
    (void)me, (void)nothing;
    say("noise ");
    machine_raise(STOP);
}
static void tell(struct told *me) {
    say("sum%d", me->sum);
}
MONITOR(Listener, AT_END(tell),
        START("Quiet", ENTRY(base_in), ON(NUMBER, hear), ON(NOISE, hear_noise), GOTO(STOP, "Loud")),
        STATE("Loud", ENTRY(other_in), IGNORE(NUMBER)));

DECLARE_MACHINE(Silent, struct empty);
static void halt(void *me) {
    (void)me;
    machine_halt();
}
MACHINE(Silent, START("Only", ENTRY(halt)));

DECLARE_MACHINE(Speaker, struct empty);
static void speak(void *me) {
    (void)me;
    machine_id silent = machine_create(Silent);
    machine_announce(NUMBER, 1);
    machine_send(silent, NUMBER, 2); /* the monitor sees it, although the receiver halts */
    machine_send(silent, LEAVE);     /* the monitor does not mention this event */
    machine_send(silent, NOISE);
    machine_send(silent, NUMBER, 4);
}
MACHINE(Speaker, START("Only", ENTRY(speak)));

static void test_monitor(void) {
    machine_watch(Listener, .sum = 10);
    say("main ");
    machine_start(Speaker);
    expect("main base+ announced1 sent2 noise other+ sum13");
}

int main(void) {
    heddle_assert(machine_self() == 0 && machine_sender() == 0 && machine_receiver() == 0);
    test_moves();
    test_actions();
    test_receive();
    test_receive_in_vain();
    test_monitor();
    puts("as expected");
    return 0;
}
