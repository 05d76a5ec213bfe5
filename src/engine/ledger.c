/* ledger.c - see ledger.h. */
#include "engine/ledger.h"

#include <string.h>

static void enter_call(struct ledger_entry *entry, const char *call, const char *why, uint64_t pc) {
    strncpy(entry->call, call, sizeof entry->call - 1);
    strncpy(entry->why, why, sizeof entry->why - 1);
    entry->pc = pc;
    entry->count = 1;
}

static struct ledger_entry *find_call(struct ledger *ledger, const char *call, uint64_t pc) {
    for (uint32_t i = 0; i < ledger->count; i++)
        if (ledger->entries[i].pc == pc && strcmp(ledger->entries[i].call, call) == 0)
            return &ledger->entries[i];
    return NULL;
}

void ledger_uncontrolled(struct ledger *ledger, const char *call, const char *why, uint64_t pc) {
    struct ledger_entry *entry = find_call(ledger, call, pc);
    if (entry != NULL)
        entry->count++;
    else if (ledger->count < LEDGER_MAX)
        enter_call(&ledger->entries[ledger->count++], call, why, pc);
}

void ledger_narrowed(struct ledger *ledger, const char *call, const char *why, uint64_t pc) {
    ledger_uncontrolled(ledger, call, why, pc);
    if (ledger->narrowed.count == 0)
        enter_call(&ledger->narrowed, call, why, pc);
}

void ledger_merge(struct ledger *into, const struct ledger *from) {
    for (uint32_t i = 0; i < from->count; i++) {
        const struct ledger_entry *entry = &from->entries[i];
        struct ledger_entry *known = find_call(into, entry->call, entry->pc);
        if (known != NULL)
            known->count += entry->count;
        else if (into->count < LEDGER_MAX)
            into->entries[into->count++] = *entry;
    }
    if (into->narrowed.count == 0)
        into->narrowed = from->narrowed;
}
