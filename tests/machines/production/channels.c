/* channels.c - full queues: which events are dropped, which senders wait, and for how long. */
#include <heddle/machine.h>

#include <stdio.h>

enum { PRODUCERS = 4, ITEMS = 200 };

struct item {
    int producer, number;
};
EVENT(ITEM, struct item);
EVENT(GO);

static int taken, passed; /* the number of items taken, and of producers that came to their end */

struct consumer {
    bool waits;      /* the consumer waits for GO before it takes an item */
    int halts_after; /* the number of items after which it halts, or 0 for never */
    int next[PRODUCERS];
};
DECLARE_MACHINE(Consumer, struct consumer);

static void wait_for_go(struct consumer *me) {
    if (me->waits)
        machine_receive(&GO);
}
static void take(struct consumer *me, const struct item *item) {
    heddle_assert(item->number >= me->next[item->producer]); /* items of one sender come in order */
    me->next[item->producer] = item->number + 1;
    if (++taken == me->halts_after)
        machine_halt();
}
MACHINE(Consumer, QUEUE(100), START("Only", ENTRY(wait_for_go), ON(ITEM, take)));

struct producer {
    struct machine_channel channel;
    machine_id to;
    int index, items;
    bool says_go;
};
DECLARE_MACHINE(Producer, struct producer);

static void produce(struct producer *me) {
    for (int i = 0; i < me->items; i++)
        machine_send_over(&me->channel, me->to, ITEM, .producer = me->index, .number = i);
    if (me->says_go)
        machine_send(me->to, GO);
    __atomic_add_fetch(&passed, 1, __ATOMIC_SEQ_CST);
}
MACHINE(Producer, START("Only", ENTRY(produce)));

struct scene {
    struct machine_channel channel;
    struct consumer consumer;
    int producers, items;
    bool says_go;
};
DECLARE_MACHINE(Scene, struct scene);

static void set(struct scene *me) {
    machine_id to = machine_create_at(&Consumer, &me->consumer);
    for (int i = 0; i < me->producers; i++)
        machine_create(Producer, .channel = me->channel, .to = to, .index = i, .items = me->items,
                       .says_go = me->says_go);
}
MACHINE(Scene, START("Only", ENTRY(set)));

#define play(...) (taken = passed = 0, (void)machine_start(Scene, __VA_ARGS__))

int main(void) {
    /* The queue holds three events, so seven of ten are dropped. */
    play(.channel = {.bound = 3, .full = MACHINE_FULL_DROPS}, .consumer = {.waits = true},
         .producers = 1, .items = 10, .says_go = true);
    heddle_assert(taken == 3 && passed == 1);

    /* Without a number, the bound is that of the receiver's queue. Further events are dropped, or
     * the sender waits. */
    play(.channel = {.full = MACHINE_FULL_DROPS}, .consumer = {.waits = true}, .producers = 1,
         .items = 101);
    heddle_assert(taken == 0 && passed == 1);
    play(.channel = {.full = MACHINE_FULL_BLOCKS}, .consumer = {.waits = true}, .producers = 1,
         .items = 100);
    heddle_assert(taken == 0 && passed == 1);
    play(.channel = {.full = MACHINE_FULL_BLOCKS}, .consumer = {.waits = true}, .producers = 1,
         .items = 101);
    heddle_assert(taken == 0 && passed == 0);

    /* The senders wait, and all events arrive: nothing is lost or duplicated. */
    play(.channel = {.bound = 2, .full = MACHINE_FULL_BLOCKS, .loses = true, .doubles = true},
         .producers = PRODUCERS, .items = ITEMS);
    heddle_assert(taken == PRODUCERS * ITEMS && passed == PRODUCERS);

    /* The receiver waits for a GO that its sender would send after its items, and the sender waits
     * for room. Neither can go on. */
    play(.channel = {.bound = 5, .full = MACHINE_FULL_BLOCKS}, .consumer = {.waits = true},
         .producers = 1, .items = 6, .says_go = true);
    heddle_assert(taken == 0 && passed == 0);
    play(.channel = {.bound = 5, .full = MACHINE_FULL_BLOCKS}, .consumer = {.waits = true},
         .producers = 1, .items = 5, .says_go = true);
    heddle_assert(taken == 5 && passed == 1);

    /* When a receiver halts, the senders that wait for it go on. */
    play(.channel = {.bound = 1, .full = MACHINE_FULL_BLOCKS}, .consumer = {.halts_after = 10},
         .producers = PRODUCERS, .items = ITEMS);
    heddle_assert(taken == 10 && passed == PRODUCERS);
    puts("as expected");
    return 0;
}
