/* tables.c - see tables.h. */
#include "machines/production/tables.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "machines/production/runner.h"

enum { TEXT_MAX = 400 };

struct entry {
    struct entry *next;
    struct machine_table table;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry *entries;

/* The line names the type that is wrong, not the machine that creates one. */
static struct entry *add(const struct machine_type *type) {
    char text[TEXT_MAX];
    struct entry *entry = production_allocate(sizeof *entry);
    if (!machine_table_fill(&entry->table, type, text, sizeof text)) {
        runner_switch(NULL);
        production_wrong("%s", text);
    }
    entry->next = entries;
    entries = entry;
    return entry;
}

const struct machine_table *table_of(const struct machine_type *type) {
    pthread_mutex_lock(&lock);
    struct entry *entry = entries;
    while (entry != NULL && entry->table.type != type)
        entry = entry->next;
    if (entry == NULL)
        entry = add(type);
    pthread_mutex_unlock(&lock);
    return &entry->table;
}

void tables_forget(void) {
    for (struct entry *entry = entries, *next; entry != NULL; entry = next) {
        next = entry->next;
        free(entry);
    }
    entries = NULL;
}
