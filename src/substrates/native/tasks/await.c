/* await.c - waiting loops whose looks block.
 *
 * A *look* is an atomic load, read-modify-write or compare-exchange to which its task comes back
 * with nothing done in between, except that it may have given way. If the value makes the task come
 * back, the round has no effect. The task then blocks before the look until the value lets it pass.
 * So a failed look is never made, and only the last look of a loop is an operation (engine/looks.h).
 *
 * A trial finds out what a round does with a value (look_facts.h). A value can leave a mark in the
 * state of the task, for example in a register. The look waits if two things hold. A second
 * round with the same value changes nothing more. And the mark is gone after the next value,
 * whichever that is, or after the one behind it if the next value only leads back to the look. The
 * second fact is tested when the look passes, for each value that was there
 * before in this execution. So the execution without failed looks stands for all those with failed
 * looks. If one test fails, the loop is an ordinary one from then on.
 *
 * A place where a task comes round is noticed during the search. Then the search begins again with
 * this place in options.loops, so that a trace can be repeated: see begin_again.h.
 *
 * The task could look at any time from its arrival on. So data races with the looks that are left
 * out are found by an access that is reported at the arrival.
 *
 * Left out: a first look that a compiler has taken out of the loop (the code behind it may be no
 * part of the loop); rounds with looks at several variables, which spin.c parks; looks at volatile
 * or plain variables; at the stack of another task; inside atomic sections; and in machines. */
#include "substrates/native/tasks/await.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/looks.h"
#include "engine/session.h"
#include "engine/system.h"
#include "substrates/native/memory/annotations.h"
#include "substrates/native/memory/heap.h"
#include "substrates/native/memory/scratch.h"
#include "substrates/native/runtime.h"
#include "substrates/native/tasks/begin_again.h"
#include "substrates/native/tasks/look_facts.h"
#include "substrates/native/tasks/operation.h"
#include "substrates/native/tasks/trial.h"

enum {
    PLACES = 24,       /* in options.loops: each may be there a second time, as a refused one */
    CALLS = 3,         /* of a place: the calls that lead to it */
    NOTICES = 3,       /* trials for a place that may turn out to be no loop */
    NOTICES_MAX = 100, /* trials for all such places */
    LOOK_SIZE = 8,     /* bytes of a look at most */
    VALUES = 64,       /* of a location in one execution */
    LOCATIONS = 8,     /* with known values */
    PASSED_OVER = 1,   /* operations between two looks: a fence, or giving way */
    REFUSED = '!',
};

/* --- places --------------------------------------------------------------------------------- */

static struct {
    bool known;
    uint32_t count, refusals;
    uint64_t places[PLACES];
    bool refused[PLACES];
} loops;

static void read_loops(void) {
    const char *text = rt.session->request.options.loops;
    loops.known = true;
    while (*text != '\0' && loops.count < PLACES) {
        bool refused = *text == REFUSED;
        char *end;
        loops.places[loops.count] = strtoull(text + refused, &end, 16);
        loops.refused[loops.count++] = refused;
        loops.refusals += refused;
        text = *end == ':' ? end + 1 : end + strlen(end);
    }
}

static uint64_t place_of(const struct task *task, const struct op *op) {
    uint64_t place = op->pc;
    uint32_t depth = task->calls.depth;
    for (uint32_t i = 1; i <= CALLS && i <= depth; i++)
        place = hash_mix(place, task->calls.records[(depth - i) % CALLS_MAX].pc);
    return place;
}

enum standing { PLACE_UNKNOWN, PLACE_AWAITS, PLACE_REFUSED };

static enum standing standing_of(uint64_t place) {
    enum standing standing = PLACE_UNKNOWN;
    for (uint32_t i = 0; i < loops.count; i++) {
        if (loops.places[i] != place)
            continue;
        if (loops.refused[i])
            return PLACE_REFUSED;
        standing = PLACE_AWAITS;
    }
    return standing;
}

/* The search begins again with one place more, or with a place that is refused. */
static void add_place(uint64_t place, bool refused) {
    const struct options *options = &rt.session->request.options;
    struct search_result *search = &rt.session->result.search;
    if (options->mode != MODE_EXPLORE || (!refused && loops.count - loops.refusals >= PLACES / 2))
        return;
    snprintf(search->loop, sizeof search->loop, "%s%" PRIx64, refused ? "!" : "", place);
    begin_search_again(LACKS_LOOP);
}

