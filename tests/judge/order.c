/* order.c - happens-before of C11 (5.1.2.4, 7.17.3, 7.17.4), and the data races that follow from
 * it.
 *
 * Each task counts its steps. A clock says, for each task, up to which step everything happened
 * before. A release sequence (5.1.2.4p10) consists of the releasing operation and the operations
 * that follow it directly: stores of the same task, and read-modify-writes of any task. In C++20,
 * stores are not part of it (order_stores_end). So each location has a clock for the sequences that
 * each task has begun there. A store leaves only the sequence of its own task, or none. Fences
 * follow 7.17.4p2 to p4. Sequential consistency adds no happens-before. By POSIX (4.12), locks,
 * semaphores, barriers, once, create and join order what comes before one call and after the other.
 * Two read-locked sections do not order each other. */
#include "state.h"

bool order_stores_end;

static void join(struct clock *into, const struct clock *from) {
    for (int i = 0; i < TASKS_MAX; i++)
        if (into->of[i] < from->of[i])
            into->of[i] = from->of[i];
}

void order_tick(struct state *state, int task) {
    state->order.now[task].of[task]++;
}

void order_acquire(struct state *state, int task, const struct clock *from) {
    join(&state->order.now[task], from);
}

void order_release(struct state *state, int task, struct clock *into) {
    join(into, &state->order.now[task]);
}

void order_create(struct state *state, int parent, int child) {
    join(&state->order.now[child], &state->order.now[parent]);
}

void order_join(struct state *state, int task, int child) {
    join(&state->order.now[task], &state->order.now[child]);
}

static bool acquires(enum strength order) {
    return order == ACQUIRE || order == ACQ_REL || order == SEQ_CST;
}

static bool releases(enum strength order) {
    return order == RELEASE || order == ACQ_REL || order == SEQ_CST;
}

void order_atomic(struct state *state, int task, int location, enum strength order, bool reads,
                  bool writes) {
    struct order *all = &state->order;
    struct clock *sequences = all->sequences[location];
    for (int head = 0; head < TASKS_MAX; head++) {
        if (reads)
            join(&all->relaxed_reads[task], &sequences[head]);
        if (reads && acquires(order))
            join(&all->now[task], &sequences[head]);
        if (writes && !reads && (head != task || order_stores_end))
            sequences[head] = (struct clock){{0}};
    }
    if (writes)
        join(&sequences[task], &all->fence[task]);
    if (writes && releases(order))
        join(&sequences[task], &all->now[task]);
}

void order_fence(struct state *state, int task, enum strength order) {
    struct order *all = &state->order;
    if (acquires(order))
        join(&all->now[task], &all->relaxed_reads[task]);
    if (releases(order))
        all->fence[task] = all->now[task];
}

/* Marks the state as racy if an access of another task, at these times, did not happen before. */
static void conflict(struct state *state, int task, const uint8_t *times) {
    for (int other = 0; other < TASKS_MAX; other++)
        if (other != task && times[other] > state->order.now[task].of[other])
            state->end = RACY;
}

void order_access(struct state *state, int task, const struct instruction *at, bool writes) {
    struct order *all = &state->order;
    for (int byte = at->at; byte < at->at + at->size; byte++) {
        uint8_t *written = all->writes[at->object][byte], *read = all->reads[at->object][byte];
        conflict(state, task, written);
        if (writes)
            conflict(state, task, read);
        if (at->object >= DATA)
            conflict(state, task, all->atomic_writes[at->object - DATA][byte]);
        if (at->object >= DATA && writes)
            conflict(state, task, all->atomic_reads[at->object - DATA][byte]);
        (writes ? written : read)[task] = all->now[task].of[task];
    }
}

void order_atomic_access(struct state *state, int task, const struct instruction *at, bool reads,
                         bool writes) {
    struct order *all = &state->order;
    for (int byte = at->at; byte < at->at + at->size && byte < DATA_BYTES; byte++) {
        conflict(state, task, all->writes[DATA + at->object][byte]);
        if (writes)
            conflict(state, task, all->reads[DATA + at->object][byte]);
        if (reads)
            all->atomic_reads[at->object][byte][task] = all->now[task].of[task];
        if (writes)
            all->atomic_writes[at->object][byte][task] = all->now[task].of[task];
    }
}
