/* rest.c - machines between steps: how a state is recognised, saved and put back.
 *
 * At rest a slot is one of its versions (version.h) with one of its queues (queue.h), so a state of
 * the program is two numbers for each slot. When a state is put back, only these numbers are set at first. The bytes of a slot
 * are copied when some code needs them (slots_freshen): many steps are known already, and need
 * no bytes at all (known.h). Until then the slot is stale.
 *
 * The fingerprint of a state is the sum of those of its versions and queues, so only slots that have
 * changed are hashed again (slot_touch, then slots_settle when all machines are at rest). It
 * leaves out everything that cannot decide the future: how many events were ever sent, and the
 * places in the source. */
#include "base/check.h"
#include "base/image.h"
#include "engine/session.h"
#include "substrates/native/machines/content.h"
#include "substrates/native/machines/published.h"
#include "substrates/native/machines/queue.h"
#include "substrates/native/memory/memory.h"
#include "substrates/native/tasks/task.h"

static uint32_t known_ids[MACHINE_SLOTS]; /* of slots that any execution has had, by index */
static uint32_t known_count;
static uint32_t index_of[MACHINE_SLOTS];         /* the index of a slot, by its id */
static struct stand stands[MACHINE_SLOTS];       /* as of the last settling, by index */
static struct fingerprint prints[MACHINE_SLOTS]; /* the fingerprints of these, as sums */
static uint32_t numbers[MACHINE_SLOTS]; /* by which the program knows the machines, by index */
static struct fingerprint total;        /* the sum of all prints */
static uint64_t numbering;              /* a hash of all numbers: which machine has which */

static uint32_t changed_ids[MACHINE_SLOTS]; /* of slots that changed since the last settling */
static uint32_t changed_count;
static bool stale[MACHINE_SLOTS];                         /* by index */
#define HALF_WAY ((struct stand){UINT32_MAX, UINT32_MAX}) /* a slot in the middle of a step */

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
    stands[index_of[slot->id]] = NOBODY;
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

static struct fingerprint print_of(struct stand stand) {
    struct fingerprint print = version_at(stand.version)->print;
    fingerprint_merge(&print, &queue_at(stand.queue)->print);
    return print;
}

/* The slot stands like that now: updates the sums over all slots. */
static void count_in(uint32_t index, struct stand stand, struct fingerprint print,
                     uint32_t number) {
    total.word[0] += print.word[0] - prints[index].word[0];
    total.word[1] += print.word[1] - prints[index].word[1];
    prints[index] = print;
    stands[index] = stand;
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
    struct stand stand = stands[index_of[slot->id]];
    if (stand.version == NO_VERSION || !has_task(slot->id))
        return;
    if (stand.queue != NO_QUEUE)
        published_keep(slot, stand);
}