/* --- waiting -------------------------------------------------------------------------------- */

/* A look at memory that was freed meanwhile happens, and is a finding. */
static bool is_there(const struct op *op) {
    return !in_heap(op->object) || heap_is_live(op->object, op->size);
}

static bool acquires(const struct op *look) {
    return look->order != ORDER_RELAXED && look->order != ORDER_RELEASE;
}

/* Reports the plain accesses of a round that only waits, once for each value: the round is left out,
 * but its accesses can race. */
static void tell_round(struct task *task, uint64_t value, const struct look_fact *fact) {
    struct look *look = task->polling.look;
    if (look->told && look->told_value == value)
        return;
    look->told = true;
    look->told_value = value;
    if (fact->access_count == 0 || !live_tasks.concurrent || !rt.host->wants_accesses)
        return;
    if (acquires(&task->op) || fact->fenced)
        rt.host->ops->access(rt.host, task->id, task->op.object, task->op.size, ROUND_BEGINS, 0);
    for (uint32_t i = 0; i < fact->access_count; i++) {
        const struct look_access *access = &fact->accesses[i];
        rt.host->ops->access(rt.host, task->id, access->address, access->size,
                             kind_of_access(task, access->address, access->size, access->write),
                             access->pc);
    }
    rt.host->ops->access(rt.host, task->id, task->op.object, task->op.size, ROUND_ENDS, 0);
}

static bool can_pass(const struct task *waiting) {
    struct task *task = task_at(waiting->id);
    const struct op *op = &task->op;
    if (!is_there(op) || !look_identify(task))
        return true;
    uint64_t value = look_value(task);
    const struct look_fact *fact = look_fact_for(task, value);
    if (fact == NULL || !look_waits(fact->answer))
        return true;
    tell_round(task, value, fact);
    return false;
}

static const struct wait_ops await_wait = {.ready = can_pass};

bool await_waits(const struct task *task) {
    return task->wait == &await_wait;
}

uint32_t await_look(const struct task *task) {
    return await_waits(task) ? task->polling.look->number : 0;
}

/* --- the values of a location in this execution ----------------------------------------------- */

struct location {
    uint64_t address;
    uint32_t size;
    uint32_t seen; /* number of events that were looked at */
    uint32_t count;
    bool lost; /* there were more values */
    uint64_t values[VALUES];
};

static struct {
    uint32_t count;
    struct location list[LOCATIONS];
} locations;

void awaits_reset(void) {
    if (!loops.known)
        read_loops();
    locations.count = 0;
}

static void add_value(struct location *location, uint64_t value) {
    for (uint32_t i = 0; i < location->count; i++)
        if (location->values[i] == value)
            return;
    if (location->count == VALUES)
        location->lost = true;
    else
        location->values[location->count++] = value;
}

static bool is_access(const struct event *event) {
    const struct op_info *info = op_info(event->op.kind);
    return !(event->flags & EVENT_NOTE) && info->class == CLASS_MEMORY &&
           info->about != ABOUT_FUTEX; /* which writes nothing to the word */
}

static bool overlaps(const struct op *op, const struct location *location) {
    return op->object < location->address + location->size &&
           location->address < op->object + op->size;
}

/* The location with the values that it has had so far in this execution: each write knows the value
 * that it replaced. A write to a part of it, or to more, does not know that value. */
static const struct location *values_of(uint64_t address, uint32_t size) {
    const struct execution *execution = rt.session->live.current;
    struct location *location = NULL;
    for (uint32_t i = 0; i < locations.count; i++)
        if (locations.list[i].address == address && locations.list[i].size == size)
            location = &locations.list[i];
    if (location == NULL) {
        location = &locations.list[locations.count < LOCATIONS ? locations.count++ : 0];
        *location = (struct location){.address = address, .size = size};
    }
    location->lost |= execution->skipped > 0;
    for (; location->seen < execution->event_count; location->seen++) {
        const struct event *event = &execution->events[location->seen];
        if (!is_access(event) || !overlaps(&event->op, location))
            continue;
        if (event->op.object == address && event->op.size == size && event->op.kind <= OP_CAS)
            add_value(location, event->result);
        else
            location->lost |= op_info(event->op.kind)->effect == EFFECT_WRITE;
    }
    return location;
}

