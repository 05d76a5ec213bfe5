/* rest.c - machines between steps: how a state is recognised, saved and put back.
 *
 * At rest a slot is one of its versions (version.h), so a state of the program is one number for
 * each slot. When a state is put back, only these numbers are set at first. The bytes of a slot
 * are copied when some code needs them (slots_freshen): many steps are known already, and need
 * no bytes at all (known.h). Until then the slot is stale.
 *
 * The fingerprint of a state is the sum of the fingerprints of its slots, so only slots that have
 * changed are hashed again (slot_touch, then slots_settle when all machines are at rest). It
 * leaves out everything that cannot decide the future: how many events were ever sent, and the
 * places in the source. */
#include "base/check.h"
#include "base/image.h"
#include "engine/session.h"
#include "substrates/native/machines/content.h"
#include "substrates/native/memory/memory.h"
#include "substrates/native/tasks/task.h"

static uint32_t known_ids[MACHINE_SLOTS]; /* of slots that any execution has had, by index */
static uint32_t known_count;
static uint32_t index_of[MACHINE_SLOTS];         /* the index of a slot, by its id */
static uint32_t versions[MACHINE_SLOTS];         /* as of the last settling, by index */
static struct fingerprint prints[MACHINE_SLOTS]; /* the fingerprints of these versions */
static uint32_t numbers[MACHINE_SLOTS]; /* by which the program knows the machines, by index */
static struct fingerprint total;        /* the sum of all prints */
static uint64_t numbering;              /* a hash of all numbers: which machine has which */

static uint32_t changed_ids[MACHINE_SLOTS]; /* of slots that changed since the last settling */
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

/* Mostly the machine that had the number in the execution before has it again. */
struct slot *slot_numbered(uint32_t number) {
    static uint32_t ids[MACHINE_SLOTS];
    if (number == 0 || number >= MACHINE_SLOTS)
        return NULL;
    for (uint32_t i = 0; !has_number(ids[number], number) && i < known_count; i++)
        ids[number] = known_ids[i];
    return has_number(ids[number], number) ? slot_of(ids[number]) : NULL;
}

/* --- recognising ---------------------------------------------------------------------------- */

/* The slot is that version now: updates the sums over all slots. */
static void count_in(uint32_t index, uint32_t version, struct fingerprint print, uint32_t number) {
    total.word[0] += print.word[0] - prints[index].word[0];
    total.word[1] += print.word[1] - prints[index].word[1];
    prints[index] = print;
    versions[index] = version;
    if (number == numbers[index])
        return;
    numbering += content_numbering(index, number) - content_numbering(index, numbers[index]);
    numbers[index] = number;
}

/* --- tasks ---------------------------------------------------------------------------------- */

/* The task may have been reset since it was used last, because another execution began from
 * main. */
static void bind_task(uint32_t id, struct task *task) {
    task->id = id;
    task->machine = slot_of(id);
    if (task->fiber.stack_low == 0)
        task->fiber.stack_low = slot_stack_top(id);
}

/* A state that was put back has other machines than the one before it. */
static void settle_task(uint32_t id, bool there, bool lives) {
    struct task *task = task_at(id);
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
    return id < SESSION_TASKS_MAX; /* monitors have no task */
}

/* --- being at rest -------------------------------------------------------------------------- */

/* Publishes the operation before which the machine stands, by the present numbers of machines. */
static void publish(struct slot *slot) {
    machine_publish(slot);
    if (versions[index_of[slot->id]] == NO_VERSION || !has_task(slot->id))
        return;
    struct version *version = version_at(versions[index_of[slot->id]]);
    version->op = task_at(slot->id)->op;
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
    if (!there) { /* it was there in another state */
        count_in(index_of[slot->id], NO_VERSION, (struct fingerprint){{0}}, 0);
        return;
    }
    struct fingerprint print = content_print(slot);
    slot->take = slot_find_takable(slot);
    count_in(index_of[slot->id], content_version(slot, &print, lives), print, slot->number);
}

/* The operation before which a machine stands depends on other machines, so all are settled
 * first. */
void slots_settle(void) {
    for (uint32_t i = 0; i < changed_count; i++)
        settle(slot_of(changed_ids[i]));
    for (uint32_t i = 0; i < changed_count; i++)
        if (is_machine(slot_of(changed_ids[i])))
            publish(slot_of(changed_ids[i]));
    changed_count = 0;
}

/* Now and then all slots are hashed again. A change that was not noticed would confuse two
 * states. */
static void audit(void) {
    struct fingerprint before = total;
    slots_freshen();
    for (uint32_t i = 0; i < known_count; i++)
        if (is_machine(slot_of(known_ids[i])))
            slot_touch(slot_of(known_ids[i]));
    slots_settle();
    CHECK(fingerprint_equal(&before, &total));
}

void slots_foresee(const uint32_t *ids, const uint32_t *to, uint32_t count,
                   struct fingerprint *out) {
    *out = total;
    for (uint32_t i = 0; i < count; i++) {
        const struct fingerprint *before = &prints[index_of[ids[i]]];
        const struct fingerprint *after = &version_at(to[i])->print;
        out->word[0] += after->word[0] - before->word[0];
        out->word[1] += after->word[1] - before->word[1];
    }
}

const struct fingerprint *slots_total(void) {
    return &total;
}

void slots_fingerprint(struct fingerprint *out) {
    enum { AUDIT_EVERY = 1024 };
    static uint32_t asked;
    if (asked++ % AUDIT_EVERY == 0)
        audit();
    *out = total;
}

/* --- saving --------------------------------------------------------------------------------- */

/* Whether events have numbers: their position among all that were sent to the machine.
 * Strategies that go by the order of events need the numbers; strategies that remember states
 * must not see them. */
static bool counts_events(void) {
    return !rt.session->live.states.remembered;
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
        content_read(slot, version_at(versions[index]));
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
    task_at(id)->op = version->op;
    machine_readiness[id] = version->readiness;
}

/* A step that was given up has left these slots half-way. */
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
    content_copy(out, versions, (known_count + 1) / 2 * 2 * (uint32_t)sizeof *out);
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

/* Slots that were first used after the state was saved hold nothing in it. */
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
    if (numbering != numbering_before) /* the receivers of events have other numbers now */
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
