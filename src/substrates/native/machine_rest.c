/* machine_rest.c - machines between steps: how a state is recognised, saved and put back.
 *
 * At rest a slot is one of its versions (machine_version.h), so a state of the program is a number a slot. A state
 * that is put back is these numbers alone at first. The bytes of a slot are copied when somebody wants to see
 * them (slots_freshen): many steps are known already, and need no bytes at all (machine_known.h). Until then the
 * slot is stale. */
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/check.h"
#include "substrates/native/machine_version.h"

static uint32_t known_ids[MACHINE_SLOTS]; /* of the slots that any execution has had, by index */
static uint32_t known_count;
static uint32_t index_of[MACHINE_SLOTS];         /* of a slot, by its id */
static uint32_t versions[MACHINE_SLOTS];         /* as they were settled last, by index */
static struct fingerprint prints[MACHINE_SLOTS]; /* of these */
static uint32_t numbers[MACHINE_SLOTS];          /* by which the program knows them */
static struct fingerprint total;                 /* the sum of all prints */
static uint64_t numbering;                       /* of all numbers: which machine has which */

static uint32_t changed_ids[MACHINE_SLOTS]; /* since they were settled */
static uint32_t changed_count;
static bool stale[MACHINE_SLOTS]; /* by index */
static uint32_t stale_indices[MACHINE_SLOTS];
static uint32_t stale_count;

/* --- life ----------------------------------------------------------------------------------- */

void slot_make_known(uint32_t id) {
    if (known_count == 0)
        memory_map(MACHINE_BASE, MACHINE_SLOTS * MACHINE_SLOT);
    struct slot *slot = slot_of(id);
    slot->id = id;
    if (slot->known)
        return;
    slot->known = true;
    index_of[id] = known_count++;
    known_ids[index_of[id]] = id;
}

void slot_touch(struct slot *slot) {
    if (slot->changed)
        return;
    slot->changed = true;
    changed_ids[changed_count++] = slot->id;
}

static void forget(struct slot *slot) {
    slot_clear(slot);
    slot->machine.table = NULL;
    slot->changed = false;
    versions[index_of[slot->id]] = NO_VERSION;
    prints[index_of[slot->id]] = (struct fingerprint){{0}};
    numbers[index_of[slot->id]] = 0;
    stale[index_of[slot->id]] = false;
}

void slots_reset(void) {
    for (uint32_t i = 0; i < known_count; i++)
        forget(slot_of(known_ids[i]));
    total = (struct fingerprint){{0}};
    numbering = 0;
    changed_count = stale_count = 0;
}

static bool is_machine(const struct slot *slot) {
    return slot->machine.table != NULL;
}

void slots_halt_idle(void) {
    for (uint32_t i = 0; i < known_count; i++)
        if (slot_halts_idly(slot_of(known_ids[i])))
            slot_halt(slot_of(known_ids[i]));
}

uint32_t slots_numbered(void) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < known_count; i++)
        count += is_machine(slot_of(known_ids[i])) && slot_of(known_ids[i])->number != 0;
    return count;
}

static bool has_number(uint32_t id, uint32_t number) {
    return slot_of(id)->known && is_machine(slot_of(id)) && slot_of(id)->number == number;
}

/* Mostly it is the one that had the number in the execution before. */
struct slot *slot_numbered(uint32_t number) {
    static uint32_t ids[MACHINE_SLOTS];
    if (number == 0 || number >= MACHINE_SLOTS)
        return NULL;
    for (uint32_t i = 0; !has_number(ids[number], number) && i < known_count; i++)
        ids[number] = known_ids[i];
    return has_number(ids[number], number) ? slot_of(ids[number]) : NULL;
}

/* --- recognising ---------------------------------------------------------------------------- */

static const char *state_of(const struct slot *slot) {
    return (const char *)&slot->machine;
}

static uint32_t state_bytes(struct slot *slot) {
    return (uint32_t)(slot_queue(slot) - state_of(slot)) + slot->queue_bytes;
}

static uint32_t stack_bytes(const struct slot *slot) {
    return slot->context != 0 ? (uint32_t)(slot_stack_top(slot->id) - slot->context) : 0;
}

