/* heap_blocks.c - see heap_blocks.h. */
#include "execution/heap_blocks.h"

#include "base/sort.h"
#include "event/event.h"
#include "execution/execution.h"
#include "execution/finding.h"

void heap_blocks_add(struct execution *execution, const struct heap_block *block) {
    struct heap_blocks *blocks = &execution->blocks;
    if (blocks->count == HEAP_BLOCKS_MAX)
        return;
    blocks->items = pool_grow(execution->pool, blocks->items, &blocks->capacity,
                              (size_t)blocks->count + 1, sizeof *blocks->items);
    blocks->items[blocks->count++] = *block;
}

static int compare_blocks(const void *a, const void *b) {
    const struct heap_block *x = a, *y = b;
    return (x->start > y->start) - (x->start < y->start);
}

struct heap_block *heap_blocks_find(const struct heap_blocks *blocks, uint64_t address) {
    uint32_t low = 0, high = blocks->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (blocks->items[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    struct heap_block *block = low > 0 ? &blocks->items[low - 1] : NULL;
    return block != NULL && address - block->start < block->size ? block : NULL;
}

static void use(const struct heap_blocks *blocks, uint64_t address) {
    struct heap_block *block = heap_blocks_find(blocks, address);
    if (block != NULL)
        block->used = true;
}

static void use_op(const struct heap_blocks *blocks, const struct op *op) {
    enum op_class class = op_info(op->kind)->class;
    if (class != CLASS_MEMORY && class != CLASS_OBJECT)
        return;
    use(blocks, op->object);
    use(blocks, op->object2);
}

static void use_finding(const struct heap_blocks *blocks, const struct finding *finding) {
    use(blocks, finding->object);
    for (uint32_t i = 0; i < finding->wait_count; i++)
        use_op(blocks, &finding->waits[i].op);
}

void heap_blocks_keep_used(struct execution *execution, const struct finding *findings,
                           uint32_t finding_count) {
    struct heap_blocks *blocks = &execution->blocks;
    uint32_t kept = 0;
    if (blocks->count == 0)
        return;
    sort(blocks->items, blocks->count, sizeof *blocks->items, compare_blocks);
    for (uint32_t i = 0; i < execution->event_count; i++)
        use_op(blocks, &execution->events[i].op);
    for (uint32_t i = 0; i < finding_count; i++)
        use_finding(blocks, &findings[i]);
    for (uint32_t i = 0; i < blocks->count; i++)
        if (blocks->items[i].used)
            blocks->items[kept++] = blocks->items[i];
    blocks->count = kept;
}
