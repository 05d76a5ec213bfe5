/* causal_time.c - see causal_time.h.
 *
 * For each thing that operations touch (event/touch.h) there is a record for every task and kind
 * of operation: the last such event, and its time. event/dependence.h decides whether a later
 * event depends on it. An earlier event of the same kind and task is forgotten, since its time
 * was not later.
 *
 * The records stand in scratch memory and are saved with it, with their links. The common hash
 * table (base/hash_table.h) takes its memory from a pool, and would have to be made anew whenever
 * a state is read. */
#include "substrates/native/calls/causal_time.h"

#include "base/fingerprint.h"
#include "event/dependence.h"
#include "event/touch.h"
#include "substrates/native/tasks/task.h"

enum { BUCKETS = 256 };

struct record {
    struct record *next;
    uint64_t key, ns;
    struct event event;
};

struct times {
    struct record *buckets[BUCKETS];
};

struct scratch_root causal_times;

void causal_time_begins(void) {
    scratch_at(&causal_times, sizeof(struct times));
}

static struct record **bucket_of(uint64_t key) {
    struct times *times = causal_times.at;
    return &times->buckets[key * 0x9e3779b97f4a7c15u >> 56];
}

static bool same_kind(const struct event *a, const struct event *b) {
    return a->task == b->task && a->op.kind == b->op.kind && a->op.object == b->op.object &&
           a->op.size == b->op.size && a->flags == b->flags;
}

static bool learns_nothing(const struct event *event) {
    return op_info(event->op.kind)->act == ACT_WRITE;
}

static void learn(struct task *task, const struct event *event, uint64_t key) {
    for (const struct record *record = *bucket_of(key); record != NULL; record = record->next)
        if (record->key == key && record->event.task != event->task &&
            record->ns > task->clock.ns && dependent_events(&record->event, event))
            task->clock.ns = record->ns;
}

static void note(const struct task *task, const struct event *event, uint64_t key) {
    struct record **bucket = bucket_of(key), *record = *bucket;
    while (record != NULL && (record->key != key || !same_kind(&record->event, event)))
        record = record->next;
    if (record == NULL) {
        record = scratch_alloc(sizeof *record);
        record->next = *bucket;
        record->key = key;
        *bucket = record;
    }
    record->event = *event;
    record->ns = task->clock.ns;
}

/* What an atomic section touches carries the time, not the section as a whole. */
static bool is_seen_section(const struct event *event) {
    return event->op.kind == OP_ATOMIC && !event->op.unseen;
}

void causal_time_carry(struct task *task, const struct event *event) {
    struct touch_keys keys;
    if (task->machine != NULL || is_seen_section(event)) /* a machine may not ask for the time */
        return;
    touch_keys_of(&event->op, &keys);
    for (uint32_t i = 0; i < keys.count && !learns_nothing(event); i++)
        learn(task, event, keys.keys[i]);
    for (uint32_t i = 0; i < keys.count && task->clock.ns > 0; i++)
        note(task, event, keys.keys[i]);
}

void causal_time_carry_access(struct task *task, uint64_t address, uint32_t size, bool write) {
    enum { PART = 128 };
    for (uint32_t at = 0; at < size; at += PART) {
        uint32_t part = size - at < PART ? size - at : PART;
        const struct event event = {.op = {.kind = write ? OP_PLAIN_WRITE : OP_PLAIN_READ,
                                           .size = (uint8_t)part,
                                           .object = address + at},
                                    .task = task->id};
        causal_time_carry(task, &event);
    }
}

/* Times that every task has already reached change nothing any more. */
static uint64_t least_clock(void) {
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < live_tasks.count; i++)
        if (live_task(i)->clock.ns < least)
            least = live_task(i)->clock.ns;
    return least;
}

void causal_time_fingerprint(struct fingerprint *out) {
    const struct times *times = causal_times.at;
    uint64_t least = least_clock();
    for (uint32_t i = 0; times != NULL && i < BUCKETS; i++)
        for (const struct record *record = times->buckets[i]; record != NULL;
             record = record->next) {
            if (record->ns <= least)
                continue;
            struct fingerprint one = {{record->key, record->ns}};
            fingerprint_add_number(&one,
                                   (uint64_t)record->event.task << 32 | record->event.op.kind);
            fingerprint_add_number(&one, record->event.flags);
            fingerprint_merge(out, &one);
        }
}