static uint64_t print_outbox(struct slot *slot, uint64_t seed) {
    const char *at = (const char *)slot_outbox(slot), *end = at + slot->outbox_bytes;
    while (at < end) {
        const struct outgoing *outgoing = (const struct outgoing *)at;
        uint32_t bytes = outgoing_bytes(outgoing->size);
        seed = XXH3_64bits_withSeed(&outgoing->kind, bytes - offsetof(struct outgoing, kind), seed);
        at += bytes;
    }
    return seed;
}

/* Parts that are mostly empty. */
static void add_rest(struct slot *slot, struct fingerprint *print) {
    XXH128_hash_t stack = XXH3_128bits_withSeed((void *)slot->context, stack_bytes(slot), slot->id);
    print->word[0] += print_outbox(slot, print->word[0]) ^ stack.low64;
    print->word[1] += print_outbox(slot, print->word[1]) ^ stack.high64;
    if (slot->context == 0)
        return;
    XXH128_hash_t wanted = XXH3_128bits_withSeed(slot->wanted, sizeof slot->wanted, print->word[0]);
    print->word[0] += wanted.low64;
    print->word[1] += wanted.high64;
}

/* The address of its table does not count: it depends on which type was used first in this process, and states
 * are remembered for longer. */
static struct fingerprint print_of(struct slot *slot) {
    uint64_t seed = (uint64_t)slot->machine.table->type + slot->id;
    uint32_t from = offsetof(struct machine, depth);
    XXH128_hash_t hash =
        XXH3_128bits_withSeed(state_of(slot) + from, state_bytes(slot) - from, seed);
    struct fingerprint print = {{hash.low64, hash.high64}};
    if (slot->outbox_bytes != 0 || slot->context != 0)
        add_rest(slot, &print);
    return print;
}

static uint64_t named(uint32_t index, uint32_t number) {
    uint64_t pair = (uint64_t)(index + 1) << 32 | number;
    return number != 0 ? XXH3_64bits(&pair, sizeof pair) : 0;
}

/* The slot is that version now, as far as all slots together are concerned. */
static void count_in(uint32_t index, uint32_t version, struct fingerprint print, uint32_t number) {
    total.word[0] += print.word[0] - prints[index].word[0];
    total.word[1] += print.word[1] - prints[index].word[1];
    prints[index] = print;
    versions[index] = version;
    if (number == numbers[index])
        return;
    numbering += named(index, number) - named(index, numbers[index]);
    numbers[index] = number;
}

/* --- tasks ---------------------------------------------------------------------------------- */

/* The task may have been wiped since it was used last: another execution began from main. */
static void bind_task(uint32_t id, struct task *task) {
    task->id = id;
    task->machine = slot_of(id);
    if (task->stack_low == 0)
        task->stack_low = slot_stack_top(id);
}

/* A state that was put back has other machines than the one before it. */
static void settle_task(uint32_t id, bool there, bool lives) {
    struct task *task = &rt.tasks[id];
    bool lived = task->state == TASK_LIVE || task->state == TASK_FRESH;
    if (lived && !lives)
        task_remove_live(id);
    if (lives && !lived) {
        bind_task(id, task);
        task->state = TASK_LIVE;
        task_insert_live(id);
    }
    if (!lives)
        task->state = there ? TASK_ENDED : TASK_UNUSED;
}

static bool has_task(uint32_t id) {
    return id < SESSION_TASKS; /* monitors have none */
}

/* --- versions ------------------------------------------------------------------------------- */

static uint32_t wanted_bytes(uint32_t stack) {
    return stack != 0 ? (uint32_t)sizeof slot_of(0)->wanted : 0;
}

static void copy_bytes(void *to, const void *from, uint32_t size) {
    uint64_t *words = to;
    const uint64_t *source = from;
    for (uint32_t i = 0; i < size / 8; i++)
        words[i] = source[i];
}

static void write_version(struct slot *slot, struct version *version) {
    char *at = version->bytes;
    copy_bytes(at, state_of(slot), version->state_bytes);
    at += version->state_bytes;
    copy_bytes(at, slot_outbox(slot), version->outbox_bytes);
    at += version->outbox_bytes;
    copy_bytes(at, (void *)slot->context, version->stack_bytes);
    copy_bytes(at + version->stack_bytes, slot->wanted, wanted_bytes(version->stack_bytes));
}