/* --- passing ------------------------------------------------------------------------------------ */

/* The task may have read each value that was there before, if it came early enough. The strategy
 * will also want to know whether the look would have passed with one of them. */
void await_passes(struct task *task) {
    const struct op *op = &task->op;
    struct look *look = task->polling.look;
    if (!is_there(op) || !look_identify(task))
        return;
    uint64_t now = look_value(task);
    const struct location *location = values_of(op->object, op->size);
    bool refused = location->lost;
    for (uint32_t i = 0; i < location->count && !refused && !trial_on; i++)
        refused =
            location->values[i] != now &&
            !look_leaves_no_mark(task, location->values[i], now, location->values, location->count);
    if ((refused || look->too_much) && !trial_on)
        add_place(look->place, true);
}

/* --- arriving ----------------------------------------------------------------------------------- */

static bool can_be_look(const struct task *task, const struct op *op) {
    return (op->kind == OP_LOAD || op->kind == OP_RMW || op->kind == OP_CAS) &&
           op->size <= LOOK_SIZE && !in_slots(op->object) && task->section.depth == 0;
}

/* The task comes to the same look again, perhaps with other looks at the same bytes in between. */
static bool comes_round(struct task *task, const struct op *op, uint64_t place) {
    struct looked *looked = &task->polling.looked;
    uint32_t between = task->polling.operations - looked->operation - 1;
    bool again = false;
    if (looked->object != op->object || between > PASSED_OVER)
        looked->count = 0;
    for (uint32_t i = 0; i < looked->count && i < LOOKS_BEFORE; i++)
        again |= looked->places[i] == (uint32_t)place;
    looked->places[looked->count++ % LOOKS_BEFORE] = (uint32_t)place;
    looked->object = op->object;
    looked->operation = task->polling.operations;
    return again;
}

/* Finds out by trials whether the task goes round here as long as some value stays. */
static void notice(struct task *task, const struct op *op, uint64_t place) {
    struct hash_slot *tries = hash_table_get(&rt.session->live.looks->notices, place);
    uint64_t now = look_value(task);
    if (tries->value == NOTICES || rt.session->live.looks->noticed >= NOTICES_MAX ||
        rt.session->request.options.mode != MODE_EXPLORE)
        return;
    tries->value++;
    rt.session->live.looks->noticed++;
    bool round = look_goes_round(task, now);
    const struct location *location = values_of(op->object, op->size);
    for (uint32_t i = 0; !round && !trial_on && i < location->count; i++)
        if (location->values[i] != now)
            round = look_goes_round(task, location->values[i]);
    if (round && !trial_on)
        add_place(place, false);
}

static void tell_access(const struct task *task, const struct op *op) {
    if (live_tasks.concurrent && rt.host->wants_accesses)
        rt.host->ops->access(rt.host, task->id, op->object, op->size,
                             op->kind == OP_LOAD ? LOOK_READ : LOOK_WRITE, op->pc);
}

static void begin_look(struct task *task, uint64_t place) {
    if (task->polling.look == NULL)
        task->polling.look = scratch_room(sizeof *task->polling.look);
    *task->polling.look = (struct look){.place = place};
}

const struct wait_ops *await_visit(struct task *task, const struct op *op) {
    if (op->kind == OP_YIELD || op->kind == OP_SLEEP)
        return NULL;
    if (!can_be_look(task, op)) {
        task->polling.looked.count = 0;
        return NULL;
    }
    uint64_t place = place_of(task, op);
    bool again = comes_round(task, op, place);
    if (!again && loops.count == 0)
        return NULL;
    begin_look(task, place);
    enum standing standing = standing_of(place);
    if (standing == PLACE_UNKNOWN && again)
        notice(task, op, place);
    if (standing != PLACE_AWAITS || trial_on || !is_there(op) || !look_identify(task))
        return NULL;
    /* The first question is asked by the task itself, which does not stand at rest yet: in the next
     * state no trial is needed for it. */
    look_fact_for(task, look_value(task));
    if (!trial_on)
        tell_access(task, op);
    return &await_wait;
}
