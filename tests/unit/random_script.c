/* random_script.c - see random_script.h. A program mixes a few families of operations over very few
 * objects, so that its tasks meet. */
#include "unit/random_script.h"

#include <stdio.h>

#include "base/check.h"
#include "event/op.h"
#include "event/op_kind.h"

enum family {
    FAMILY_MEMORY,
    FAMILY_MUTEX,
    FAMILY_SPIN,
    FAMILY_COND,
    FAMILY_RWLOCK,
    FAMILY_BARRIER,
    FAMILY_SEMAPHORE,
    FAMILY_ONCE,
    FAMILY_TASKS,
    FAMILY_CANCEL,
    FAMILY_MAILBOX,
    FAMILY_OWN,
    FAMILY_SECTION,
    FAMILY_EXIT,
    FAMILY_AWAIT,
    FAMILIES
};

struct writer {
    struct random_script *out;
    struct random *random;
    enum script_flavour flavour;
    uint32_t task;
    uint32_t families; /* one bit for each family that the program uses */
};

static uint32_t below(struct writer *writer, uint32_t bound) {
    return random_below(writer->random, bound);
}

static bool for_races(const struct writer *writer) {
    return writer->flavour == FLAVOUR_RACES || writer->flavour == FLAVOUR_SECTION_RACES;
}

static struct script_instruction *emit(struct writer *writer, int code) {
    uint32_t *length = &writer->out->script.tasks[writer->task].length;
    CHECK(*length < RANDOM_SCRIPT_LENGTH);
    struct script_instruction *now = &writer->out->code[writer->task][(*length)++];
    *now = (struct script_instruction){.code = (uint8_t)code, .order = ORDER_SEQ_CST};
    return now;
}

static void place_in_memory(struct writer *writer, struct script_instruction *now) {
    static const uint8_t sizes[] = {8, 8, 4, 2, 1};
    now->object = (uint8_t)below(writer, 2);
    now->size = sizes[below(writer, 5)];
    now->offset = (uint8_t)(below(writer, 8u / now->size) * now->size);
    now->value = (int32_t)below(writer, 3);
    now->value2 = (int32_t)below(writer, 3);
}

/* Takes any of the memory orders that C11 allows for the kind. */
static void weaken(struct writer *writer, struct script_instruction *now) {
    static const uint8_t loads[] = {ORDER_RELAXED, ORDER_CONSUME, ORDER_ACQUIRE, ORDER_SEQ_CST};
    static const uint8_t stores[] = {ORDER_RELAXED, ORDER_RELAXED, ORDER_RELEASE, ORDER_SEQ_CST};
    if (!for_races(writer))
        return;
    if (now->code != OP_FENCE) { /* each location has one access size: see race_order.c */
        now->size = 4;
        now->offset &= 4;
    }
    now->failure = loads[below(writer, 4)];
    if (now->code == OP_LOAD || now->code == SCRIPT_AWAIT)
        now->order = loads[below(writer, 4)];
    else if (now->code == OP_STORE)
        now->order = stores[below(writer, 4)];
    else
        now->order = (uint8_t)below(writer, 6);
}

static void plain(struct writer *writer) {
    struct script_instruction *now = emit(writer, below(writer, 2) ? SCRIPT_READ : SCRIPT_WRITE);
    place_in_memory(writer, now);
    now->object = (uint8_t)(below(writer, 8) ? 2 + below(writer, 2) : below(writer, 2));
}

static void memory(struct writer *writer) {
    static const uint8_t kinds[] = {
        OP_LOAD,          OP_STORE,          OP_RMW,        OP_CAS,        OP_LOAD,
        OP_VOLATILE_READ, OP_VOLATILE_WRITE, OP_PLAIN_READ, OP_PLAIN_WRITE};
    struct script_instruction *now = emit(writer, kinds[below(writer, for_races(writer) ? 7 : 9)]);
    place_in_memory(writer, now);
    weaken(writer, now);
}

static void of_object(struct writer *writer, int code) {
    emit(writer, code)->object = (uint8_t)below(writer, 2);
}

/* Takes and releases one of the first `objects` locks of a kind. Sometimes only one of the two
 * happens. */
static void locked(struct writer *writer, int lock, int unlock, uint32_t objects) {
    uint32_t object = below(writer, objects), what = below(writer, 8);
    struct script_instruction *now = emit(writer, what == 7 ? unlock : lock);
    now->object = (uint8_t)object;
    now->timed = lock == OP_LOCK && below(writer, 6) == 0;
    if (what >= 6)
        return;
    if (for_races(writer))
        plain(writer);
    else if (below(writer, 2))
        memory(writer);
    emit(writer, unlock)->object = (uint8_t)object;
}