static void read_version(struct slot *slot, const struct version *version) {
    const char *at = version->bytes;
    slot->take = version->take;
    copy_bytes(&slot->machine, at, version->state_bytes);
    at += version->state_bytes;
    copy_bytes(slot_outbox(slot), at, version->outbox_bytes);
    at += version->outbox_bytes;
    copy_bytes((void *)slot->context, at, version->stack_bytes);
    if (version->stack_bytes != 0 && rt.tasks[slot->id].stack_low > slot->context)
        rt.tasks[slot->id].stack_low = slot->context;
    copy_bytes(slot->wanted, at + version->stack_bytes, wanted_bytes(version->stack_bytes));
}

/* The version that the slot is now. NO_VERSION: there is no more room. */
static uint32_t find_version(struct slot *slot, const struct fingerprint *print, bool lives) {
    bool fresh;
    uint32_t state = state_bytes(slot), outbox = slot->outbox_bytes, stack = stack_bytes(slot);
    uint32_t number = version_find(print, state + outbox + stack + wanted_bytes(stack), &fresh);
    if (!fresh || number == NO_VERSION)
        return number;
    struct version *version = version_at(number);
    version->take = slot->take;
    version->number = slot->number;
    version->lives = lives;
    version->state_bytes = state;
    version->outbox_bytes = outbox;
    version->stack_bytes = stack;
    write_version(slot, version);
    return number;
}

/* --- being at rest -------------------------------------------------------------------------- */

/* What stands before the machine, by the numbers that machines have at present. */
static void publish(struct slot *slot) {
    machine_publish(slot);
    if (versions[index_of[slot->id]] == NO_VERSION || !has_task(slot->id))
        return;
    struct version *version = version_at(versions[index_of[slot->id]]);
    version->op = rt.tasks[slot->id].op;
    version->readiness = machine_readiness[slot->id];
    version->numbering = numbering;
    version->published = true;
}

static void settle(struct slot *slot) {
    bool there = is_machine(slot);
    bool lives = there && !slot_has_halted(slot) && !slot_halts_idly(slot);
    slot->changed = false;
    if (has_task(slot->id))
        settle_task(slot->id, there, lives);
    if (!there) { /* it was there, in another state */
        count_in(index_of[slot->id], NO_VERSION, (struct fingerprint){{0}}, 0);
        return;
    }
    struct fingerprint print = print_of(slot);
    slot->take = slot_find_takable(slot);
    count_in(index_of[slot->id], find_version(slot, &print, lives), print, slot->number);
}

/* Before what a machine stands depends on others: so they are settled first. */
void slots_settle(void) {
    for (uint32_t i = 0; i < changed_count; i++)
        settle(slot_of(changed_ids[i]));
    for (uint32_t i = 0; i < changed_count; i++)
        if (is_machine(slot_of(changed_ids[i])))
            publish(slot_of(changed_ids[i]));
    changed_count = 0;
}

/* Now and then all of it is hashed anew: a change that nobody told of would be a state confused with
 * another. */
static void audit(void) {
    struct fingerprint before = total;
    slots_freshen();
    for (uint32_t i = 0; i < known_count; i++)
        if (is_machine(slot_of(known_ids[i])))
            slot_touch(slot_of(known_ids[i]));
    slots_settle();
    CHECK(fingerprint_equal(&before, &total));
}

void slots_fingerprint(struct fingerprint *out) {
    enum { AUDIT_EVERY = 1024 };
    static uint32_t asked;
    if (asked++ % AUDIT_EVERY == 0)
        audit();
    *out = total;
}

/* --- saving --------------------------------------------------------------------------------- */

/* Which of all events that were sent to a machine those in its queue are. Strategies that go by the order of events
 * want to know, and not those that remember states. */
static bool counts_events(void) {
    return !rt.session->remembers_states;
}

static void write_numbers(struct image *image, struct slot *slot) {
    image_write_number(image, slot->sequence);
    image_write(image, slot_numbers(slot), slot->queue_count * sizeof(uint32_t));
}

static void read_numbers(struct image *image, struct slot *slot) {
    slot->sequence = (uint32_t)image_read_number(image);
    image_read(image, slot_numbers(slot), slot->queue_count * sizeof(uint32_t));
}

/* A slot without a version holds no machine, or there was no room for the version. */
static bool has_versions(void) {
    for (uint32_t i = 0; i < known_count; i++)
        if (versions[i] == NO_VERSION && (prints[i].word[0] | prints[i].word[1]) != 0)
            return false;
    return true;
}

