/* ledger.h - the calls of the program that are not controlled. */
#ifndef ENGINE_LEDGER_H
#define ENGINE_LEDGER_H

#include <stdint.h>

enum { LEDGER_MAX = 64 };

/* All uses of one call at one place. */
struct ledger_entry {
    char call[32];
    char why[96];
    uint64_t pc;
    uint64_t count;
};

struct ledger {
    struct ledger_entry entries[LEDGER_MAX];
    uint32_t count;
    /* the first call that narrowed an input; count 0: there was none */
    struct ledger_entry narrowed;
};

/* Notes another use of an uncontrolled call. */
void ledger_uncontrolled(struct ledger *ledger, const char *call, const char *why, uint64_t pc);
/* The same for a call that gave fewer values than it can. Such a call bounds what was explored. */
void ledger_narrowed(struct ledger *ledger, const char *call, const char *why, uint64_t pc);

/* Adds the uses of another worker. Entries of the same call at the same place become one entry. */
void ledger_merge(struct ledger *into, const struct ledger *from);

#endif