static void condition(struct writer *writer) {
    uint32_t what = below(writer, 5);
    if (what >= 3) {
        emit(writer, what == 3 ? OP_COND_SIGNAL : OP_COND_BROADCAST);
        return;
    }
    emit(writer, OP_LOCK);
    if (what < 2)
        emit(writer, OP_COND_WAIT)->timed = below(writer, 3) == 0;
    else
        emit(writer, OP_COND_SIGNAL);
    emit(writer, OP_UNLOCK);
}

static void until(struct writer *writer) {
    struct script_instruction *now = emit(writer, SCRIPT_UNTIL);
    now->object = (uint8_t)below(writer, 2);
    now->value = (int32_t)below(writer, 2);
    now->object2 = below(writer, 2) ? OP_SEM_INIT : OP_SEM_DESTROY;
    now->value2 = now->object2 == OP_SEM_INIT ? 0 : (int32_t)below(writer, 3);
}

static void semaphore(struct writer *writer) {
    static const uint8_t kinds[] = {OP_SEM_WAIT, OP_SEM_POST, OP_SEM_POST, OP_SEM_TRYWAIT,
                                    OP_SEM_GETVALUE};
    of_object(writer, kinds[below(writer, sizeof kinds)]);
    struct script_task *task = &writer->out->script.tasks[writer->task];
    struct script_instruction *now = &writer->out->code[writer->task][task->length - 1];
    now->timed = now->code == OP_SEM_WAIT && below(writer, 4) == 0;
}

static struct script_instruction *other_task(struct writer *writer, int code) {
    uint32_t count = writer->out->script.task_count;
    struct script_instruction *now = emit(writer, code);
    now->object = (uint8_t)((writer->task + 1 + below(writer, count - 1)) % count);
    return now;
}

static void own(struct writer *writer) {
    static const uint8_t kinds[] = {OP_CHOOSE, OP_YIELD, OP_SLEEP, OP_FENCE};
    struct script_instruction *now = emit(writer, kinds[below(writer, 4)]);
    now->value = 2 + (int32_t)below(writer, 2);
    if (now->code == OP_FENCE)
        weaken(writer, now);
}

static void control(struct writer *writer) {
    static const uint16_t codes[] = {SCRIPT_SKIP_IF, SCRIPT_ASSERT_NOT, SCRIPT_SKIP_IF,
                                     SCRIPT_ASSUME_NOT};
    struct script_instruction *now =
        emit(writer, for_races(writer) ? SCRIPT_SKIP_IF : codes[below(writer, 4)]);
    now->value = (int32_t)below(writer, 4);
    now->value2 = 1;
}

/* An operation that does not block. */
static void other_in_section(struct writer *writer) {
    static const uint8_t kinds[] = {OP_CHOOSE, OP_YIELD, OP_FENCE};
    struct script_instruction *now = emit(writer, kinds[below(writer, sizeof kinds)]);
    now->value = 2;
}

/* One to three accesses. Some depend on what the access before has read, some are no accesses. */
static void large_section(struct writer *writer) {
    uint32_t count = 1 + below(writer, 3);
    emit(writer, OP_ATOMIC);
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0 && below(writer, 3) == 0)
            control(writer);
        if (below(writer, 20) == 0 && !for_races(writer))
            other_in_section(writer);
        else if (below(writer, 2))
            plain(writer);
        else
            memory(writer);
    }
    emit(writer, SCRIPT_SECTION_END);
}

static void section(struct writer *writer) {
    if (writer->flavour == FLAVOUR_SECTIONS || writer->flavour == FLAVOUR_SECTION_RACES) {
        large_section(writer);
        return;
    }
    emit(writer, OP_ATOMIC);
    for (uint32_t i = 0; i < 2; i++)
        if (for_races(writer) && below(writer, 2))
            plain(writer);
        else
            memory(writer);
    emit(writer, SCRIPT_SECTION_END);
}

static void await(struct writer *writer) {
    struct script_instruction *now = emit(writer, SCRIPT_AWAIT);
    place_in_memory(writer, now);
    weaken(writer, now);
}

