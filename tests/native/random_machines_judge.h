/* random_machines_judge.h - the common part of the two models of random_machines.c
 * (random_machines_model.c, random_machines_stops.c): kinds of findings, choices within a step, the
 * monitor, and the set of visited states. */
#ifndef RANDOM_MACHINES_JUDGE_H
#define RANDOM_MACHINES_JUDGE_H

#include <stdio.h>

#include "random_machines.h"

enum {
    MACHINES_MAX = 12,
    STACK_MAX = 8,
    QUEUE_DEFAULT = 64,
    ROOT = TYPES, /* the type of the root */
    NOBODY = 0,
    CHOICES_MAX = 64,
};

enum finding { UNHANDLED, MISUSE, OVERFLOW, ASSERTION, STUCK, NONZERO, FINDINGS };
static const char *const finding_names[FINDINGS] = {
    "unhandled-event", "machine-misuse", "queue-overflow", "assertion", "stuck", "nonzero-exit"};

struct message {
    uint8_t event, value, names, sender;
};

struct watcher {
    uint8_t number, depth, halted, ended;
    uint8_t stack[STACK_MAX];
};

static struct tables tables;

static bool too_big;

/* --- one step: its choices and its findings
 * ------------------------------------------------------- */

static uint8_t choices[CHOICES_MAX], choice_counts[CHOICES_MAX];
static uint32_t choice_at, choice_known;
static bool wrong_now; /* the execution ends in this step */
static bool found[FINDINGS];

static void fail_now(enum finding kind) {
    if (!wrong_now)
        found[kind] = true;
    wrong_now = true;
}

static uint8_t choose(uint8_t count) {
    if (count <= 1 || wrong_now)
        return 0;
    if (choice_at == choice_known) {
        choices[choice_known] = 0;
        choice_counts[choice_known++] = count;
    }
    return choices[choice_at++];
}

/* Prepares the next way through the step. Returns false after the last one. */
static bool next_choices(void) {
    while (choice_known > 0 && choices[choice_known - 1] + 1 == choice_counts[choice_known - 1])
        choice_known--;
    if (choice_known == 0)
        return false;
    choices[choice_known - 1]++;
    return true;
}

/* --- tables
 * --------------------------------------------------------------------------------------- */

static const struct row *row_of(const struct node_state *states, const uint8_t *stack,
                                uint8_t depth, uint8_t event, uint8_t *level) {
    for (uint8_t i = depth; i-- > 0;)
        if (states[stack[i]].rows[event].kind != ROW_NONE) {
            *level = i;
            return &states[stack[i]].rows[event];
        }
    return NULL;
}

/* The number of events that may wait in the queue of a machine of this type, on its own and over a
 * channel. */
static uint8_t own_bound(uint8_t type) {
    return type == ROOT || tables.queue_bound[type] == 0 ? QUEUE_DEFAULT : tables.queue_bound[type];
}

static uint8_t bound_at(uint8_t type, const struct channel *channel) {
    uint8_t own = own_bound(type);
    return channel->bound != 0 && channel->bound < own ? channel->bound : own;
}

/* What happens if the queue is full: 0, a finding; 1, the event is dropped; 2, the sender waits. If
 * the channel allows more events than the machine, the machine's own bound applies first, and
 * exceeding it is a finding. */
static uint8_t full_at(uint8_t type, const struct channel *channel) {
    return channel->bound > own_bound(type) ? 0 : channel->full;
}

/* --- the monitor
 * ---------------------------------------------------------------------------------- */

static bool watched(uint8_t event) {
    for (uint32_t i = 0; tables.watched && i < STATES; i++)
        if (tables.watch_states[i].rows[event].kind != ROW_NONE)
            return true;
    return false;
}

static void watch(struct watcher *watcher, uint8_t number, uint8_t load) {
    const struct action *action = &tables.watch_actions[number];
    for (uint32_t i = 0; i < action->length && !wrong_now; i++) {
        const struct instruction *now = &action->list[i];
        if (now->kind == DO_ADD)
            watcher->number = (uint8_t)((watcher->number + now->a) % VALUES);
        if (now->kind == DO_ADD_LOAD)
            watcher->number = (uint8_t)((watcher->number + load) % VALUES);
        if (now->kind == DO_ASSERT && watcher->number == now->a)
            fail_now(ASSERTION);
        if (now->kind == DO_UNLESS && watcher->number == now->a)
            i++;
    }
}

static void watcher_enters(struct watcher *watcher, uint8_t target) {
    if (watcher->depth == STACK_MAX) {
        fail_now(MISUSE);
        return;
    }
    watcher->stack[watcher->depth++] = target;
    if (tables.watch_states[target].entry != NO_ACTION)
        watch(watcher, tables.watch_states[target].entry, 0);
}

static void watcher_sees(struct watcher *watcher, const struct message *message) {
    uint8_t level;
    if (!watched(message->event) || wrong_now)
        return;
    const struct row *row =
        row_of(tables.watch_states, watcher->stack, watcher->depth, message->event, &level);
    if (row == NULL) {
        fail_now(UNHANDLED);
        return;
    }
    if (row->kind == ROW_IGNORE)
        return;
    if (row->action != NO_ACTION)
        watch(watcher, row->action, message->value);
    if (wrong_now)
        return;
    if (row->kind == ROW_POP) {
        if (watcher->depth == 1)
            fail_now(MISUSE);
        else
            watcher->stack[--watcher->depth] = 0;
    } else if (row->kind == ROW_PUSH) {
        watcher_enters(watcher, row->target);
    } else if (row->target != NO_STATE) {
        while (watcher->depth > level)
            watcher->stack[--watcher->depth] = 0;
        watcher_enters(watcher, row->target);
    }
}

/* --- visited states
 * ------------------------------------------------------------------------------- */

static uint8_t *states; /* an array of states of state_size bytes each */
static size_t state_size;
static uint32_t state_count, states_max, *slots, slot_count;

static void states_begin(size_t size) {
    const char *limit = getenv("STATES_MAX");
    states_max = limit != NULL ? (uint32_t)strtoul(limit, NULL, 10) : 10000;
    slot_count = 2 * states_max + 1;
    state_size = size;
    states = calloc(states_max, size);
    slots = calloc(slot_count, sizeof *slots);
}

static void states_end(void) {
    free(states);
    free(slots);
}

static const void *state_at(uint32_t number) {
    return states + number * state_size;
}

static uint64_t hash(const void *state) {
    const uint8_t *bytes = state;
    uint64_t word = 1469598103934665603u;
    for (size_t i = 0; i < state_size; i++)
        word = (word ^ bytes[i]) * 1099511628211u;
    return word ^ word >> 29;
}

static void add_state(const void *state) {
    uint64_t at = hash(state) % slot_count;
    for (; slots[at] != 0; at = (at + 1) % slot_count)
        if (memcmp(state_at(slots[at] - 1), state, state_size) == 0)
            return;
    if (state_count == states_max) {
        too_big = true;
        return;
    }
    memcpy(states + state_count * state_size, state, state_size);
    slots[at] = ++state_count;
}

/* --- the answer
 * ----------------------------------------------------------------------------------- */

static void print_findings(void) {
    printf(too_big ? "too-big," : "none,");
    for (uint32_t i = 0; i < FINDINGS; i++)
        if (found[i])
            printf("%s,", finding_names[i]);
    printf(" %s\n", tables.receives ? "waits" : "-");
}

#endif
