/* tables.h - the checked table of each type that is in use. */
#ifndef MACHINES_PRODUCTION_TABLES_H
#define MACHINES_PRODUCTION_TABLES_H

#include "machines/table.h"

/* Made at the first call. A table that is wrong ends the program. */
const struct machine_table *table_of(const struct machine_type *type);

/* When nothing of any type is left. */
void tables_forget(void);

#endif