static void write_family(struct writer *writer, enum family family) {
    static const uint8_t mailbox[] = {OP_SEND, OP_SEND, OP_RECEIVE, OP_TRY_RECEIVE};
    static const uint8_t tasks[] = {OP_JOIN, OP_JOIN, OP_TRYJOIN, OP_DETACH, OP_KILL};
    switch (family) {
    case FAMILY_MEMORY: memory(writer); break;
    case FAMILY_MUTEX:
        locked(writer, below(writer, 3) ? OP_LOCK : OP_TRYLOCK,
               below(writer, 6) ? OP_UNLOCK : OP_ABANDON, 2);
        break;
    case FAMILY_SPIN:
        locked(writer, below(writer, 3) ? OP_SPIN_LOCK : OP_SPIN_TRYLOCK, OP_SPIN_UNLOCK, 1);
        break;
    case FAMILY_COND: condition(writer); break;
    case FAMILY_RWLOCK:
        locked(writer, OP_READ_LOCK + (int)below(writer, 4), OP_RW_UNLOCK, 1);
        break;
    case FAMILY_BARRIER: emit(writer, OP_BARRIER_ARRIVE); break;
    case FAMILY_SEMAPHORE:
        if (writer->flavour == FLAVOUR_UNTIL && below(writer, 3) == 0)
            until(writer);
        else
            semaphore(writer);
        break;
    case FAMILY_ONCE: emit(writer, OP_ONCE_ENTER); break;
    case FAMILY_TASKS:
        other_task(writer, tasks[below(writer, sizeof tasks)])->timed = below(writer, 4) == 0;
        break;
    case FAMILY_CANCEL:
        if (below(writer, 2))
            other_task(writer, OP_CANCEL);
        else
            emit(writer, OP_CANCEL_POINT);
        break;
    case FAMILY_MAILBOX: {
        struct script_instruction *now = emit(writer, mailbox[below(writer, 4)]);
        now->value = 1 + (int32_t)below(writer, 3);
        if (now->code != OP_SEND && below(writer, 3) == 0)
            now->value2 = 1 + (int32_t)below(writer, 3); /* takes only a message with this value */
        break;
    }
    case FAMILY_OWN: own(writer); break;
    case FAMILY_SECTION: section(writer); break;
    case FAMILY_EXIT: emit(writer, below(writer, 3) ? OP_YIELD : OP_EXIT); break;
    case FAMILY_AWAIT: await(writer); break;
    case FAMILIES: break;
    }
}

static void write_task(struct writer *writer, uint32_t operations) {
    struct script_task *task = &writer->out->script.tasks[writer->task];
    for (uint32_t i = 0; i < operations && task->length + 8 < RANDOM_SCRIPT_LENGTH; i++) {
        enum family family = below(writer, FAMILIES);
        while (!(writer->families >> family & 1))
            family = (family + 1) % FAMILIES;
        if (for_races(writer) && below(writer, 2))
            plain(writer);
        write_family(writer, family);
        /* A skip must not jump into or out of a section, so only single operations follow one. */
        if (!for_races(writer) && below(writer, 4) == 0) {
            control(writer);
            memory(writer);
        }
    }
    if (for_races(writer))
        plain(writer);
}

/* In a third of the programs, the first task creates other tasks. */
static void write_creates(struct writer *writer) {
    struct script *script = &writer->out->script;
    script->started = (1u << script->task_count) - 1;
    if (below(writer, 3))
        return;
    for (uint32_t task = 1; task < script->task_count; task++)
        if (below(writer, 2)) {
            script->started &= ~(1u << task);
            emit(writer, OP_CREATE)->object = (uint8_t)task;
            if (for_races(writer))
                plain(writer);
        }
}

void random_script(struct random_script *out, struct random *random, enum script_flavour flavour,
                   uint32_t tasks, uint32_t operations_per_task) {
    struct writer writer = {out, random, flavour, 0, 0};
    out->script = (struct script){.task_count = tasks};
    for (uint32_t i = 0; i < SCRIPT_OBJECTS; i++) {
        out->script.semaphores[i] = (uint8_t)(i % 2);
        out->script.barriers[i] = 2;
    }
    for (uint32_t i = 0; i < 3; i++)
        writer.families |= 1u << below(&writer, FAMILIES);
    if (flavour == FLAVOUR_SECTIONS || flavour == FLAVOUR_SECTION_RACES)
        writer.families |= 1u << FAMILY_SECTION;
    if (flavour == FLAVOUR_UNTIL)
        writer.families = 1u << FAMILY_SEMAPHORE | 1u << below(&writer, FAMILIES);
    for (uint32_t task = 0; task < tasks; task++) {
        writer.task = task;
        out->script.tasks[task].code = out->code[task];
        if (task == 0)
            write_creates(&writer);
        write_task(&writer, 1 + below(&writer, operations_per_task));
    }
    bool ends = script_sees_ends(&out->script);
    for (writer.task = 0; ends && writer.task < tasks; writer.task++)
        emit(&writer, OP_END);
}

static const char *code_name(uint32_t code) {
    static const char *const names[] = {"READ",       "WRITE",       "SKIP_IF", "ASSERT_NOT",
                                        "ASSUME_NOT", "SECTION_END", "AWAIT",   "UNTIL"};
    return code < OP_KINDS ? op_info(code)->name : names[code - OP_KINDS];
}

void print_script(const struct script *script) {
    for (uint32_t task = 0; task < script->task_count; task++) {
        fprintf(stderr, "task %u%s\n", task, script->started >> task & 1 ? "" : " (created)");
        for (uint32_t i = 0; i < script->tasks[task].length; i++) {
            const struct script_instruction *now = &script->tasks[task].code[i];
            fprintf(stderr, "  %2u %s object %u/%u +%u size %u order %u/%u %s value %d %d\n", i,
                    code_name(now->code), now->object, now->object2, now->offset, now->size,
                    now->order, now->failure, now->timed ? "timed" : "", now->value, now->value2);
        }
    }
}
