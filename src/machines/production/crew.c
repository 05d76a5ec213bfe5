/* crew.c - see crew.h.
 *
 * Machines are found by their number without a lock: their records stand in blocks that do not
 * move. The record of a halted machine, some 300 bytes, stays, so that events for it can be
 * forgotten. Its thread is joined when the next machine is created. So a program that creates
 * machines for ever runs out of numbers, but not of threads. */
#include "machines/production/crew.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "machines/production/census.h"
#include "machines/production/runner.h"
#include "machines/production/tables.h"

enum { BLOCK_MEMBERS = 256, BLOCKS_MAX = 1 << 14 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* for creation, and for `ended` */
static struct member *blocks[BLOCKS_MAX];
static atomic_uint member_count; /* machines 1 .. member_count are in the blocks */
static struct member *ended;

static struct member *member_at(uint32_t index) {
    return &blocks[index / BLOCK_MEMBERS][index % BLOCK_MEMBERS];
}

struct member *crew_find(machine_id id) {
    uint32_t count = atomic_load_explicit(&member_count, memory_order_acquire);
    return id == 0 || id > count ? NULL : member_at(id - 1);
}

/* --- the life of a machine ------------------------------------------------------------------ */

static bool likes(const void *machine, const struct machine_event *event) {
    const struct machine_row *row = machine_row_for(machine, event);
    return row == NULL ||
           row->kind != MACHINE_ROW_DEFER; /* no row: the event is taken, and is a fault */
}

static void react(struct member *self, struct runner *runner) {
    runner_react(runner, &self->at_hand->content, 0);
    free(self->at_hand);
    free(self->received);
    self->at_hand = self->received = NULL;
}

/* The last act of a machine: once all machines rest, the records are given back. */
static void retire(struct member *self) {
    inbox_halt(&self->inbox);
    free(self->memory);
    self->memory = NULL;
    pthread_mutex_lock(&lock);
    self->next = ended;
    ended = self;
    pthread_mutex_unlock(&lock);
    census_rest();
}

static void *live(void *member) {
    struct member *self = member;
    struct runner runner;
    runner_init(&runner, &self->machine, self->memory);
    runner.member = self;
    runner.id = self->id;
    runner_switch(&runner);
    reaction_start(&runner.reaction);
    while (!self->machine.halted) {
        self->at_hand = inbox_take(&self->inbox, likes, &self->machine);
        if (self->at_hand == NULL)
            return NULL;
        react(self, &runner);
    }
    retire(self);
    return NULL;
}

void crew_leave(void) {
    runner_switch(NULL); /* the frame of the runner is about to go */
    pthread_exit(NULL);
}

/* --- creation ------------------------------------------------------------------------------- */

/* Joins the threads of machines that have halted. They end at once. */
static void reap(void) {
    pthread_mutex_lock(&lock);
    struct member *list = ended;
    ended = NULL;
    pthread_mutex_unlock(&lock);
    for (; list != NULL; list = list->next) {
        pthread_join(list->thread, NULL);
        list->joined = true;
    }
}

static struct member *add_member(void) {
    uint32_t index = atomic_load_explicit(&member_count, memory_order_relaxed);
    if (index == BLOCK_MEMBERS * BLOCKS_MAX)
        production_wrong("more than %u machines", index);
    if (index % BLOCK_MEMBERS == 0)
        blocks[index / BLOCK_MEMBERS] = production_allocate(BLOCK_MEMBERS * sizeof(struct member));
    struct member *member = member_at(index);
    member->id = index + 1;
    return member;
}

/* The lock is held, so that the thread is not joined before its handle is known. */
static void start(struct member *member) {
    atomic_store_explicit(&member_count, member->id, memory_order_release);
    census_busy(1);
    int error = pthread_create(&member->thread, NULL, live, member);
    if (error != 0)
        production_wrong("no thread for the new machine %s %u: %s",
                         member->machine.table->type->name, member->id, strerror(error));
}

machine_id crew_create(const struct machine_type *type, const void *memory) {
    reap();
    const struct machine_table *table = table_of(type);
    void *copy = memcpy(production_allocate(type->size), memory, type->size);
    pthread_mutex_lock(&lock);
    struct member *member = add_member();
    member->machine.table = table;
    member->memory = copy;
    inbox_init(&member->inbox);
    start(member);
    machine_id id = member->id;
    pthread_mutex_unlock(&lock);
    return id;
}

/* --- the end -------------------------------------------------------------------------------- */

static void join(struct member *member) {
    if (!member->joined)
        pthread_join(member->thread, NULL);
}

static void give_back(struct member *member) {
    inbox_destroy(&member->inbox);
    free(member->memory);
    free(member->at_hand);
    free(member->received);
}

/* Nothing is given back before all threads are gone, because a thread may still be in the inbox
 * of another machine. */
void crew_dismiss(void) {
    uint32_t count = atomic_load_explicit(&member_count, memory_order_acquire);
    for (uint32_t i = 0; i < count; i++)
        inbox_close(&member_at(i)->inbox);
    for (uint32_t i = 0; i < count; i++)
        join(member_at(i));
    for (uint32_t i = 0; i < count; i++)
        give_back(member_at(i));
    for (uint32_t i = 0; i * BLOCK_MEMBERS < count; i++)
        free(blocks[i]);
    ended = NULL;
    atomic_store_explicit(&member_count, 0, memory_order_relaxed);
}
