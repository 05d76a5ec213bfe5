/* published.c - see published.h. An operation is kept with the version of its machine. While the
 * machine waits for events, the place of the action depends on the event that it takes. If it takes
 * the first event, this follows from the version and the event. Otherwise the place is kept for the
 * version and the queue, in a small table. */
#include "substrates/native/machines/published.h"

#include "substrates/native/machines/content.h"
#include "substrates/native/machines/queue.h"
#include "substrates/native/tasks/task.h"

enum { PLACES = 1 << 11 };

struct choosy {
    struct stand stand; /* NOBODY: there is nothing in this place of the table */
    uint64_t pc;
    uint8_t readiness;
};

static struct choosy *choosy_at(struct stand stand) {
    static struct choosy table[PLACES];
    uint64_t hash = ((uint64_t)stand.version << 32 | stand.queue) * 0x9e3779b97f4a7c15u;
    return &table[(hash >> 32) % PLACES];
}

void published_keep(const struct slot *slot, struct stand stand) {
    struct content *content = content_at(stand.version);
    const struct op *op = &task_at(slot->id)->op;
    content->op = *op;
    content->readiness = machine_readiness[slot->id];
    content->numbering = slots_numbering();
    content->published = true;
    if (content->standing == STANDS_FOR_ANY)
        content->op.pc = (uint64_t)slot->machine.table->type + 1;
    if (content->standing == STANDS_FOR_SOME)
        *choosy_at(stand) = (struct choosy){stand, op->pc, machine_readiness[slot->id]};
}

bool publish_again(uint32_t id, struct stand stand) {
    const struct content *content = content_at(stand.version);
    const struct queue *queue = queue_at(stand.queue);
    const struct choosy *choosy = choosy_at(stand);
    struct op *op = &task_at(id)->op;
    if (!content->published || content->numbering != slots_numbering())
        return false;
    if (content->standing == STANDS_FOR_SOME && !same_stand(choosy->stand, stand))
        return false;
    *op = content->op;
    machine_readiness[id] = queue->count > 0 ? READY_NOW : READY_NOT;
    if (content->standing == STANDS_ALIKE)
        machine_readiness[id] = content->readiness;
    if (content->standing == STANDS_FOR_ANY && queue->count > 0)
        op->pc = machine_action_place((const struct machine *)content->bytes,
                                      message_of(queue->first)->event);
    if (content->standing == STANDS_FOR_SOME) {
        op->pc = choosy->pc;
        machine_readiness[id] = choosy->readiness;
    }
    return true;
}
