/* objects.c - see objects.h. A variable is known by its name. An object without a name is known by
 * its region and by the distance from the start of that region (heap) or from its end (stack,
 * thread-local storage). These do not depend on the schedule (substrates/native/layout.h). */
#include "cli/names/objects.h"

#include <stdio.h>

#include "substrates/native/layout.h"

static bool name_heap(uint64_t address, char *name, size_t size) {
    if (address < HEAP_BASE || address >= HEAP_END)
        return false;
    uint64_t arena = (address - HEAP_BASE) / HEAP_ARENA;
    uint64_t offset = (address - HEAP_BASE) % HEAP_ARENA;
    snprintf(name, size, "heap of T%llu+0x%llx", (unsigned long long)arena,
             (unsigned long long)offset);
    return true;
}

static bool name_slot(uint64_t address, char *name, size_t size) {
    if (address < SLOT_BASE || address >= slot_at(SESSION_TASKS_MAX))
        return false;
    uint32_t task = (uint32_t)((address - SLOT_BASE) / SLOT_SIZE);
    const char *region = NULL;
    uint64_t end = 0;
    if (address >= slot_stack_low(task) && address < slot_stack_top(task)) {
        region = "stack";
        end = slot_stack_top(task);
    } else if (address >= slot_thread(task) && address < slot_thread(task) + SLOT_THREAD) {
        region = "thread-local";
        end = slot_thread(task) + SLOT_THREAD;
    }
    if (region != NULL)
        snprintf(name, size, "%s of T%u-0x%llx", region, task, (unsigned long long)(end - address));
    return region != NULL;
}

bool objects_name(struct symbols *symbols, uint64_t address, char *name, size_t size) {
    return name_heap(address, name, size) || name_slot(address, name, size) ||
           symbols_variable(symbols, address, name, size);
}