static void settle(struct slot *slot) {
    bool there = is_machine(slot);
    bool lives = there && !slot_has_halted(slot) && !slot_halts_idly(slot);
    slot->changed = false;
    if (has_task(slot->id))
        settle_task(slot->id, there, lives);
    if (!there) { /* it was there in another state */
        count_in(index_of[slot->id], NOBODY, (struct fingerprint){{0}}, 0);
        return;
    }
    struct fingerprint print = content_print(slot);
    slot->take = slot_find_takable(slot);
    struct stand stand = {content_version(slot, &print), queue_settle(slot)};
    struct fingerprint queue = queue_print(slot, stand.queue);
    fingerprint_merge(&print, &queue);
    count_in(index_of[slot->id], stand, print, slot->number);
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

static void slot_look_again(struct slot *slot) {
    slot->settled_bytes = 0;
    slot_touch(slot);
}

/* Now and then all slots are hashed again. A change that was not noticed would confuse two
 * states. */
static void audit(void) {
    struct fingerprint before = total;
    slots_freshen();
    for (uint32_t i = 0; i < known_count; i++)
        if (is_machine(slot_of(known_ids[i])))
            slot_look_again(slot_of(known_ids[i]));
    slots_settle();
    CHECK(fingerprint_equal(&before, &total));
}

struct fingerprint slots_change(const uint32_t *ids, const struct stand *to, uint32_t count) {
    struct fingerprint by = {{0}};
    for (uint32_t i = 0; i < count; i++) {
        const struct fingerprint *before = &prints[index_of[ids[i]]];
        struct fingerprint after = print_of(to[i]);
        by.word[0] += after.word[0] - before->word[0];
        by.word[1] += after.word[1] - before->word[1];
    }
    return by;
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

/* A slot without a number holds no machine, or there was no room for the version or the queue. */
static bool has_numbers(void) {
    for (uint32_t i = 0; i < known_count; i++)
        if ((stands[i].version == NO_VERSION || stands[i].queue == NO_QUEUE) &&
            (prints[i].word[0] | prints[i].word[1]) != 0)
            return false;
    return true;
}

bool slots_write(struct image *image) {
    if (!has_numbers())
        return false;
    image_write_number(image, known_count);
    image_write(image, stands, known_count * sizeof *stands);
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
    if (stands[index].version == NO_VERSION) {
        slot_clear(slot);
        slot->machine.table = NULL;
        return;
    }
    content_read(slot, content_at(stands[index].version));
    queue_read(slot, stands[index].queue);
    slot->take = slot_find_takable(slot);
}

void slots_freshen(void) {
    for (uint32_t i = 0; i < stale_count; i++)
        freshen(stale_indices[i]);
    stale_count = 0;
}

static bool lives(const struct content *content, struct stand stand) {
    switch ((enum standing)content->standing) {
    case STANDS_GONE: return false;
    case STANDS_TO_HALT: return queue_at(stand.queue)->count > 0;
    case STANDS_ALIKE:
    case STANDS_FOR_ANY:
    case STANDS_FOR_SOME: break;
    }
    return true;
}

void slot_become(uint32_t id, struct stand stand) {
    uint32_t index = index_of[id];
    make_stale(index);
    if (stand.version == NO_VERSION) {
        count_in(index, NOBODY, (struct fingerprint){{0}}, 0);
        if (has_task(id))
            settle_task(id, false, false);
        return;
    }
    const struct content *content = content_at(stand.version);
    count_in(index, stand, print_of(stand), content->number);
    if (has_task(id))
        settle_task(id, true, lives(content, stand));
}

void slot_publish_again(uint32_t id) {
    struct stand stand = stands[index_of[id]];
    if (stand.version == NO_VERSION || !has_task(id) || publish_again(id, stand))
        return;
    slots_freshen();
    publish(slot_of(id));
}

/* A step that was given up has left these slots half-way. */
static void give_up_changes(void) {
    for (uint32_t i = 0; i < changed_count; i++) {
        struct slot *slot = slot_of(changed_ids[i]);
        slot->changed = false;
        stands[index_of[slot->id]] = HALF_WAY;
    }
    changed_count = 0;
}

static void read_all_numbers(struct image *image, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        read_numbers(image, slot_of(known_ids[i]));
}

static void publish_from_bytes(uint32_t id) {
    if (stands[index_of[id]].version != NO_VERSION)
        machine_publish(slot_of(id));
}

struct stand slot_stand(uint32_t id) {
    return stands[index_of[id]];
}

uint64_t slots_numbering(void) {
    return numbering;
}

uint32_t slots_stands(struct stand *out) {
    content_copy(out, stands, known_count * (uint32_t)sizeof *out);
    return known_count;
}

static bool is_among(uint32_t id, const uint32_t *ids, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (ids[i] == id)
            return true;
    return false;
}

bool slots_differ_only(const struct stand *before, uint32_t count, const uint32_t *ids,
                       uint32_t id_count) {
    if (count != known_count)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!same_stand(stands[i], before[i]) && !is_among(known_ids[i], ids, id_count))
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
    const struct stand *saved = image_skip(image, count * sizeof *saved);
    give_up_changes();
    for (uint32_t i = 0; i < known_count; i++) {
        struct stand stand = i < count ? saved[i] : NOBODY;
        if (same_stand(stands[i], stand))
            continue;
        slot_become(known_ids[i], stand);
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
