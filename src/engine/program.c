/* program.c - see program.h. */
#include "engine/program.h"

#include <stddef.h>
#include <string.h>

bool task_names_agree(const struct task_names *a, const struct task_names *b) {
    for (uint32_t i = 0; i < a->count && i < b->count; i++)
        if (a->list[i].parent != b->list[i].parent || a->list[i].child != b->list[i].child)
            return false;
    return true;
}

void task_names_merge(struct task_names *into, const struct task_names *from) {
    for (; into->count < from->count; into->count++)
        into->list[into->count] = from->list[into->count];
}

static const struct module *find(const struct modules *modules, const char *path) {
    for (uint32_t i = 0; i < modules->count; i++)
        if (strcmp(modules->list[i].path, path) == 0)
            return &modules->list[i];
    return NULL;
}

bool modules_agree(const struct modules *a, const struct modules *b) {
    for (uint32_t i = 0; i < b->count; i++) {
        const struct module *same = find(a, b->list[i].path);
        if (same != NULL && same->base != b->list[i].base)
            return false;
    }
    return true;
}

void modules_merge(struct modules *into, const struct modules *from) {
    for (uint32_t i = 0; i < from->count && into->count < MODULES_MAX; i++)
        if (find(into, from->list[i].path) == NULL)
            into->list[into->count++] = from->list[i];
}
