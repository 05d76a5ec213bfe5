/* observe_reverse.c - the sequence that shows the other order of a race: see observe_reverse() in
 * observe.h.
 *
 * The elements are all steps, from the first of the race on, that do not happen after an observer
 * of the race. The observer is the last element. Then the elements are sorted. Of two stores, the
 * first goes behind all elements that need not come after it, so that it is the last of its run. Of
 * two messages, the second comes to the front, together with the steps that lead to it.
 *
 * The event of the observer is predicted as far as it is known. */
#include "strategies/dpor/observe.h"

#include <string.h>

#include "event/dependence.h"
#include "strategies/dpor/sees.h"

static void clear_marks(struct observe *observe, uint32_t count) {
    observe->marked = pool_grow(observe->pool, observe->marked, &observe->marked_capacity, count,
                                sizeof *observe->marked);
    memset(observe->marked, 0, count * sizeof *observe->marked);
}

/* Marks all steps that happen after that step. */
static void mark_after(struct observe *observe, uint32_t step) {
    for (uint32_t i = step; i < observe->history->count; i++)
        if (happens_before(observe->history, step, i))
            observe->marked[i] = true;
}

/* Marks all steps that happen after an observer of the race. */
static void mark_observed(struct observe *observe, const struct race *race, uint32_t observer) {
    const struct history *history = observe->history;
    clear_marks(observe, history->count);
    mark_after(observe, observer);
    if (race->last.op.kind == OP_SEND)
        return;
    for (uint32_t i = observer + 1; i < history->count; i++) {
        const struct event *event = &history->steps[i].event;
        if (same_bytes(event, &race->last))
            return;
        if (!observe->marked[i] && sees(event, &race->last))
            mark_after(observe, i);
    }
}

static uint32_t place_of_step(const struct sequence *sequence, uint32_t step) {
    uint32_t at = 0;
    while (sequence->elements[at].step != step)
        at++;
    return at;
}

/* Sorts the marked elements to the front, or to the end. */
static void sort_marked(struct observe *observe, struct sequence *sequence, bool first) {
    uint32_t count = 0;
    observe->sorted = pool_grow(observe->pool, observe->sorted, &observe->sorted_capacity,
                                sequence->count, sizeof *observe->sorted);
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < sequence->count; i++)
            if (observe->marked[i] == (first == (pass == 0)))
                observe->sorted[count++] = sequence->elements[i];
    memcpy(sequence->elements, observe->sorted, count * sizeof *observe->sorted);
    sequence_sorted(sequence);
}

/* Puts the first element last, with all that must come after it. Other stores of its run may
 * come in another order. The last element may observe other places as well; nothing changes for
 * those. */
static void hold_back(struct observe *observe, struct sequence *sequence) {
    const struct event *first = sequence_event(sequence, 0);
    clear_marks(observe, sequence->count);
    observe->marked[0] = true;
    for (uint32_t i = 1; i < sequence->count; i++) {
        const struct event *event = sequence_event(sequence, i);
        bool like = event->task != first->task && same_bytes(first, event);
        for (uint32_t j = like ? 1 : 0; j < i && !observe->marked[i]; j++)
            observe->marked[i] = observe->marked[j] && observed_order.leads(sequence, j, i);
    }
    sort_marked(observe, sequence, false);
}

/* Puts an element first, behind all that leads to it. */
static void bring_forward(struct observe *observe, struct sequence *sequence, uint32_t at) {
    clear_marks(observe, sequence->count);
    observe->marked[at] = true;
    for (uint32_t i = at; i-- > 0;)
        for (uint32_t j = i + 1; j <= at && !observe->marked[i]; j++)
            observe->marked[i] = observe->marked[j] && observed_order.leads(sequence, i, j);
    sort_marked(observe, sequence, true);
}

static uint64_t cut_to_size(uint64_t value, uint32_t size) {
    return size >= sizeof value ? value : value & (((uint64_t)1 << size * 8) - 1);
}

/* Predicts what the observer will find: what the first step of the race stores. */
static void predict_view(const struct history *history, uint32_t observer,
                         const struct event *store, struct event *event) {
    bool known = store->op.kind == OP_STORE && store->op.object == event->op.object &&
                 store->op.size == event->op.size && store->op.size <= 8;
    uint64_t before = event->result, value = cut_to_size(store->op.value, store->op.size);
    uint64_t expected = history_op_at(history, observer, event->task)->expected;
    bool fatal = event->flags & EVENT_FATAL;
    event->flags = 0;
    if (known)
        event->result = value;
    if (event->op.kind == OP_CAS && !known)
        event->flags = EVENT_AHEAD;
    else if (event->op.kind == OP_CAS && cut_to_size(expected, event->op.size) != value)
        event->flags = EVENT_FAILED;
    if (known && fatal && before == value)
        event->flags |= EVENT_FATAL;
}

static bool is_access(enum op_kind kind) {
    const struct op_info *info = op_info(kind);
    return info->class == CLASS_MEMORY && info->act != ACT_NONE;
}

static struct event predict(const struct observe *observe, const struct race *race,
                            uint32_t observer) {
    const struct history *history = observe->history;
    struct event event = history->steps[observer].event;
    if (is_access(event.op.kind)) {
        predict_view(history, observer, &history->steps[race->first].event, &event);
    } else if (op_receives(event.op.kind)) {
        bool known = observe_surely_takes(observe, observer, race->second) &&
                     /* else the reaction is not known */
                     !(event.op.message_flags & MESSAGE_MACHINE);
        event.flags = known ? 0 : EVENT_AHEAD;
        event.number = race->last.number;
    } else {
        event.flags = EVENT_AHEAD;
    }
    return event;
}

/* To be seen, a store must be the last of its run; to be taken, a message must be the first. The
 * message comes no later than it must, so that many receives are asked about it. */
void observe_reverse(struct observe *observe, struct sequence *sequence, const struct race *race,
                     uint32_t observer) {
    const struct history *history = observe->history;
    observe->last = (struct race){.first = race->first, .second = observer};
    sequence_begin(sequence);
    mark_observed(observe, race, observer);
    for (uint32_t i = race->first; i < history->count; i++)
        if (!observe->marked[i])
            sequence_add(sequence, i, observe->whole.elements[i].label);
        else if (i != observer)
            sequence_leave_out(sequence, i, observe->whole.elements[i].label);
    struct event event = predict(observe, race, observer);
    if (race->last.op.kind == OP_SEND)
        bring_forward(observe, sequence, place_of_step(sequence, race->second));
    sequence_close(sequence, &observe->last, &event);
    if (race->last.op.kind != OP_SEND)
        hold_back(observe, sequence);
}