bool slots_write(struct image *image) {
    if (!has_versions())
        return false;
    image_write_number(image, known_count);
    image_write(image, versions, known_count * sizeof *versions);
    for (uint32_t i = 0; i < known_count && counts_events(); i++)
        write_numbers(image, slot_of(known_ids[i]));
    return true;
}

/* --- putting back --------------------------------------------------------------------------- */

static void make_stale(uint32_t index) {
    if (!stale[index])
        stale_indices[stale_count++] = index;
    stale[index] = true;
}

static void freshen(uint32_t index) {
    struct slot *slot = slot_of(known_ids[index]);
    stale[index] = false;
    if (versions[index] == NO_VERSION) {
        slot_clear(slot);
        slot->machine.table = NULL;
    } else {
        read_version(slot, version_at(versions[index]));
    }
}

void slots_freshen(void) {
    for (uint32_t i = 0; i < stale_count; i++)
        freshen(stale_indices[i]);
    stale_count = 0;
}

void slot_become(uint32_t id, uint32_t number) {
    static const struct version none;
    const struct version *version = number != NO_VERSION ? version_at(number) : &none;
    uint32_t index = index_of[id];
    make_stale(index);
    count_in(index, number, version->print, version->number);
    if (has_task(id))
        settle_task(id, number != NO_VERSION, version->lives);
}

void slot_publish_again(uint32_t id) {
    uint32_t index = index_of[id];
    if (versions[index] == NO_VERSION || !has_task(id))
        return;
    const struct version *version = version_at(versions[index]);
    if (!version->published || version->numbering != numbering) {
        slots_freshen();
        publish(slot_of(id));
        return;
    }
    rt.tasks[id].op = version->op;
    machine_readiness[id] = version->readiness;
}

/* A step that was given up has left these half-way. */
static void give_up_changes(void) {
    for (uint32_t i = 0; i < changed_count; i++) {
        struct slot *slot = slot_of(changed_ids[i]);
        slot->changed = false;
        versions[index_of[slot->id]] = CHANGED_VERSION;
    }
    changed_count = 0;
}

static void read_all_numbers(struct image *image, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        read_numbers(image, slot_of(known_ids[i]));
}

static void publish_from_bytes(uint32_t id) {
    if (versions[index_of[id]] != NO_VERSION)
        machine_publish(slot_of(id));
}

uint32_t slot_version(uint32_t id) {
    return versions[index_of[id]];
}

uint64_t slots_numbering(void) {
    return numbering;
}

uint32_t slots_versions(uint32_t *out) {
    copy_bytes(out, versions, (known_count + 1) / 2 * 2 * (uint32_t)sizeof *out);
    return known_count;
}

static bool is_among(uint32_t id, const uint32_t *ids, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (ids[i] == id)
            return true;
    return false;
}

bool slots_differ_only(const uint32_t *before, uint32_t count, const uint32_t *ids,
                       uint32_t id_count) {
    if (count != known_count)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (versions[i] != before[i] && !is_among(known_ids[i], ids, id_count))
            return false;
    return true;
}

static uint32_t list_known(uint32_t *ids) {
    for (uint32_t i = 0; i < known_count; i++)
        ids[i] = known_ids[i];
    return known_count;
}

/* Slots that have become known since held nothing. */
void slots_read(struct image *image) {
    uint32_t back[MACHINE_SLOTS], back_count = 0;
    uint64_t numbering_before = numbering;
    uint32_t count = (uint32_t)image_read_number(image);
    const uint32_t *saved = image_skip(image, count * sizeof *saved);
    give_up_changes();
    for (uint32_t i = 0; i < known_count; i++) {
        uint32_t version = i < count ? saved[i] : NO_VERSION;
        if (versions[i] == version)
            continue;
        slot_become(known_ids[i], version);
        back[back_count++] = known_ids[i];
    }
    if (numbering != numbering_before) /* those to whom others send have other numbers */
        back_count = list_known(back);
    if (counts_events()) {
        slots_freshen();
        read_all_numbers(image, count);
    }
    for (uint32_t i = 0; i < back_count; i++)
        if (counts_events())
            publish_from_bytes(back[i]);
        else
            slot_publish_again(back[i]);
}
